import { isPublicUrl } from "../../../net/index.js";
import { ToolDefinitionError } from "../../../tool/index.js";
import { memberOf, textOf, textsOf } from "./read-value.js";
import { isRecord } from "../../../schema/internal.js";
import type { OpenApiDocument, Part } from "./open-api-document.js";
import { cut, type FoundOperation } from "../operation/operations.js";
import { Refusal } from "../operation/operation-refusal.js";

/** A URL that an operation's path is added to, without a slash at its end. Throws `ToolDefinitionError`. */
export function readBaseUrl(baseUrl: string): string {
  const read = baseOf(baseUrl);
  if (read === undefined) {
    throw new ToolDefinitionError(
      `openApiToolbox: baseUrl is ${JSON.stringify(baseUrl)}, but must be a whole URL such as "https://api.example.com/v1", without user, query and fragment.`,
    );
  }
  return read;
}

/**
 * The base URL of an operation: from its own servers, those of its path, or those of the document. A document isn't trusted to
 * lead into the application's own network. Throws `Refusal`.
 */
export function serverOf(document: OpenApiDocument, { part, item }: FoundOperation): string {
  const written = document.version === "2.0" ? hostOf(document.root.value, part.value) : firstServer(document, [part, item, document.root]);
  if (written === undefined) throw new Refusal('the document names no server. Pass its URL: baseUrl: "https://api.example.com".');
  // Most operations have one server, whose URL isn't parsed for each.
  const server = document.servers.get(written) ?? readServer(written);
  document.servers.set(written, server);
  if (server instanceof Refusal) throw server;
  return server;
}

function readServer(written: string): string | Refusal {
  const base = baseOf(written);
  if (base === undefined)
    return new Refusal(`its server is "${cut(written, 100)}", which isn't a complete URL. Pass one: baseUrl: "https://api.example.com".`);
  if (isPublicUrl(base)) return base;
  return new Refusal(`its server is ${base}, a private address that a document may not choose. If you mean it: baseUrl: "${base}".`);
}

function baseOf(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, username, password, host, pathname, search, hash } = new URL(text);
  const isPlain = /^https?:$/.test(protocol) && username === "" && password === "" && search === "" && hash === "";
  return isPlain && !/[{}]|%7[bd]/i.test(text) ? `${protocol}//${host}${pathname.replace(/(?<!\/)\/+$/, "")}` : undefined;
}

/** Longer URLs can't be asked for. */
const longestUrl = 8_192;

/** OpenAPI 3, "Server Object": the first one, with the defaults of its variables. */
function firstServer(document: OpenApiDocument, holders: readonly Part[]): string | undefined {
  for (const holder of holders) {
    const servers = document.member(holder, "servers");
    const first: unknown = Array.isArray(servers.value) ? servers.value[0] : undefined;
    const { value } = document.follow({ value: first, file: servers.file });
    if (!isRecord(value)) continue;
    const known = writtenUrls.get(value) ?? writtenUrl(value);
    if (known === undefined) continue;
    writtenUrls.set(value, known);
    return known;
  }
  return undefined;
}

const writtenUrls = new WeakMap<object, string>();

function writtenUrl(server: object): string | undefined {
  const variables = memberOf(server, "variables");
  let room = longestUrl;
  return textOf(memberOf(server, "url"))
    ?.slice(0, longestUrl)
    .replace(/\{([^{}]*)\}/g, (placeholder, name: string) => {
      const value = memberOf(memberOf(variables, name), "default");
      if (value === undefined || typeof value === "object") return placeholder;
      const text = String(value).slice(0, room);
      room -= text.length;
      return text;
    });
}

/** OpenAPI 2.0: `schemes`, `host` and `basePath`; `https` if it is offered. */
function hostOf(root: unknown, operation: unknown): string | undefined {
  const host = textOf(memberOf(root, "host"));
  if (host === undefined) return undefined;
  const own = textsOf(memberOf(operation, "schemes"));
  const schemes = own.length > 0 ? own : textsOf(memberOf(root, "schemes"));
  const scheme = schemes.length === 0 || schemes.includes("https") ? "https" : schemes[0];
  return `${scheme}://${host}${textOf(memberOf(root, "basePath")) ?? ""}`.slice(0, longestUrl);
}
