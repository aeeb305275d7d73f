import { NetworkError, readHeaders } from "../net/index.js";
import { isSecretName } from "../redaction/index.js";
import { ToolDefinitionError, type ToolContext } from "../tool/index.js";
import { hiderOf } from "../redaction/internal.js";
import { HttpError } from "./http-error.js";
import { holdsSecretText, Secret } from "./secret.js";

/** Headers by name. A header that is `undefined` isn't sent. */
export type HeaderValues = Readonly<Record<string, string | Secret | undefined>>;

/**
 * The headers of a request: fixed values, secrets, or a function of the context for values that belong to one user.
 *
 * A model never writes a header. Values that a function returns are redacted like secrets. See docs/08-http-tools.md.
 */
export type HttpHeaders = HeaderValues | ((context: ToolContext) => HeaderValues | Promise<HeaderValues>);

/** Headers with their values, and what takes these out of a text. */
export interface ResolvedHeaders {
  readonly headers: Readonly<Record<string, string>>;
  readonly hide: (text: string) => string;
}

/** Reads the secrets and asks the functions; of a name that is given twice, the later one holds. */
export async function resolveHeaders(written: readonly HttpHeaders[], context: ToolContext): Promise<ResolvedHeaders> {
  const headers: Record<string, string> = {};
  const hidden: string[] = [];
  for (const group of written) {
    const ofUser = typeof group === "function";
    const values = ofUser ? await group(context) : group;
    for (const [name, value] of Object.entries(values)) {
      if (value === undefined) continue;
      const text = value instanceof Secret ? await value.read() : value;
      const problem = typeof text === "string" ? textProblem(name, text) : "is no text";
      if (problem !== undefined) throw new HttpError(`The request wasn't sent: the header ${JSON.stringify(name)} ${problem}.`);
      headers[name.toLowerCase()] = text;
      if (ofUser || value instanceof Secret || isSecretName(name)) hidden.push(withoutScheme(text));
    }
  }
  return { headers, hide: hiderOf(hidden) };
}

/** A service may quote the token of `Bearer token` alone. */
const withoutScheme = (value: string): string => /^[\w-]+ (.{8,})$/.exec(value)?.[1] ?? value;

const textProblem = (name: string, text: string): string | undefined =>
  holdsSecretText(text)
    ? `holds a secret's name. Write ${JSON.stringify(name)}: bearer(secret("...")), or basic("user", secret("..."))`
    : undefined;

/** Checks what can be known of headers before a request is made. Throws `ToolDefinitionError`, which never quotes a value. */
export function checkHeaders(headers: unknown, owner: string): void {
  if (headers === undefined || typeof headers === "function") return;
  if (typeof headers !== "object" || headers === null || Array.isArray(headers) || headers instanceof Secret) {
    throw new ToolDefinitionError(
      `${owner}: headers takes an object, { "x-api-key": secret("ORDERS_TOKEN") }, or a function of the context.`,
    );
  }
  for (const [name, value] of Object.entries(headers)) {
    const problem = headerProblem(name, value);
    if (problem !== undefined) throw new ToolDefinitionError(`${owner}: headers: ${problem}`);
  }
}

function headerProblem(name: string, value: unknown): string | undefined {
  if (value !== undefined && typeof value !== "string" && !(value instanceof Secret)) {
    return `${JSON.stringify(name)} must be a string or a secret, got ${typeof value}.`;
  }
  try {
    readHeaders({ [name]: typeof value === "string" ? value : "" });
  } catch (error) {
    if (error instanceof NetworkError) return error.message;
    throw error;
  }
  const problem = typeof value === "string" ? textProblem(name, value) : undefined;
  return problem === undefined ? undefined : `${JSON.stringify(name)} ${problem}.`;
}
