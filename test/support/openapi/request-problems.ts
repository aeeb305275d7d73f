import { isDeepStrictEqual } from "node:util";
import { isRecord, type Json, type WrittenOperation, type WrittenParameter } from "./document-view.js";

/** A request as a server saw it. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** What every credential of the checks is. */
export const token = "token-of-the-checks";

/** What differs between a request and what the document says a call with these arguments sends; empty where all is right. */
export async function problemsOf(
  operation: WrittenOperation,
  values: Json,
  seen: SeenRequest,
  basePath: string,
): Promise<readonly string[]> {
  const url = new URL(seen.url, "http://localhost");
  const rest = new Map(Object.entries(values));
  const problems: string[] = [];
  const expectThat = (holds: boolean, problem: string): void => void (holds || problems.push(problem));

  expectThat(seen.method === operation.method, `method ${seen.method}`);
  const segments = segmentsOf(operation.path, url.pathname, basePath);
  expectThat(segments !== undefined, `path ${url.pathname} for ${operation.path}`);
  for (const parameter of operation.parameters) {
    const argument = argumentOf(parameter, rest);
    if (argument === undefined) continue;
    const value = rest.get(argument);
    rest.delete(argument);
    expectThat(
      isSent(parameter, value, { url, headers: seen.headers, segments }),
      `${parameter.in} parameter ${parameter.name}: ${JSON.stringify(value)} as ${seen.url}`,
    );
  }
  expectThat(isAuthorised(operation, url, seen.headers), "no credential");
  const bodyProblem = await bodyProblemOf(operation, rest, seen);
  return bodyProblem === undefined ? problems : [...problems, bodyProblem];
}

const worded = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "");

/** Arguments are named as providers allow, with the place before the name where two would share one. */
const argumentOf = ({ name, in: place }: WrittenParameter, rest: ReadonlyMap<string, unknown>): string | undefined =>
  [...rest.keys()].find((key) => worded(key) === worded(name)) ?? [...rest.keys()].find((key) => worded(key) === worded(place + name));

/** What stands for the placeholders of a path, or `undefined` where it is another path. */
function segmentsOf(template: string, pathname: string, basePath: string): ReadonlyMap<string, string> | undefined {
  const names: string[] = [];
  const pattern = (template.split(/[?#]/)[0] ?? "").replace(/\{([^{}]*)\}|[\\^$.*+?()[\]{}|]/g, (found, name: string | undefined) => {
    if (name === undefined) return `\\${found}`;
    names.push(name);
    return "([^/]+)";
  });
  const match = new RegExp(`^${basePath}${pattern}$`).exec(pathname);
  return match === null ? undefined : new Map(names.map((name, index) => [name, match[index + 1] ?? ""]));
}

interface Places {
  readonly url: URL;
  readonly headers: SeenRequest["headers"];
  readonly segments: ReadonlyMap<string, string> | undefined;
}

const delimiters: Readonly<Record<string, string>> = { spaceDelimited: " ", pipeDelimited: "|", tabDelimited: "\t" };

/** The simple values inside of a value. */
const leavesOf = (value: unknown): readonly string[] =>
  typeof value === "object" && value !== null ? Object.values(value).flatMap(leavesOf) : [String(value)];

function isSent(
  { name, in: place, style, explode, isJson }: WrittenParameter,
  value: unknown,
  { url, headers, segments }: Places,
): boolean {
  const holdsAll = (text: string): boolean => leavesOf(value).every((leaf) => text.includes(leaf));
  const isSimple = typeof value !== "object" || value === null;
  if (place === "path") {
    const text = decodeURIComponent(segments?.get(name) ?? "");
    return isSimple && style === "simple" ? text === String(value) : holdsAll(text);
  }
  if (place === "header") return holdsAll(String(headers[name.toLowerCase()]));
  if (place === "cookie") return holdsAll(decodeURIComponent(String(headers.cookie)));
  // A copy: jest's arrays have another prototype than Node's own.
  const found = [...url.searchParams.getAll(name)];
  if (isJson) return isDeepStrictEqual(JSON.parse(found[0] ?? "null"), value);
  if (isSimple) return isDeepStrictEqual(found, [String(value)]);
  if (!Array.isArray(value) || value.some((item) => typeof item === "object")) return holdsAll(decodeURIComponent(url.search));
  const items = value.map(String);
  return isDeepStrictEqual(found, explode ? items : [items.join(delimiters[style] ?? ",")]);
}

function isAuthorised({ security }: WrittenOperation, url: URL, headers: SeenRequest["headers"]): boolean {
  const isThere = (scheme: Json): boolean => {
    if (scheme.type === "apiKey" && scheme.in === "query") return url.searchParams.get(String(scheme.name)) === token;
    if (scheme.type === "apiKey" && scheme.in === "cookie") return String(headers.cookie).includes(`${scheme.name}=${token}`);
    if (scheme.type === "apiKey") return headers[String(scheme.name).toLowerCase()] === token;
    const authorization = String(headers.authorization);
    return authorization === `Bearer ${token}` || authorization === `Basic ${Buffer.from(`user:${token}`).toString("base64")}`;
  };
  return security.length === 0 || security.some((schemes) => schemes.every(isThere));
}

/** All arguments that are no parameters are the body. */
async function bodyProblemOf(
  { mediaTypes }: WrittenOperation,
  rest: ReadonlyMap<string, unknown>,
  { headers, body }: SeenRequest,
): Promise<string | undefined> {
  const type = String(headers["content-type"] ?? "");
  if (rest.size === 0) return undefined;
  const essence = type.split(";")[0] ?? "";
  if (!mediaTypes.some((written) => written.includes("*") || written.toLowerCase().startsWith(essence))) return `content-type ${type}`;
  const whole = rest.size === 1 ? (rest.get("body") ?? rest.get("body_")) : undefined;
  if (/[/+]json$/.test(essence)) {
    const parsed: unknown = JSON.parse(body.toString());
    const sent = whole ?? Object.fromEntries([...rest].map(([name, value]) => [worded(name), value]));
    return isDeepStrictEqual(whole === undefined ? byWord(parsed) : parsed, sent) ? undefined : `body ${body}`;
  }
  if (/^(application\/x-www-form|multipart)/.test(essence)) {
    const form = await new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData();
    const names = isRecord(whole) ? Object.keys(whole) : [...rest.keys()];
    const fields = [...form.keys()].map(worded);
    const missing = names.filter((name) => !fields.some((field) => field.startsWith(worded(name))));
    return missing.length === 0 ? undefined : `form without ${missing.join(", ")}`;
  }
  return body.length > 0 ? undefined : "no body";
}

const byWord = (value: unknown): unknown =>
  isRecord(value) ? Object.fromEntries(Object.entries(value).map(([name, member]) => [worded(name), member])) : value;
