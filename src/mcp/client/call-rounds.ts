import { setTimeout as sleep } from "node:timers/promises";
import type {
  CallToolRequest,
  CallToolRequestOptions,
  CallToolResult,
  InputRequiredResult,
  InputResponses,
  Tool,
} from "@modelcontextprotocol/client";
import { withoutHidden } from "../../redaction/internal.js";
import { longestTimer } from "../../tool/internal.js";
import { answersTo, type CallUnderWay, type OnMcpElicitation } from "./elicitation.js";
import { McpError } from "./mcp-error.js";

/** Revision 2026-07-28, "Multi Round-Trip Requests". */
interface CallAnswers {
  readonly inputResponses?: InputResponses;
  /** As the server gave it. */
  readonly requestState?: string;
}

/** How often a server may ask amid one call. */
const mostRounds = 10;

/** Milliseconds before a call is made again that the server put off without a question. */
const pauseOfPutOff = 250;

/** Makes a call, answers what the server asks amid it, and makes it again with the answers. */
export async function callInRounds(
  call: CallUnderWay,
  { name, inputSchema }: Tool,
  input: Record<string, unknown>,
  server: {
    readonly name: string;
    readonly onElicitation: OnMcpElicitation | undefined;
    readonly request: (
      params: CallToolRequest["params"] & CallAnswers,
      options: CallToolRequestOptions & { readonly allowInputRequired: true },
    ) => Promise<CallToolResult | InputRequiredResult>;
  },
): Promise<CallToolResult> {
  const { context } = call;
  const first = { name, arguments: input };
  let params: CallToolRequest["params"] & CallAnswers = first;
  for (let round = 0; round <= mostRounds; round += 1) {
    const result = await server.request(params, {
      signal: context.abortSignal,
      // The tool's own deadline ends a call.
      timeout: longestTimer,
      onprogress: ({ progress, total, message }) => context.progress(fractionOf(progress, total), message && withoutHidden(message)),
      // Without an output schema, because the executor checks results.
      toolDefinition: { name, inputSchema },
      allowInputRequired: true,
    });
    if (!isInputRequired(result)) return result;
    params = { ...first, ...(await answersFor(result)) };
  }
  throw new McpError(`The MCP server "${server.name}" asked ${mostRounds} times during one call, and didn't finish. Tell the user.`);

  /** What the call is made again with. */
  async function answersFor({ inputRequests = {}, requestState }: InputRequiredResult): Promise<CallAnswers> {
    const state = requestState === undefined ? {} : { requestState };
    if (Object.keys(inputRequests).length > 0)
      return { ...state, inputResponses: await answersTo(inputRequests, call, server.name, server.onElicitation) };
    await sleep(pauseOfPutOff, undefined, { signal: context.abortSignal });
    return state;
  }
}

/** Of a total that isn't known yet, nothing; servers count beyond theirs, too. */
const fractionOf = (progress: number, total: number | undefined): number =>
  total === undefined || total <= 0 ? 0 : Math.min(1, Math.max(0, progress / total));

const isInputRequired = (result: CallToolResult | InputRequiredResult): result is InputRequiredResult =>
  result.resultType === "input_required";
