import { inspect } from "node:util";
import { redactText } from "../../redaction/index.js";
import { fieldsOf } from "../fields.js";
import { ModelError } from "../model-error.js";
import { errorIn, type ProviderError, parsed } from "./provider-error.js";

/**
 * What is read of the errors of `@ai-sdk/provider`, of Node's network errors, and of the error objects that providers
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
  /** Text; an object of OpenAI's package, if the provider answered 200 with an error. */
  readonly responseBody?: unknown;
  /** The value that doesn't fit (`TypeValidationError`). */
  readonly value?: unknown;
  /** The answer without content (`InvalidResponseDataError`). */
  readonly data?: unknown;
}

const networkFault = /^(ECONN|ENOTFOUND|EAI_AGAIN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|UND_ERR_)/;
/**
 * Faults that pass, by the words of OpenAI, Anthropic, Gemini and those compatible with them. Groq's `tool_use_failed` and
 * `json_validate_failed` mean that the model wrote a call or an answer that can't be read: the next attempt may do better.
 */
const passingFault =
  /overloaded|rate_limit|server_error|^api_error$|internal_error|^internal$|timeout|deadline_exceeded|unavailable|resource_exhausted|^(tool_use|json_validate)_failed$/i;
/** Faults of the request or the account, which the same request meets again. */
const lastingFault =
  /invalid|auth|permission|forbidden|denied|not_found|unsupported|quota|billing|payment|too_large|too_long|context_length|filter|policy|moderation/i;
/** The errors of `@ai-sdk/provider` for a key, or another setting, that is missing or no text. */
const missingSetting: ReadonlySet<string | undefined> = new Set(["AI_LoadAPIKeyError", "AI_LoadSettingError"]);
/** The errors for an answer that isn't in the form of the provider's API. */
const unreadableAnswer: ReadonlySet<string | undefined> = new Set([
  "AI_TypeValidationError",
  "AI_JSONParseError",
  "AI_InvalidResponseDataError",
  "AI_EmptyResponseBodyError",
  "AI_NoContentGeneratedError",
]);
/** How a provider package itself fails over such an answer. */
const packageFault = /is not iterable|Cannot read propert|is not a function/;
/** The message of `@ai-sdk/openai-compatible` if a stream ends early. */
const cutOffMessage = "Response stream ended without a finish reason.";

/** The error of a provider, of the network or of the SDK as a `ModelError` that carries no key and no header. */
export const toModelError = (modelId: string, error: unknown): ModelError => describedError(modelId, error, asShape(error));

/** The error that a provider sent with status 200, in the body of its answer. */
export const answerError = (modelId: string, body: unknown): ModelError => describedError(modelId, body, { statusCode: 200, value: body });

function describedError(modelId: string, error: unknown, shape: ErrorShape): ModelError {
  const { isRetryable, responseHeaders, responseBody } = shape;
  const said = saidIn(shape);
  const isNetwork = causes(error).some(isNetworkFault);
  const isPackageFault = error instanceof TypeError && packageFault.test(error.message);
  const isUnreadable = !isNetwork && ((shape.statusCode ?? 500) < 300 || unreadableAnswer.has(shape.name) || isPackageFault);
  const statusCode = isUnreadable ? (said.status ?? shape.statusCode) : (shape.statusCode ?? statusOf(shape));
  const words = wordsOf(shape, statusCode === undefined || statusCode < 300 || statusCode === 400 ? said : {});
  const passes = words.some((word) => passingFault.test(word)) || statusPasses(statusCode);
  const lasts = !passes && (words.some((word) => lastingFault.test(word)) || (statusCode ?? 0) >= 400);
  // A provider that sends an error or nonsense in place of its answer may answer the next time.
  const isWithinAnswer = isUnreadable || !(error instanceof Error) || shape.message === cutOffMessage;
  const outOfCredit = [...words, responseBody].some((text) => typeof text === "string" && text.includes("insufficient_quota"));
  const wait = retryAfter(responseHeaders);
  // A proxy may echo the key that it refused.
  const text =
    redactText(isUnreadable ? unreadableText(shape, said) : (shape.message ?? textOf(error))) + refusedConnection(modelId, error);
  return new ModelError(modelId, `${modelId}: ${statusCode === undefined ? "" : `HTTP ${statusCode}: `}${text}`, {
    cause: error,
    misconfigured: causes(error).some(({ name }) => missingSetting.has(name)),
    retryable: !outOfCredit && (isRetryable === true || passes || isNetwork || (isWithinAnswer && !lasts)),
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

/** A provider's error event may hold the error one level down, and the body of an error of Anthropic's package another error. */
function asShape(error: unknown): ErrorShape {
  if (typeof error !== "object" || error === null) return {};
  const { error: inner, message, responseBody } = error as ErrorShape;
  const wrapped = fieldsOf(parsed(responseBody));
  if (unreadableAnswer.has(wrapped.name as string)) return wrapped;
  return message === undefined && typeof inner === "object" && inner !== null ? inner : error;
}

/** The error object that the provider sent, in whatever the package kept of its answer. */
const saidIn = ({ responseBody, value, data }: ErrorShape): ProviderError =>
  errorIn(parsed(responseBody)) ?? errorIn(value) ?? errorIn(data) ?? {};

const wordsOf = ({ type, code }: ErrorShape, said: ProviderError): readonly string[] =>
  [type, code, ...(said.words ?? [])].filter((word) => typeof word === "string");

function unreadableText({ message, responseBody, value, data }: ErrorShape, said: ProviderError): string {
  if (said.message !== undefined) return said.message;
  const answer = responseBody ?? value ?? data;
  if (answer === undefined && value !== null) return message ?? "the answer can't be read";
  const shown = typeof answer === "string" ? answer : JSON.stringify(answer ?? null);
  return `the answer isn't in the form of the provider's API: ${shown === "" ? "it is empty" : shown.slice(0, 200)}`;
}

/** OpenAI-compatible servers send the status as the error's code. */
const statusOf = ({ code }: ErrorShape): number | undefined => (typeof code === "number" && code >= 400 && code < 600 ? code : undefined);

const statusPasses = (status = 0): boolean => status === 408 || status === 429 || status >= 500;

const textOf = (error: unknown): string => (typeof error === "string" ? error : inspect(error, { breakLength: Number.POSITIVE_INFINITY }));

/** The error and what caused it, outermost first; five deep, so that a cycle ends. */
function causes(error: unknown): ErrorShape[] {
  const chain: ErrorShape[] = [];
  for (let next = error; typeof next === "object" && next !== null && chain.length < 5; next = asShape(next).cause) chain.push(next);
  return chain;
}

/** Node's fetch throws `TypeError("terminated")` if a connection breaks inside a body. */
const isNetworkFault = ({ code, message }: ErrorShape): boolean =>
  (typeof code === "string" && networkFault.test(code)) || message === "terminated" || message === "fetch failed";

/** Milliseconds from `retry-after-ms` (OpenAI) or `Retry-After` (seconds or a date, RFC 9110, 10.2.3). */
function retryAfter(headers: Readonly<Record<string, string>> = {}): number | undefined {
  const milliseconds = Number.parseFloat(headers["retry-after-ms"] ?? "");
  if (milliseconds >= 0) return milliseconds;
  const value = headers["retry-after"]?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1_000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}
