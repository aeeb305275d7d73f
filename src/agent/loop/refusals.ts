import type { ChatResponse, ToolCall } from "../../models/index.js";
import { deniedText } from "../confirmation/decided-text.js";
import type { Gate } from "./gate.js";
import type { LoopLimits } from "./limits.js";
import type { CallResult, LoopState, LoopStep, Spent } from "./loop-state.js";

export const atStepLimit = ({ limits, step, spent }: LoopState): boolean =>
  limits.steps !== null && step - spent.stepsBefore >= limits.steps;

export const overTokens = ({ limits, usage, spent }: LoopState): boolean =>
  limits.tokens !== null && usage.inputTokens + usage.outputTokens - spent.tokensBefore >= limits.tokens;

/** The step with all its calls refused for one reason. */
export const refuseAll = ({ text, finishReason, usage, toolCalls: calls }: ChatResponse, content: string): LoopStep => ({
  text,
  finishReason,
  usage,
  calls,
  results: calls.map((): CallResult => ({ content, errorType: "cancelled" })),
});

/** Where the answer hit the limit of output tokens, a call whose arguments are no complete JSON must not run. */
export function isCutOff(call: ToolCall): boolean {
  try {
    JSON.parse(call.arguments);
    return false;
  } catch {
    return true;
  }
}

export const truncated: CallResult = Object.freeze({
  content:
    "Invalid arguments: the call was cut off by the limit of output tokens before its arguments were complete. Call again with shorter arguments.",
  errorType: "validation_error",
});

/** Counts the calls of an answer, and refuses those whose tool was called often enough. */
export function countCalls(
  calls: readonly ToolCall[],
  { spent, limits }: LoopState,
): { readonly spent: Spent; readonly refusals: readonly (CallResult | null)[] } {
  const counts: Record<string, number> = { ...spent.calls };
  let { refusedTool } = spent;
  const refusals = calls.map(({ name }) => {
    const limit = callLimit(name, limits);
    const count = (Object.hasOwn(counts, name) ? (counts[name] ?? 0) : 0) + 1;
    if (limit === undefined || count <= limit) {
      counts[name] = count;
      return null;
    }
    refusedTool ??= name;
    return { content: `Not run: the budget of ${limit} calls of this tool is used up.`, errorType: "cancelled" };
  });
  return { spent: { ...spent, calls: counts, refusedTool }, refusals };
}

function callLimit(tool: string, { callsPerTool }: LoopLimits): number | undefined {
  if (callsPerTool === null || typeof callsPerTool === "number") return callsPerTool ?? undefined;
  return Object.hasOwn(callsPerTool, tool) ? callsPerTool[tool] : undefined;
}

/** What the model reads of a call that a person refused; `null` where it was approved, or a sub-agent reads it. */
export function denied(gate: Gate | undefined): CallResult | null {
  const decision = gate?.subRun === undefined ? gate?.decisions[0] : undefined;
  if (decision?.decision !== "deny") return null;
  return { content: deniedText(decision.reason), errorType: "confirmation_denied" };
}
