import type { CallToolRequest, CallToolResult, ClientCapabilities, InputRequiredResult, ServerContext } from "@modelcontextprotocol/server";
import { PreparedCall } from "../../execution/index.js";
import { executeUnread } from "../../execution/internal.js";
import { ToolInterrupt } from "../../tool/index.js";
import { isInterrupt } from "../../tool/internal.js";
import { callResult, failedCall } from "./written-call-result.js";
import type { Confirmations } from "./confirmations.js";
import type { Sdk } from "./load-server.js";
import type { OpenedRequest, ServedApplication } from "./served-application.js";

/** Answers `tools/call` through the executor. */
export async function callTool(
  { params }: CallToolRequest,
  context: ServerContext,
  opened: OpenedRequest,
  capabilities: ClientCapabilities | undefined,
  {
    sdk,
    application,
    confirmations,
  }: { readonly sdk: Sdk; readonly application: ServedApplication; readonly confirmations: Confirmations },
): Promise<CallToolResult | InputRequiredResult> {
  const { executor } = opened.tools;
  const toolClass = opened.tools.find(params.name);
  // Bad arguments and failures are results, which a model can correct; an unknown name is an error of the protocol (revision 2026-07-28, "Error Handling").
  const unknown = (): Error => new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name.slice(0, 200)}`);
  if (toolClass === undefined) throw unknown();
  const request = { id: String(context.mcpReq.id), name: toolClass.definition.name, arguments: params.arguments ?? {} };
  const scope = application.scopeOf(opened, context.mcpReq.signal);
  const sent = request.arguments;
  const prepared = await executor.prepare(request, scope, { decided: false, asked: confirmations.askedIn(context, sent) });
  if (prepared instanceof PreparedCall && prepared.requiresConfirmation) {
    const answer = await confirmations.settle(prepared, { user: opened.user, sent }, context, capabilities);
    if (answer !== undefined) return answer;
    // What was shown is what runs: reading the arguments again could make others of them.
    prepared.requiresConfirmation = false;
  }
  if (!(prepared instanceof PreparedCall)) {
    // What the caller may not call doesn't exist for them.
    if (prepared.errorType === "unknown_tool") throw unknown();
    return callResult(toolClass, prepared);
  }
  const unfollow = application.progress.follow(scope.runId, context);
  try {
    return callResult(toolClass, await executeUnread(executor, prepared));
  } catch (error) {
    if (isInterrupt(error)) return failedCall(interrupted(error));
    throw error;
  } finally {
    unfollow();
  }
}

/** Only what the client called itself can be asked about: the tool has begun, and a question would mean to run it again. */
const interrupted = (error: unknown): string =>
  error instanceof ToolInterrupt
    ? `Not finished: it calls '${error.toolName}', which needs a person's confirmation. Call that tool by itself, if it is listed.`
    : "Not finished: the tool waits for something outside, which can't be waited for here.";
