import { inspect } from "node:util";
import { redactText } from "../../tool/index.js";
import { ModelError } from "../model-error.js";

/**
 * What is read of `APICallError` of `@ai-sdk/provider`, of Node's network errors, and of the error objects that providers
 * send within a stream. Any of it may be absent.
 */
interface ErrorShape {
  readonly name?: string;
  readonly message?: string;
  /** A provider's word (`server_error`) or HTTP status, or Node's name of a network fault. */
  readonly code?: string | number | null;
  /** A provider's word for the kind of its error: `overloaded_error`. */
  readonly type?: string | null;
  readonly error?: unknown;
  readonly cause?: unknown;
  readonly statusCode?: number;
  readonly isRetryable?: boolean;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  readonly responseBody?: string;
}

const networkFault = /^(ECONN|ENOTFOUND|EAI_AGAIN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|UND_ERR_)/;
/** Faults of the provider's own that pass, by the words of OpenAI, Anthropic and those compatible with them. */
const passingFault = /overloaded|rate_limit|server_error|^api_error$|internal_error|timeout|unavailable/i;
/** The errors of `@ai-sdk/provider` for a key, or another setting, that is missing or no text. */
const missingSetting: ReadonlySet<string | undefined> = new Set(["AI_LoadAPIKeyError", "AI_LoadSettingError"]);
/** What `@ai-sdk/openai-compatible` says where a stream ends early. */
const cutOffMessage = "Response stream ended without a finish reason.";

/** The error of a provider, of the network or of the SDK as a `ModelError` that carries no key and no header. */
export function toModelError(modelId: string, error: unknown): ModelError {
  const shape = asShape(error);
  const { statusCode = statusIn(shape), isRetryable, responseHeaders, responseBody, type, code } = shape;
  const message = shape.message ?? textOf(error);
  // A proxy may echo the key that it refused.
  const text = redactText(message) + refusedConnection(modelId, error);
  const cutOff = message === cutOffMessage || (statusCode !== undefined && statusCode < 300 && !isJson(responseBody));
  const passes = [type, code].some((word) => typeof word === "string" && passingFault.test(word)) || statusPasses(statusCode);
  const outOfCredit = [type, code, responseBody].some((text) => typeof text === "string" && text.includes("insufficient_quota"));
  const wait = retryAfter(responseHeaders);
  return new ModelError(modelId, `${modelId}: ${statusCode === undefined ? "" : `HTTP ${statusCode}: `}${text}`, {
    cause: error,
    misconfigured: causes(error).some(({ name }) => missingSetting.has(name)),
    retryable: !outOfCredit && (isRetryable === true || passes || cutOff || causes(error).some(isNetworkFault)),
    ...(statusCode !== undefined && { status: statusCode }),
    ...(wait !== undefined && { retryAfter: wait }),
  });
}

/** Behind fetch's "fetch failed": nothing listens at the address. A server of one's own is then mostly not started. */
function refusedConnection(modelId: string, error: unknown): string {
  if (!causes(error).some(({ code }) => code === "ECONNREFUSED")) return "";
  const reason = ": the connection was refused.";
  if (modelId.startsWith("ollama/")) return `${reason} Is Ollama running? Start it with "ollama serve", or set OLLAMA_HOST to its address.`;
  return modelId.startsWith("openai-compatible/") ? `${reason} Is the server running? Start it, or correct the model's URL.` : reason;
}

/** A provider's error event may hold the error one level down. */
function asShape(error: unknown): ErrorShape {
  if (typeof error !== "object" || error === null) return {};
  const { error: inner, message } = error as ErrorShape;
  return message === undefined && typeof inner === "object" && inner !== null ? inner : error;
}

/** OpenAI-compatible servers send the status as the error's code. */
const statusIn = ({ code }: ErrorShape): number | undefined => (typeof code === "number" && code >= 400 && code < 600 ? code : undefined);

const statusPasses = (status = 0): boolean => status === 408 || status === 429 || status >= 500;

const textOf = (error: unknown): string => (typeof error === "string" ? error : inspect(error, { breakLength: Number.POSITIVE_INFINITY }));

/** The error and what caused it, outermost first; five deep, so that a cycle ends. */
function causes(error: unknown): ErrorShape[] {
  const chain: ErrorShape[] = [];
  for (let next = error; typeof next === "object" && next !== null && chain.length < 5; next = asShape(next).cause) chain.push(next);
  return chain;
}

/** Node's fetch throws `TypeError("terminated")` where a connection breaks inside a body. */
const isNetworkFault = ({ code, message }: ErrorShape): boolean =>
  (typeof code === "string" && networkFault.test(code)) || message === "terminated" || message === "fetch failed";

function isJson(body: string | undefined): boolean {
  if (body === undefined) return false;
  try {
    JSON.parse(body);
    return true;
  } catch {
    return false;
  }
}

/** Milliseconds from `retry-after-ms` (OpenAI) or `Retry-After` (seconds or a date, RFC 9110, 10.2.3). */
function retryAfter(headers: Readonly<Record<string, string>> = {}): number | undefined {
  const milliseconds = Number.parseFloat(headers["retry-after-ms"] ?? "");
  if (milliseconds >= 0) return milliseconds;
  const value = headers["retry-after"]?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1_000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}
