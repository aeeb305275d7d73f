import { isIPv6 } from "node:net";
import { ModelError } from "../model-error.js";

const defaultPort = 11_434;

/**
 * The base URL of the Ollama server for OpenAI's chat completions: as Ollama's own client reads `OLLAMA_HOST` (envconfig, `Host`), a
 * host, `host:port`, `:port` or a URL. An address that a server listens on for all its networks is this machine's.
 */
export function ollamaUrl(): string {
  const setting = (process.env.OLLAMA_HOST ?? "").trim().replace(/^["']|["']$/g, "");
  const text = /^https?:\/\//i.test(setting) ? setting : `http://${withPort(setting)}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    // The setting itself is not shown: it may hold a password.
    throw new ModelError(
      "ollama",
      'OLLAMA_HOST isn\'t the address of a server. Set it to a host, a host with port, or a URL, such as "http://192.168.1.20:11434".',
      { retryable: false, misconfigured: true },
    );
  }
  const host = url.host.replace(/^0\.0\.0\.0(?=:|$)/, "127.0.0.1").replace(/^\[::\]/, "[::1]");
  return `${url.protocol}//${host}${url.pathname.replace(/(?<!\/)\/+$/, "")}/v1`;
}

/** A host without scheme has Ollama's port; one that is a bare IPv6 address gets its brackets. */
function withPort(setting: string): string {
  const slash = setting.indexOf("/");
  const host = slash < 0 ? setting : setting.slice(0, slash);
  const path = setting.slice(host.length);
  if (host === "") return `localhost:${defaultPort}${path}`;
  if (/^:\d+$/.test(host)) return `localhost${host}${path}`;
  if (isIPv6(host)) return `[${host}]:${defaultPort}${path}`;
  return /:\d+$/.test(host) && !host.endsWith("]") ? host + path : `${host}:${defaultPort}${path}`;
}
