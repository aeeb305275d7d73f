import { isIP } from "node:net";
import { kindOf } from "../../schema/internal.js";
import { checkClaims } from "../../storage/internal.js";
import { checkOptionNames, type OptionNames } from "../../tool/internal.js";
import { checkSigningSecret } from "../../redaction/internal.js";
import { hostName } from "./host-names.js";
import type { McpHandlerOptions } from "./mcp-handler.js";
import type { McpHttpOptions } from "./serve-http.js";
import type { McpTransport, ServeMcpOptions } from "./serve-mcp.js";
import type { McpAccess, McpServerOptions } from "./server-options.js";

const serverNames: OptionNames<McpServerOptions> = {
  name: true,
  version: true,
  instructions: true,
  tools: true,
  registry: true,
  profile: true,
  toolContext: true,
  stateSecret: true,
  claims: true,
  onError: true,
  container: true,
  listeners: true,
  maxResultBytes: true,
  attempts: true,
};
const accessNames: OptionNames<McpAccess> = { verify: true, resourceMetadataUrl: true, allowedHosts: true, allowedOrigins: true };
const httpNames: OptionNames<McpHttpOptions> = { port: true, host: true, path: true, ...accessNames };

/** Throws `TypeError` and `RangeError` for what can't be meant, before anything is served. */
export function checkServeOptions(options: ServeMcpOptions, owner: string): void {
  checkNames(options, { ...serverNames, transport: true }, owner);
  checkServed(options, owner);
  const { transport } = options;
  if (transport === "stdio") return;
  if (typeof transport !== "object" || transport === null) {
    throw new TypeError(
      `${owner}: transport must be "stdio", { port: 3000 } to listen, or a transport of the SDK; got ${shown(transport)}.`,
    );
  }
  // A transport of the SDK may have whatever members it likes.
  if (!isTransport(transport)) checkHttp(transport, owner);
}

/** As `checkServeOptions`. */
export function checkHandlerOptions(options: McpHandlerOptions, owner: string): void {
  checkNames(options, { ...serverNames, ...accessNames }, owner);
  checkServed(options, owner);
  checkAccess(options, owner);
}

/** Whether it is one of the SDK, and no HTTP options. */
export const isTransport = (transport: object): transport is McpTransport => "start" in transport && typeof transport.start === "function";

function checkServed(options: McpServerOptions, owner: string): void {
  for (const name of ["name", "version"] as const) {
    if (typeof options[name] === "string" && options[name] !== "") continue;
    throw new TypeError(`${owner}: ${name} must be a string that is sent to clients, got ${shown(options[name])}.`);
  }
  if (options.instructions !== undefined && typeof options.instructions !== "string") {
    throw new TypeError(`${owner}: instructions must be a string, got ${shown(options.instructions)}.`);
  }
  if (options.tools !== undefined && options.registry !== undefined) {
    throw new TypeError(`${owner}: give tools or a registry, not both: it would be unclear which of them is served.`);
  }
  checkFunctions(options, ["toolContext", "onError"], owner);
  // An environment variable that isn't set must not pass for the option that was left out.
  if (Object.hasOwn(options, "stateSecret")) checkSigningSecret(options.stateSecret, `${owner}: stateSecret`);
  checkClaims(options.claims, owner);
}

function checkAccess(access: McpAccess, owner: string): void {
  checkFunctions(access, ["verify"], owner);
  if (Object.hasOwn(access, "verify") && access.verify === undefined) {
    throw new TypeError(
      `${owner}: verify is undefined, so that every request would be served. Pass a function, or leave verify out on purpose.`,
    );
  }
  const { resourceMetadataUrl } = access;
  if (resourceMetadataUrl === undefined || URL.canParse(resourceMetadataUrl)) return;
  throw new TypeError(
    `${owner}: resourceMetadataUrl must be a whole URL, such as "https://tools.example.com/.well-known/oauth-protected-resource/mcp"; got ${shown(resourceMetadataUrl)}.`,
  );
}

function checkHttp(options: McpHttpOptions, owner: string): void {
  checkNames(options, httpNames, `${owner}: transport`);
  const { port, host, path } = options;
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new TypeError(`${owner}: transport.port must be a port, 0 for one that is free; got ${shown(port)}.`);
  }
  if (host !== undefined && (typeof host !== "string" || (isIP(host) === 0 && !hostName.test(host)))) {
    throw new TypeError(
      `${owner}: transport.host must be the address to listen on, without a port, such as "127.0.0.1"; got ${shown(host)}.`,
    );
  }
  // What a URL has otherwise is never asked for.
  if (path !== undefined && (typeof path !== "string" || !path.startsWith("/") || new URL(path, "http://localhost").pathname !== path)) {
    throw new TypeError(`${owner}: transport.path must be a path as it stands in URLs, such as "/mcp"; got ${shown(path)}.`);
  }
  checkAccess(options, owner);
}

function checkNames(options: object, known: Readonly<Record<string, true>>, owner: string): void {
  const misplaced = Object.hasOwn(known, "transport")
    ? Object.keys(options ?? {}).find((name) => Object.hasOwn(httpNames, name))
    : undefined;
  if (misplaced !== undefined) throw new TypeError(`${owner}: unknown option "${misplaced}". Over HTTP, it belongs into transport.`);
  checkOptionNames(options, known, owner);
}

function checkFunctions<Options extends object>(options: Options, names: readonly (keyof Options & string)[], owner: string): void {
  for (const name of names) {
    const value = options[name];
    if (value === undefined || typeof value === "function") continue;
    throw new TypeError(`${owner}: ${name} must be a function, got ${kindOf(value)}.`);
  }
}

const shown = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? JSON.stringify(value) : value === undefined ? "nothing" : kindOf(value);
