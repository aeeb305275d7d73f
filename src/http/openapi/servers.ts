import { isPublicUrl } from "../../net/index.js";
import { ToolDefinitionError } from "../../tool/index.js";
import { memberOf, textOf, textsOf } from "./foreign.js";
import type { OpenApiDocument, Part } from "./open-api-document.js";
import type { FoundOperation } from "./operations.js";
import { Refusal } from "./refusal.js";

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
 * Where an operation is served, by its own servers, those of its path, or those of the document. A document isn't trusted to
 * lead into the application's own network. Throws `Refusal`.
 */
export function serverOf(document: OpenApiDocument, { part, item }: FoundOperation): string {
  const written = document.version === "2.0" ? hostOf(document.root.value, part.value) : firstServer(document, [part, item, document.root]);
  if (written === undefined) throw new Refusal('the document names no server. Say where it is: baseUrl: "https://api.example.com".');
  const base = baseOf(written);
  if (base === undefined)
    throw new Refusal(`its server is "${written}", which is no whole URL. Say where it is: baseUrl: "https://api.example.com".`);
  if (!isPublicUrl(base)) {
    throw new Refusal(`its server is ${base}, a private address that a document may not choose. If you mean it: baseUrl: "${base}".`);
  }
  return base;
}

function baseOf(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, username, password, host, pathname, search, hash } = new URL(text);
  const isPlain = /^https?:$/.test(protocol) && username === "" && password === "" && search === "" && hash === "";
  return isPlain && !/[{}]|%7[bd]/i.test(text) ? `${protocol}//${host}${pathname.replace(/\/+$/, "")}` : undefined;
}

/** OpenAPI 3, "Server Object": the first one, with the defaults of its variables. */
function firstServer(document: OpenApiDocument, holders: readonly Part[]): string | undefined {
  for (const holder of holders) {
    const [server] = document.items(document.member(holder, "servers"));
    const url = textOf(memberOf(server?.value, "url"));
    if (url === undefined) continue;
    const variables = memberOf(server?.value, "variables");
    return url.replace(/\{([^{}]*)\}/g, (placeholder, name: string) => {
      const value = memberOf(memberOf(variables, name), "default");
      return value === undefined ? placeholder : String(value);
    });
  }
  return undefined;
}

/** OpenAPI 2.0: `schemes`, `host` and `basePath`; `https` where it is offered. */
function hostOf(root: unknown, operation: unknown): string | undefined {
  const host = textOf(memberOf(root, "host"));
  if (host === undefined) return undefined;
  const own = textsOf(memberOf(operation, "schemes"));
  const schemes = own.length > 0 ? own : textsOf(memberOf(root, "schemes"));
  const scheme = schemes.length === 0 || schemes.includes("https") ? "https" : schemes[0];
  return `${scheme}://${host}${textOf(memberOf(root, "basePath")) ?? ""}`;
}
