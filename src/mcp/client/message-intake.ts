import { type BrokenResponse, brokenResponse } from "./broken-response.js";
import { isRecord, mayHoldLongIntegers, parseKeepingDigits } from "../../schema/internal.js";
import type { Sdk } from "./load-sdk.js";

type Fields = Readonly<Record<string, unknown>>;

/** JSON-RPC 2.0, "Error object": an internal error, for an error that says no code. */
const internalError = -32_603;

export interface IncomingMessages {
  readonly messages: readonly unknown[];
  /** Whether the text is one message that needed no change. */
  readonly isAsSent: boolean;
}

/**
 * The messages of a JSON text in the form that the SDK accepts, with the digits of long integers in structured content. The SDK drops a
 * message with an odd member (`_meta: null`, `error: null` beside a result), and its call would wait until its deadline. A response that
 * can't be read becomes an error response. Throws `SyntaxError` for other text than JSON. `idOf`: the id of a response that isn't JSON.
 */
export function readMessages(text: string, sdk: Sdk, idOf = ({ id }: BrokenResponse) => id): IncomingMessages {
  let sent: unknown;
  try {
    sent = JSON.parse(text);
  } catch (error) {
    const broken = brokenResponse(text);
    const id = broken && idOf(broken);
    if (id === undefined) throw error;
    return { messages: [brokenAnswer(id, text)], isAsSent: false };
  }
  // Up to the revision 2025-03-26, several may come as one list.
  const messages = [sent].flat(1).map((message) => acceptable(message, sdk));
  if (messages.some(isStructured) && mayHoldLongIntegers(text)) {
    const whole = [parseKeepingDigits(text)].flat(1);
    return { messages: messages.map((message, index) => withDigits(message, whole[index])), isAsSent: false };
  }
  return { messages, isAsSent: messages[0] === sent };
}

type Structured = Fields & { readonly result: Fields };

const isStructured = (message: unknown): message is Structured =>
  isRecord(message) && isRecord(message.result) && "structuredContent" in message.result;

/** Structured content alone: elsewhere the protocol has numbers. */
function withDigits(message: unknown, whole: unknown): unknown {
  if (!isStructured(message)) return message;
  const { structuredContent } = (whole as Structured).result;
  return { ...message, result: { ...message.result, structuredContent } };
}

function acceptable(message: unknown, sdk: Sdk): unknown {
  if (!isRecord(message) || isPlain(message) || isAccepted(message, sdk)) return message;
  const { id, method } = message;
  if (typeof method === "string") return { ...message, params: withoutOddMeta(message.params) };
  // What has no id answers no call: an OAuth error, for one.
  if (typeof id !== "string" && typeof id !== "number") return message;
  const response = { jsonrpc: "2.0", id, ...outcomeOf(message) };
  return isAccepted(response, sdk) ? response : { jsonrpc: "2.0", id, error: unreadable };
}

const plainMembers: ReadonlySet<string> = new Set(["jsonrpc", "id", "result", "method", "params"]);

/** Whether nothing in a message can be odd. The SDK reads every member of a message, and does so itself: most need no look before. */
function isPlain(message: Fields): boolean {
  const { jsonrpc, id, result, method, params } = message;
  if (jsonrpc !== "2.0" || !Object.keys(message).every((name) => plainMembers.has(name))) return false;
  const isNamed = typeof id === "string" || Number.isSafeInteger(id);
  if (method === undefined && params === undefined) return isNamed && isRecord(result) && !("_meta" in result);
  const isCall = typeof method === "string" && result === undefined && (isNamed || !("id" in message));
  return isCall && (params === undefined || (isRecord(params) && !("_meta" in params)));
}

const isAccepted = (message: unknown, sdk: Sdk): boolean =>
  sdk.specTypeSchemas.JSONRPCMessage["~standard"].validate(message).issues === undefined;

const longestQuote = 100;

/** The answer to a request whose own answer can't be read. It quotes the text that came. */
export function brokenAnswer(id: number | string, text: string): unknown {
  const quote = text.length > longestQuote ? `${text.slice(0, longestQuote)}...` : text;
  const fault = isJson(text) ? "has no id of a request" : "isn't JSON, and can't be read";
  return { jsonrpc: "2.0", id, error: { code: internalError, message: `The response ${fault}: ${quote.trim()}` } };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const unreadable = { code: internalError, message: "The response isn't as the protocol wants it, and can't be read." };

function outcomeOf({ result, error }: Fields): Fields {
  if (error === undefined || error === null) return isRecord(result) ? { result: withoutOddMeta(result) } : { error: unreadable };
  const { code, message, data } = isRecord(error) ? error : { message: error };
  return {
    error: {
      code: Number.isSafeInteger(code) ? code : internalError,
      message: typeof message === "string" ? message : JSON.stringify(message ?? error),
      ...(data !== undefined && { data }),
    },
  };
}

/** Nothing of `_meta` is shown to a model. */
function withoutOddMeta(fields: unknown): Fields | undefined {
  if (!isRecord(fields)) return undefined;
  const { _meta, ...others } = fields;
  return isRecord(_meta) ? fields : others;
}
