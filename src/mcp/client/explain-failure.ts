import { withoutHidden } from "../../redaction/internal.js";
import { McpError } from "./mcp-error.js";
import type { McpServerAddress } from "./mcp-server-address.js";

/** What the SDK's errors have, whichever copy of it made them: `SdkError` has a text as its code, `ProtocolError` a number. */
interface SdkFailure {
  readonly code?: string | number;
  readonly message: string;
  readonly data?: { readonly status?: number };
  readonly cause?: { readonly code?: string; readonly message?: string };
  /** Set if the credentials are valid but lack a scope (RFC 6750, "insufficient_scope"). */
  readonly requiredScope?: string;
}

/** What the connection was needed for. */
export type Undertaking = "start" | "list" | "call";

/** The code of an answer that stands for one that never came: the stream that was to bring it has ended. */
export const streamEnded = -32_000;

/** Longer ones are pages. */
const longestMessage = 500;

const statusOf = (error: unknown): number | undefined => (error as Partial<SdkFailure> | undefined)?.data?.status;

/** What Node's `fetch` throws if no answer came; by its text, since it may be an error of another realm. */
const isNetworkFailure = ({ message }: SdkFailure): boolean => message === "fetch failed";

/** Nothing was sent yet. */
const unreachable: ReadonlySet<string | undefined> = new Set([
  ...["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "UND_ERR_CONNECT_TIMEOUT"],
]);

/** The server has forgotten the session, and hasn't read the request (MCP, "Session Management"). */
export const isForgottenSession = (error: unknown): boolean => statusOf(error) === 404;

/** Whether nothing more can come over this connection. With 400, some servers report a forgotten session, others a bad request. */
export function isLost(error: unknown, hasSession: boolean): boolean {
  const failure = error as SdkFailure;
  return (
    ["CONNECTION_CLOSED", "NOT_CONNECTED"].includes(String(failure.code)) ||
    failure.message === "Not connected" ||
    isForgottenSession(error) ||
    (hasSession && statusOf(error) === 400) ||
    isNetworkFailure(failure)
  );
}

/** Who reads of a failure, and can do something about it. */
export interface FailureReader {
  readonly place: string;
  readonly refused: string;
  readonly unreachable: string;
  readonly nothingThere: string;
}

export const forModel: FailureReader = {
  place: "",
  refused: "Tell the user; trying again doesn't help.",
  unreachable: "Try again later, or tell the user.",
  nothingThere: "Tell the user; trying again doesn't help.",
};

/** Of a URL, the message contains scheme, host and port only. */
export const forDeveloper = (address: McpServerAddress): FailureReader => ({
  place: "url" in address ? ` at ${new URL(address.url).origin}` : "",
  refused:
    'Give mcpToolbox a token that it takes: headers: { authorization: "Bearer ..." }, or a function that gives such headers. It doesn\'t log in by itself.',
  unreachable: "Start it, or correct the url that mcpToolbox is given.",
  nothingThere:
    "Correct the path of the url that mcpToolbox is given: often it is /mcp. A server that offers HTTP with SSE alone, often at /sse, can't be used.",
});

/**
 * The failure in words for its reader. `lastWords` is what the server wrote to its error output, or over HTTP what it wants of who
 * logs in.
 */
export function explainFailure(error: unknown, server: string, during: Undertaking, reader: FailureReader, lastWords = ""): McpError {
  const said = lastWords === "" ? "" : ` It wrote: ${withoutHidden(lastWords)}`;
  return new McpError(`The MCP server "${server}" ${reasonOf(innermost(error as SdkFailure), during, reader)}${said}`, { cause: error });
}

/** The question for the revision fails by whatever else fails. */
const innermost = (failure: SdkFailure): SdkFailure =>
  failure.code === "ERA_NEGOTIATION_FAILED" && failure.cause?.message !== undefined ? (failure.cause as SdkFailure) : failure;

function reasonOf(failure: SdkFailure, during: Undertaking, reader: FailureReader): string {
  const { code, cause } = failure;
  const message = withoutHidden(failure.message).slice(0, longestMessage);
  const status = statusOf(failure);
  if (status === 401 || status === 403) {
    return `refused the request (${status}): its credentials are missing, expired or not enough. ${reader.refused}`;
  }
  if ("requiredScope" in failure) return `refused the request (403): its credentials are not enough. ${message}. ${reader.refused}`;
  if (during === "start" && (status === 404 || status === 405 || code === "CLIENT_HTTP_UNEXPECTED_CONTENT")) {
    return `isn't found${reader.place}: what answers there doesn't speak MCP over "Streamable HTTP" (${status ?? message}). ${reader.nothingThere}`;
  }
  if (status !== undefined) return `answered with status ${status}: ${message}`;
  if (isNetworkFailure(failure) && (during !== "call" || unreachable.has(cause?.code))) {
    return `can't be reached${reader.place} (${cause?.code ?? cause?.message ?? "no reason given"}). ${reader.unreachable}`;
  }
  if (isLost(failure, false) || code === streamEnded) {
    return during === "call"
      ? "ended during the call, which may have taken effect. Check before you call it again; the next call starts the server."
      : "ended before it answered.";
  }
  if (during === "start") return `can't be started: ${message}`;
  return typeof code === "number" ? `answered with error ${code}: ${message}` : `gave no answer that can be used: ${message}`;
}
