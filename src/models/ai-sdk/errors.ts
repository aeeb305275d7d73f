import { redactText } from "../../tool/index.js";
import { ModelError } from "../model-error.js";

/** What is read of `APICallError` of `@ai-sdk/provider` and of Node's network errors. Any of it may be absent. */
interface ErrorShape {
  readonly message?: string;
  readonly code?: string;
  readonly cause?: unknown;
  readonly statusCode?: number;
  readonly isRetryable?: boolean;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  readonly responseBody?: string;
}

const networkFault = /^(ECONN|ENOTFOUND|EAI_AGAIN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|UND_ERR_)/;

/** The error of a provider, of the network or of the SDK as a `ModelError` that carries no key and no header. */
export function toModelError(modelId: string, error: unknown): ModelError {
  const { message = String(error), statusCode, isRetryable, responseHeaders, responseBody } = asShape(error);
  // A proxy may echo the key that it refused.
  const text = redactText(message);
  const cutOff = statusCode !== undefined && statusCode < 300 && !isJson(responseBody);
  const outOfCredit = responseBody?.includes("insufficient_quota") ?? false;
  const wait = retryAfter(responseHeaders);
  return new ModelError(modelId, `${modelId}: ${statusCode === undefined ? "" : `HTTP ${statusCode}: `}${text}`, {
    cause: error,
    retryable: !outOfCredit && (isRetryable === true || cutOff || causes(error).some(isNetworkFault)),
    ...(statusCode !== undefined && { status: statusCode }),
    ...(wait !== undefined && { retryAfter: wait }),
  });
}

const asShape = (error: unknown): ErrorShape => (typeof error === "object" && error !== null ? error : {});

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
