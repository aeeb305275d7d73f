import type { ToolRunnableConfig } from "@langchain/core/tools";
import { answerValue, declinedText, deniedText, editedNote } from "../../confirmation/internal.js";
import { PreparedCall } from "../../execution/index.js";
import { type ToolFailure, ToolInterrupt } from "../../tool/index.js";
import type { AdaptedTool, OpenedCall, ToolAdapter } from "../adapter/tool-adapter.js";
import { askInGraph } from "./ask-in-graph.js";
import { confirmationRequestOf } from "./confirmation-request.js";

/** A call that is decided: it may run, or has failed. */
export interface DecidedCall {
  readonly prepared: PreparedCall | ToolFailure;
  /** What the model reads before the result. */
  readonly note: string;
}

/** Checks a call, and asks a person if its tool requires it. Throws an interrupt if it waits for the answer. */
export async function decideCall(
  adapter: ToolAdapter<ToolRunnableConfig>,
  tool: AdaptedTool,
  call: OpenedCall,
  canPause: boolean,
): Promise<DecidedCall> {
  const prepared = await adapter.prepare(tool, call, false);
  if (!(prepared instanceof PreparedCall) || !prepared.requiresConfirmation) return { prepared, note: "" };
  if (!canPause) throw new ToolInterrupt(prepared.name, prepared.id, cannotPause(prepared.name), confirmationRequestOf(prepared));
  const decision = await askInGraph(prepared);
  switch (decision.decision) {
    case "deny":
      return { prepared: denied(prepared, decision.reason), note: "" };
    case "answer":
      prepared.answer = { value: answerValue(decision.callId, decision.value) };
      return { prepared, note: "" };
    case "approve":
      // What was shown is what runs: reading the arguments again could make others of them.
      prepared.requiresConfirmation = false;
      return { prepared, note: "" };
    case "approve_edited": {
      const edited = { ...call, input: decision.arguments };
      return { prepared: await adapter.prepare(tool, edited, true), note: editedNote(decision.arguments) };
    }
  }
}

const cannotPause = (tool: string): string =>
  `Tool '${tool}' waits for confirmation, and nothing here can pause for it. Call it in a graph of LangGraph that is compiled with a checkpointer.`;

const denied = ({ name, definition }: PreparedCall, reason: string | undefined): ToolFailure => ({
  tool: name,
  fetchedAt: new Date().toISOString(),
  error: definition.answeredBy === undefined ? deniedText(reason) : declinedText(reason),
  errorType: "confirmation_denied",
});
