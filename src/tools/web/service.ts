import { explainStatus, GuardedClient } from "../../net/index.js";
import { parseKeepingDigits } from "../../schema/internal.js";
import { redactText } from "../../redaction/index.js";
import { ToolDefinitionError } from "../../tool/index.js";
import { valueWithoutHidden, withoutHidden } from "../../redaction/internal.js";
import { WebError } from "./web-error.js";

/** Query and headers of a request to a search engine. */
export interface ServiceRequest {
  readonly query: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * A client for a service whose URL the application wrote: its host is meant, also if it is private, and no redirect leads
 * to another private one. Error messages say what the model should do.
 */
export class Service {
  readonly #name: string;
  readonly #url: URL;
  readonly #whenRefused: string;
  readonly #client: GuardedClient;

  /** `whenRefused`: what it means that the service answers 401 or 403. Throws `ToolDefinitionError` for a URL that can't be asked. */
  constructor(name: string, url: string, whenRefused: string) {
    this.#name = name;
    this.#url = readUrl(name, url);
    this.#whenRefused = whenRefused;
    const port = this.#url.port || (this.#url.protocol === "http:" ? "80" : "443");
    this.#client = new GuardedClient({ allowedHosts: [`${this.#url.hostname}:${port}`] });
  }

  /** The JSON that the service answers. Throws `WebError`, `NetworkError`, or the signal's reason. */
  async ask({ query, headers = {} }: ServiceRequest, abortSignal: AbortSignal): Promise<unknown> {
    const url = new URL(this.#url);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const response = await this.#client.fetch(url.href, {
      headers: { accept: "application/json", ...headers },
      contentTypes: ["application/json", "application/*+json"],
      abortSignal,
    });
    if (!response.ok) {
      throw new WebError(explainStatus(response, { service: this.#name, whenRefused: this.#whenRefused, hide }));
    }
    return valueWithoutHidden(response.json(parseKeepingDigits));
  }
}

/** Errors don't quote the URL, which may hold a key. */
function readUrl(name: string, text: string): URL {
  if (!URL.canParse(text) || !/^https?:/i.test(text)) {
    throw new ToolDefinitionError(`${name}: the url isn't one. Write the whole of it, such as https://example.com/api.`);
  }
  const url = new URL(text);
  if (url.username !== "" || url.password !== "") {
    throw new ToolDefinitionError(`${name}: the url holds a user name or a password, which isn't sent. Leave it out.`);
  }
  return url;
}

const hide = (text: string): string => redactText(withoutHidden(text));

/** A member of a value whose shape isn't known. */
export const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;

/** A list inside an answer, by the names that lead to it; empty if there is none. */
export function listIn(answer: unknown, ...names: readonly string[]): readonly unknown[] {
  const found = names.reduce(memberOf, answer);
  return Array.isArray(found) ? found : [];
}
