import { fillUrl, NetworkError } from "../net/index.js";
import type { JsonSchema } from "../schema/index.js";
import { ToolDefinitionError } from "../tool/index.js";
import { insteadOfName } from "../tool/internal.js";
import type { HttpMethod } from "./http-exchange.js";
import type { HttpHeaders } from "./headers.js";
import type { HttpPaging, HttpResponseOptions, MergedOptions } from "./http-options.js";

/** The place of each parameter, and everything else that is the same for every call. */
export interface RequestPlan {
  readonly method: HttpMethod;
  /** The whole URL with its placeholders, and its origin. */
  readonly url: string;
  readonly origin: string;
  readonly query: readonly string[];
  /** `undefined` if the request has no body. */
  readonly body: readonly string[] | undefined;
  readonly headers: readonly HttpHeaders[];
  readonly response: HttpResponseOptions;
  readonly paging: HttpPaging | undefined;
}

/** RFC 9110: a body of GET or HEAD means nothing, and one of DELETE little. */
const methodsWithBody: readonly HttpMethod[] = ["POST", "PUT", "PATCH"];

/**
 * Gives every parameter its place: in the path if it is a placeholder, and in the query or the body if it is named there. The others go to
 * the body of POST, PUT and PATCH if none is named, else to the query. Throws `ToolDefinitionError`.
 */
export function planRequest(options: MergedOptions, parameters: JsonSchema, owner: string): RequestPlan {
  const { method, response = {}, paging, headers } = options;
  if (method === undefined) throw new ToolDefinitionError(`${owner}: @http says no method. Write it: method: "GET".`);
  const { url, origin, placeholders } = readTemplate(options, owner);
  const properties = (parameters.properties ?? {}) as Readonly<Record<string, JsonSchema>>;
  const names = Object.keys(properties);
  const { query = [], body } = options;
  for (const [place, listed] of [
    ["url", placeholders],
    ["query", query],
    ["body", body ?? []],
  ] as const) {
    for (const name of listed) {
      if (names.includes(name)) continue;
      const known = names.length === 0 ? "It has no parameters." : insteadOfName(name, names);
      throw new ToolDefinitionError(`${owner}: ${place}: "${name}" isn't a parameter. ${known}`);
    }
  }
  refuseTwoPlaces([...placeholders, ...new Set(query), ...new Set(body)], owner);
  for (const name of placeholders) checkPlaceholder(name, properties[name] ?? {}, parameters.required ?? [], owner);
  if (body !== undefined && (method === "GET" || method === "HEAD")) {
    throw new ToolDefinitionError(`${owner}: body: ${method} requests have none. Put ${JSON.stringify(body)} into query, or use POST.`);
  }
  const rest = names.filter((name) => !placeholders.includes(name) && !query.includes(name) && body?.includes(name) !== true);
  const restInBody = body === undefined && methodsWithBody.includes(method);
  const inQuery = restInBody ? query : [...query, ...rest];
  const inBody = restInBody ? rest : (body ?? []);
  for (const name of inQuery) checkQueryParameter(name, properties[name] ?? {}, owner);
  checkPaging(paging, method, names, owner);
  return { method, url, origin, query: inQuery, body: inBody.length === 0 ? undefined : inBody, headers, response, paging };
}

interface Template {
  readonly url: string;
  readonly origin: string;
  /** Each once. */
  readonly placeholders: readonly string[];
}

