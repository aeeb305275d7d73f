import type { IncomingHttpHeaders } from "node:http";
import { explainStatus, GuardedClient, type GuardedRequest, type GuardedResponse, NetworkError } from "../net/index.js";
import { parseKeepingDigits } from "../schema/internal.js";
import { redactText } from "../redaction/index.js";
import { type Attachment, file, image, type ToolContext } from "../tool/index.js";
import { essenceOfMediaType, fileNameInUrl, isShownToModels, longestTimer } from "../tool/internal.js";
import { mapTexts, withoutHidden } from "../redaction/internal.js";
import { type HttpHeaders, resolveHeaders } from "./headers.js";
import { HttpError } from "./http-error.js";

/** The HTTP methods that a tool may use. */
export type HttpMethod = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";

/** One request of a tool. */
export interface HttpRequest {
  readonly method: HttpMethod;
  /** Scheme, host and port as the application wrote them: it means this host, also if it is private. */
  readonly origin: string;
  /** The origin was written by somebody else, such as the author of a document: it is asked only if it is public. */
  readonly mustBePublic?: boolean;
  /** The whole URL, filled with arguments. One of another origin is refused. */
  readonly url: string;
  /** Those of later groups hold. */
  readonly headers?: readonly HttpHeaders[];
  readonly body?: string | Uint8Array;
  /** Of the body. */
  readonly contentType?: string;
  /** The maximum size of a response in bytes, decompressed. Default: 5 MiB. */
  readonly maxBytes?: number;
  /** The accepted content types of a response: `text/csv`, `application/*+json`. Default: JSON, texts, images and PDFs. */
  readonly contentTypes?: readonly string[];
}

/** What a service answered, with a status of success (2xx). */
export interface HttpAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** The URL of the response, after redirects. */
  readonly url: string;
  /** JSON as its value, an image or a PDF as an attachment, else the text; `undefined` if the body is empty. */
  readonly data: unknown;
}

/** HTML must be requested explicitly: in reply to a request for JSON, it is usually a login page. */
const readableTypes: readonly string[] = [
  ...["application/json", "application/*+json", "text/plain", "text/csv", "text/markdown"],
  ...["application/xml", "application/*+xml", "text/xml", "application/yaml", "text/yaml"],
  ...["image/png", "image/jpeg", "image/jpg", "image/gif", "image/webp", "application/pdf"],
];

const clients = new Map<string, GuardedClient>();
const publicClient = new GuardedClient();

/**
 * Sends one request for a tool. Each error message says what the model should do, and contains no header: the values of secrets and of
 * headers for one user are redacted from the response.
 *
 * Throws `HttpError`, `NetworkError`, or the reason of the context's `abortSignal`.
 */
export async function exchange(request: HttpRequest, context: ToolContext): Promise<HttpAnswer> {
  const { method, origin, url, body, contentType, maxBytes } = request;
  const { abortSignal } = context;
  const { host, origin: target } = new URL(url);
  if (target !== origin) throw new HttpError(`The request wasn't sent: it would have left ${origin}. Change the arguments.`);
  const { headers, hide: hideSecrets } = await resolveHeaders(request.headers ?? [], context);
  // In this order: a hidden character within a secret would hide it from those who look for it.
  const hide = (text: string): string => hideSecrets(withoutHidden(text));
  abortSignal.throwIfAborted();
  const sent: GuardedRequest = {
    ...(body === undefined ? {} : { body }),
    method,
    headers: {
      accept: "application/json, */*;q=0.5",
      ...(contentType === undefined ? {} : { "content-type": contentType }),
      ...headers,
    },
    contentTypes: request.contentTypes ?? readableTypes,
    ...(maxBytes === undefined ? {} : { maxBytes }),
    // The deadline of the tool holds, through its signal.
    timeout: longestTimer,
    abortSignal,
  };
  try {
    const client = request.mustBePublic ? publicClient : clientOf(origin);
    const response = await client.fetch(url, sent);
    if (!response.ok) throw failureOf(response, method, host, (text) => redactText(hide(text)));
    const { status, headers: answered, url: answeredAt } = response;
    const data = shownFile(response) ?? mapTexts(readData(response), hide);
    return { status, headers: answered, url: answeredAt, data };
  } catch (error) {
    // It may name a type or a host that the service made of what it got.
    throw error instanceof NetworkError ? new NetworkError(error.code, hide(error.message)) : error;
  }
}

/** What a tool gives of an answer. Nothing at all would read as a failure. */
export const dataOf = ({ data, status }: HttpAnswer): unknown => (data === undefined ? `Done (${status}). The answer is empty.` : data);

/** Clients are kept by origin: each allows this one alone, and its connections are used again. */
function clientOf(origin: string): GuardedClient {
  let client = clients.get(origin);
  if (client === undefined) {
    const { hostname, port, protocol } = new URL(origin);
    client = new GuardedClient({ allowedHosts: [`${hostname}:${port || (protocol === "http:" ? "80" : "443")}`] });
    clients.set(origin, client);
  }
  return client;
}

/** A repeated request of these may take effect twice. */
const notRepeatable: readonly HttpMethod[] = ["POST", "PATCH"];

function failureOf(response: GuardedResponse, method: HttpMethod, service: string, hide: (text: string) => string): HttpError {
  const { status } = response;
  const whenRefused =
    status === 401 ? "it doesn't accept the application's credentials." : "with the application's credentials this isn't allowed.";
  const explanation = explainStatus(response, { service, whenRefused, hide });
  const caution =
    status >= 500 && notRepeatable.includes(method) ? " It may have been done all the same: find out before you repeat it." : "";
  return new HttpError(explanation + caution, status);
}

/** An image or a PDF, which a model reads as such. Its bytes are no text that could hold a secret. */
function shownFile({ body, contentType, url }: GuardedResponse): Attachment | undefined {
  if (body.length === 0 || !isShownToModels(contentType)) return undefined;
  if (essenceOfMediaType(contentType).startsWith("image/")) return image(body, contentType);
  return file(body, contentType, fileNameInUrl(url));
}

function readData(response: GuardedResponse): unknown {
  if (response.body.length === 0) return undefined;
  return /[/+]json$/.test(response.contentType) ? response.json(parseKeepingDigits) : response.text();
}
