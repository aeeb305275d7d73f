import { fillUrl } from "../net/index.js";
import type { HttpRequest } from "./http-exchange.js";
import { HttpError } from "./http-error.js";
import type { RequestPlan } from "./request-plan.js";

/** The arguments of a call by the parameters' names, as the tool's instance holds them. */
export type ArgumentValues = Readonly<Record<string, unknown>>;

/** The request of one call. What is absent or null isn't sent. */
export function buildRequest(plan: RequestPlan, values: ArgumentValues): HttpRequest {
  const { method, origin, headers, response } = plan;
  const { maxBytes, contentTypes } = response;
  const body = plan.body === undefined ? undefined : JSON.stringify(given(plan.body, values));
  return {
    method,
    origin,
    url: withQuery(fillUrl(plan.url, inPath(values)), queryOf(plan.query, values)),
    headers,
    ...(body === undefined ? {} : { body, contentType: "application/json" }),
    ...(maxBytes === undefined ? {} : { maxBytes }),
    ...(contentTypes === undefined ? {} : { contentTypes }),
  };
}

/** The URL with more behind its `?`. */
export const withQuery = (url: string, query: URLSearchParams): string =>
  query.size === 0 ? url : `${url}${url.includes("?") ? "&" : "?"}${query}`;

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

const given = (names: readonly string[], values: ArgumentValues): ArgumentValues =>
  Object.fromEntries(names.filter((name) => isGiven(values[name])).map((name) => [name, values[name]]));

/** `fillUrl` knows no dates. */
const inPath = (values: ArgumentValues): ArgumentValues =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value]));

/** A list becomes one pair for each item, all of the same name. */
function queryOf(names: readonly string[], values: ArgumentValues): URLSearchParams {
  const query = new URLSearchParams();
  for (const name of names) {
    const value = values[name];
    for (const item of Array.isArray(value) ? value : [value]) if (isGiven(item)) query.append(name, textOf(name, item));
  }
  return query;
}

function textOf(name: string, value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "object")
    throw new HttpError(`${name} holds an object or a list, which a query can't. Give texts, numbers or booleans.`);
  return String(value);
}