function readTemplate({ url, baseUrl }: MergedOptions, owner: string): Template {
  // What a URL without a path asks for is "/".
  const whole = wholeUrl(url, baseUrl, owner).replace(/^([a-z]+:\/\/[^/?#]+)(?=[?#]|$)/i, "$1/");
  const placeholders = [...new Set([...whole.matchAll(/\{([^{}]*)\}/g)].map(([, name = ""]) => name))];
  const refuse = (problem: string): ToolDefinitionError => new ToolDefinitionError(`${owner}: url: ${problem}`);
  if (placeholders.includes("") || /[{}]/.test(whole.replace(/\{[^{}]*\}/g, ""))) {
    throw refuse("a placeholder is written {name}, with the name of a parameter.");
  }
  if (whole.includes("#")) throw refuse("what stands behind # is never sent. Leave it out.");
  const { origin } = new URL(filled(whole, placeholders, refuse));
  return { url: whole, origin, placeholders };
}

function filled(whole: string, placeholders: readonly string[], refuse: (problem: string) => ToolDefinitionError): string {
  let url: string;
  try {
    url = fillUrl(whole, Object.fromEntries(placeholders.map((name) => [name, "x"])));
  } catch (error) {
    throw error instanceof NetworkError ? refuse(error.message) : error;
  }
  if (!URL.canParse(url)) throw refuse("it isn't one. Write the whole of it, such as https://api.example.com/orders/{orderNumber}.");
  const { protocol, username, password } = new URL(url);
  if (protocol !== "https:" && protocol !== "http:") throw refuse(`it must begin with https:// or http://, not with ${protocol}//.`);
  // Error messages never quote them: they are credentials.
  if (username !== "" || password !== "")
    throw refuse('it holds a user name or password. Write headers: { authorization: basic("user", secret("...")) }.');
  return url;
}

function wholeUrl(url: unknown, baseUrl: unknown, owner: string): string {
  for (const [name, value] of Object.entries({ url, baseUrl })) {
    if (value !== undefined && typeof value !== "string") {
      throw new ToolDefinitionError(`${owner}: ${name} must be a string, got ${value === null ? "null" : typeof value}.`);
    }
  }
  if (typeof url !== "string") {
    throw new ToolDefinitionError(`${owner}: @http says no url. Write it: url: "https://api.example.com/orders/{orderNumber}".`);
  }
  if (typeof baseUrl !== "string") {
    if (!url.startsWith("/")) return url;
    throw new ToolDefinitionError(`${owner}: url: "${url}" is only a path. Write the whole URL, or give its beginning as baseUrl.`);
  }
  if (/[?#]/.test(baseUrl))
    throw new ToolDefinitionError(`${owner}: baseUrl: it ends before ? and #. Write these behind the path, in url.`);
  if (url.startsWith("/")) return baseUrl.replace(/(?<!\/)\/+$/, "") + url;
  throw new ToolDefinitionError(
    `${owner}: url: it stands behind baseUrl, so it begins with "/". A tool of another service extends HttpTool: it must not send what is meant for this one.`,
  );
}

function refuseTwoPlaces(placed: readonly string[], owner: string): void {
  const twice = placed.find((name, index) => placed.indexOf(name) !== index);
  if (twice === undefined) return;
  throw new ToolDefinitionError(`${owner}.${twice}: it is sent in two places. Name it in the url, in query or in body, once.`);
}

function checkPlaceholder(name: string, schema: JsonSchema, required: readonly string[], owner: string): void {
  if (!required.includes(name) && schema.default === undefined) {
    throw new ToolDefinitionError(
      `${owner}.${name}: it is part of the URL's path, so every call needs it. Write @required, or give it a default.`,
    );
  }
  refuseTypes(name, schema, ["array", "object"], "a path segment holds", "Send it in query or body", owner);
}

function checkQueryParameter(name: string, schema: JsonSchema, owner: string): void {
  refuseTypes(name, schema, ["object"], "a query holds", "Send it in the body, or take its members as parameters", owner);
  const { items } = schema;
  if (typeof items === "object" && !Array.isArray(items)) {
    refuseTypes(name, items as JsonSchema, ["object", "array"], "a query holds lists of", "Send it in the body", owner);
  }
}

function refuseTypes(name: string, { type }: JsonSchema, refused: readonly string[], holder: string, fix: string, owner: string): void {
  if (typeof type !== "string" || !refused.includes(type)) return;
  throw new ToolDefinitionError(`${owner}.${name}: ${holder} texts, numbers and booleans, but its type is ${type}. ${fix}.`);
}

function checkPaging(paging: HttpPaging | undefined, method: HttpMethod, names: readonly string[], owner: string): void {
  if (paging === undefined) return;
  if (method !== "GET") throw new ToolDefinitionError(`${owner}: paging: pages are read by GET, not by ${method}.`);
  if (paging.by === "cursor" && names.includes(paging.parameter)) {
    throw new ToolDefinitionError(`${owner}.${paging.parameter}: paging fills it with the cursor, so it can't be a parameter. Remove it.`);
  }
}
