import { ToolDefinitionError } from "../tool/index.js";
import { insteadOfName } from "../tool/internal.js";
import type { HttpMethod } from "./http-exchange.js";
import { checkHeaders, type HttpHeaders } from "./headers.js";

/** How the response becomes the tool's result. See docs/08-http-tools.md. */
export interface HttpResponseOptions {
  /** The path of the member that becomes the result: `"data"`, `"data.items"`. Default: the whole response. */
  readonly pick?: string;
  /** The most bytes of a response, decompressed. Default: 5 MiB. */
  readonly maxBytes?: number;
  /** The accepted content types: `"text/html"`, `"application/*+json"`. Default: JSON, plain text, CSV, Markdown, XML, YAML, images and PDF. */
  readonly contentTypes?: readonly string[];
}

/** How to follow the pages of a list, and how many of them to read. See docs/08-http-tools.md. */
export type HttpPaging = {
  /** The most pages to read. Default: 10. */
  readonly maxPages?: number;
  /** The most items to keep. Default: 1,000. */
  readonly maxItems?: number;
} & (
  | {
      /** The next page is in the header `Link` with `rel="next"` (RFC 8288). Only links of the same origin are followed. */
      readonly by: "link";
    }
  | {
      /** The response contains a cursor, which is sent as a query parameter. */
      readonly by: "cursor";
      /** The path of the cursor in the response: `"meta.next_cursor"`. On the last page it is absent, `null` or empty. */
      readonly cursor: string;
      /** The query parameter that carries the cursor: `"after"`. */
      readonly parameter: string;
    }
);

/** How a tool's call becomes a request, and the response its result. See docs/08-http-tools.md. */
export interface HttpOptions {
  /** The HTTP method. Required here or on a base class. */
  readonly method?: HttpMethod;
  /**
   * The whole URL, or a path under `baseUrl` that starts with `/`. `{name}` is replaced by the parameter of this name, encoded,
   * inside its path segment.
   */
  readonly url?: string;
  /** The beginning of the URLs of several tools: set it on a base class. */
  readonly baseUrl?: string;
  /** Parameters that are sent in the query. */
  readonly query?: readonly string[];
  /** Parameters that are sent as members of a JSON body. */
  readonly body?: readonly string[];
  /** Headers of the request. */
  readonly headers?: HttpHeaders;
  /** How the response becomes the result. */
  readonly response?: HttpResponseOptions;
  /** Reads several pages of a list. The result is then an `HttpPages`. */
  readonly paging?: HttpPaging;
}

/** The options of a class and its bases. */
export interface MergedOptions extends Omit<HttpOptions, "headers"> {
  readonly headers: readonly HttpHeaders[];
}

/** What a subclass says replaces what its base says; of headers, those of the same name. */
export function mergeOptions(written: readonly HttpOptions[]): MergedOptions {
  const headers = written.flatMap((options) => (options.headers === undefined ? [] : [options.headers]));
  return { ...(Object.assign({}, ...written) as Omit<HttpOptions, "headers">), headers };
}

const optionNames: Readonly<Record<keyof HttpOptions, true>> = {
  method: true,
  url: true,
  baseUrl: true,
  query: true,
  body: true,
  headers: true,
  response: true,
  paging: true,
};

export const httpOptionNames = Object.keys(optionNames);

const methods: Readonly<Record<HttpMethod, true>> = { GET: true, HEAD: true, POST: true, PUT: true, PATCH: true, DELETE: true };

/** Checks what can be known without the parameters. Throws `ToolDefinitionError`, naming `owner` and the option. */
export function checkOptions(options: HttpOptions, owner: string): void {
  refuseUnknown(options, httpOptionNames, owner);
  const { method, query, body, response, paging } = options;
  if (method !== undefined && !Object.hasOwn(methods, method)) {
    throw new ToolDefinitionError(`${owner}: method must be one of ${Object.keys(methods).join(", ")}, got ${JSON.stringify(method)}.`);
  }
  for (const [name, list] of [
    ["query", query],
    ["body", body],
  ] as const) {
    if (list === undefined || isListOfTexts(list)) continue;
    throw new ToolDefinitionError(`${owner}: ${name} takes the names of parameters, ["expand"], got ${JSON.stringify(list)}.`);
  }
  checkHeaders(options.headers, owner);
  if (response !== undefined) checkResponse(response, `${owner}: response`);
  if (paging !== undefined) checkPaging(paging, `${owner}: paging`);
}

function checkResponse(response: HttpResponseOptions, owner: string): void {
  refuseUnknown(response, ["pick", "maxBytes", "contentTypes"], owner);
  const { pick, maxBytes, contentTypes } = response;
  if (pick !== undefined) checkWay(pick, `${owner}.pick`);
  if (maxBytes !== undefined) checkCount(maxBytes, `${owner}.maxBytes`);
  if (contentTypes !== undefined && !(isListOfTexts(contentTypes) && contentTypes.every((type) => type.includes("/")))) {
    throw new ToolDefinitionError(`${owner}.contentTypes takes media types, ["text/html"], got ${JSON.stringify(contentTypes)}.`);
  }
}

function checkPaging(paging: HttpPaging, owner: string): void {
  const { by, maxPages, maxItems } = paging;
  if (by !== "link" && by !== "cursor") {
    throw new ToolDefinitionError(`${owner}.by must be "link" or "cursor", got ${JSON.stringify(by)}.`);
  }
  refuseUnknown(paging, ["by", "maxPages", "maxItems", ...(by === "cursor" ? ["cursor", "parameter"] : [])], owner);
  if (maxPages !== undefined) checkCount(maxPages, `${owner}.maxPages`);
  if (maxItems !== undefined) checkCount(maxItems, `${owner}.maxItems`);
  if (by === "link") return;
  checkWay(paging.cursor, `${owner}.cursor`);
  if (typeof paging.parameter !== "string" || paging.parameter === "") {
    throw new ToolDefinitionError(
      `${owner}.parameter must name the query parameter that takes the cursor, got ${JSON.stringify(paging.parameter)}.`,
    );
  }
}

function refuseUnknown(written: object, known: readonly string[], owner: string): void {
  const name = Object.keys(written).find((key) => !known.includes(key));
  if (name !== undefined) throw new ToolDefinitionError(`${owner}: unknown option "${name}". ${insteadOfName(name, known)}`);
}

function checkWay(way: unknown, owner: string): void {
  if (typeof way === "string" && way.split(".").every((name) => name !== "")) return;
  throw new ToolDefinitionError(`${owner} must be names joined by dots, "data.items", got ${JSON.stringify(way)}.`);
}

function checkCount(count: unknown, owner: string): void {
  if (Number.isSafeInteger(count) && (count as number) >= 1) return;
  throw new ToolDefinitionError(`${owner} must be a whole number from 1, got ${JSON.stringify(count)}.`);
}

const isListOfTexts = (list: unknown): list is readonly string[] =>
  Array.isArray(list) && list.every((item) => typeof item === "string" && item !== "");
