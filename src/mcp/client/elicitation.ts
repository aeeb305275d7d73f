import type { ElicitRequest, ElicitRequestFormParams, ElicitResult, InputRequests, InputResponses } from "@modelcontextprotocol/client";
import { acceptSchema, type JsonSchema } from "../../schema/index.js";
import { isRecord } from "../../schema/internal.js";
import type { ToolContext } from "../../tool/index.js";
import { loggedError, withoutHidden } from "../../redaction/internal.js";
import { withVisibleTexts } from "../../tool/internal.js";
import { loadSdk } from "./load-sdk.js";
import { McpError } from "./mcp-error.js";

/** What an MCP server asks the user during a call (MCP elicitation, form mode). See docs/12-mcp.md. */
export interface McpElicitation {
  /** The server's text. Display it with the name of the server, so that it can't pass for yours. */
  readonly message: string;
  /** The form: a JSON Schema of an object whose properties are strings, numbers, booleans and choices. */
  readonly requestedSchema: JsonSchema;
  /**
   * The call during which the server asks. Absent if several calls are in progress on a server of a revision before 2026-07-28:
   * such a server doesn't say which call it means.
   */
  readonly call?: {
    /** The tool's name, with the prefix. */
    readonly tool: string;
    /** Its `userId` is the user to ask. Its `abortSignal` aborts when the answer would be too late. */
    readonly context: ToolContext;
  };
}

export type CallUnderWay = NonNullable<McpElicitation["call"]>;

/** What the user entered, by property name. */
export type McpElicitationAnswer = Readonly<Record<string, string | number | boolean | string[]>>;

/** Asks the user and returns what they entered, or `undefined` if they decline. */
export type OnMcpElicitation = (
  elicitation: McpElicitation,
) => McpElicitationAnswer | undefined | Promise<McpElicitationAnswer | undefined>;

/** Passes a question to the application. Errors of the application go to the log of the calls, never to the server. */
export async function elicit(
  { message, requestedSchema }: ElicitRequestFormParams,
  calls: readonly CallUnderWay[],
  onElicitation: OnMcpElicitation,
): Promise<ElicitResult> {
  const [call, ...others] = calls;
  // A late question, or one that belongs to no call.
  if (call === undefined) return { action: "cancel" };
  try {
    const answer = await onElicitation({
      message: withoutHidden(message),
      requestedSchema: acceptSchema(withVisibleTexts(requestedSchema), { owner: "requestedSchema" }),
      ...(others.length === 0 && { call }),
    });
    if (answer === undefined) return { action: "decline" };
    if (!isRecord(answer)) throw new TypeError("onElicitation must return what the user entered, as an object, or undefined to decline.");
    return { action: "accept", content: { ...answer } };
  } catch (error) {
    for (const { tool, context } of calls) context.log.error(`A question of ${tool} couldn't be put: ${loggedError(error)}`);
    return { action: "cancel" };
  }
}

/** Answers what a call needs to go on (revision 2026-07-28, "Multi Round-Trip Requests"). Throws `McpError` for what isn't offered. */
export async function answersTo(
  requests: InputRequests,
  call: CallUnderWay,
  server: string,
  onElicitation: OnMcpElicitation | undefined,
): Promise<InputResponses> {
  const { specTypeSchemas } = await loadSdk();
  const answers: [key: string, answer: ElicitResult][] = [];
  // One after the other: a person answers them.
  for (const [key, request] of Object.entries(requests)) {
    // The SDK doesn't validate these requests.
    const read = await specTypeSchemas.ElicitRequest["~standard"].validate(request);
    const params = read.issues === undefined ? read.value.params : undefined;
    if (params === undefined || params.mode === "url" || onElicitation === undefined) {
      throw new McpError(`The MCP server "${server}" ${notOffered(params)} Tell the user.`);
    }
    answers.push([key, await elicit(params, [call], onElicitation)]);
  }
  return Object.fromEntries(answers);
}

/** Longer ones are pages. */
const longestMessage = 500;

function notOffered(asked: ElicitRequest["params"] | undefined): string {
  if (asked === undefined) return "wants something amid the call that isn't offered here (a model, a folder, or what can't be read).";
  const message = withoutHidden(asked.message).slice(0, longestMessage);
  if (asked.mode === "url") return `wants the user to open a page first, which isn't offered here: ${message}`;
  return `asks the user amid the call, and the application passes no questions on (onElicitation of mcpToolbox): ${message}`;
}
