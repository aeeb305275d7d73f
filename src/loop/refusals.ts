import type { ChatResponse, ToolCall } from "../models/index.js";
import { cutOffText, isCutOff } from "../models/internal.js";
import { declinedText, deniedText, isQuestion } from "../confirmation/internal.js";
import type { Gate } from "./gate.js";
import type { LoopLimits } from "./limits.js";
import type { CallResult, LoopState, LoopStep, Spent } from "./loop-state.js";

export const atStepLimit = ({ limits, step, spent }: LoopState): boolean =>
  limits.steps !== null && step - spent.stepsBefore >= limits.steps;

export const overTokens = ({ limits, usage, spent }: LoopState): boolean =>
  limits.tokens !== null && usage.inputTokens + usage.outputTokens - spent.tokensBefore >= limits.tokens;

/** The step with all its calls refused for one reason. */
export const refuseAll = (response: ChatResponse, content: string): LoopStep =>
  answeredStep(
    response,
    response.toolCalls.map((): CallResult => ({ content, errorType: "cancelled" })),
  );

/** The step of an answer. */
export function answeredStep(response: ChatResponse, results: LoopStep["results"]): LoopStep {
  const { text, finishReason, usage, toolCalls: calls, providerCalls, sources } = response;
  const step = { text, finishReason, usage, calls, results };
  if (providerCalls === undefined && sources === undefined) return step;
  return Object.assign(step, providerCalls && { providerCalls }, sources && { sources });
}

const truncated: CallResult = Object.freeze({ content: cutOffText, errorType: "validation_error" });

/** The results of an answer's calls before any has run: `null`, except for those that the limit of output tokens cut off. */
export const uncutCalls = ({ finishReason, toolCalls }: ChatResponse): LoopStep["results"] =>
  toolCalls.map(({ arguments: text }, index) =>
    finishReason === "length" && isCutOff(text, index === toolCalls.length - 1) ? truncated : null,
  );

/** Counts the open calls of an answer, and refuses those whose tool was called often enough. */
export function countCalls(
  calls: readonly ToolCall[],
  results: LoopStep["results"],
  { spent, limits }: LoopState,
): { readonly spent: Spent; readonly results: LoopStep["results"] } {
  const counts: Record<string, number> = { ...spent.calls };
  let { refusedTool } = spent;
  const counted = calls.map(({ name }, index): CallResult | null => {
    const result = results[index] ?? null;
    if (result !== null) return result;
    const limit = callLimit(name, limits);
    const count = (Object.hasOwn(counts, name) ? (counts[name] ?? 0) : 0) + 1;
    if (limit === undefined || count <= limit) {
      counts[name] = count;
      return null;
    }
    refusedTool ??= name;
    return { content: `Not run: the budget of ${limit} calls of this tool is used up.`, errorType: "cancelled" };
  });
  return { spent: { ...spent, calls: counts, refusedTool }, results: counted };
}

/** Counts the calls that the provider ran: the run ends after the step if there were too many. */
export function countProviderCalls({ providerCalls = [] }: ChatResponse, { spent, limits }: LoopState): Spent {
  if (providerCalls.length === 0) return spent;
  const counts = new Map(Object.entries(spent.calls));
  let { refusedTool } = spent;
  for (const { name } of providerCalls) {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    const limit = callLimit(name, limits);
    if (limit !== undefined && count > limit) refusedTool ??= name;
  }
  return { ...spent, calls: Object.fromEntries(counts), refusedTool };
}

function callLimit(tool: string, { callsPerTool }: LoopLimits): number | undefined {
  if (callsPerTool === null || typeof callsPerTool === "number") return callsPerTool ?? undefined;
  return Object.hasOwn(callsPerTool, tool) ? callsPerTool[tool] : undefined;
}

/** What the model reads of a call that a person refused; `null` if it was approved, or a sub-agent reads it. */
export function denied(gate: Gate | undefined): CallResult | null {
  const decision = gate?.subRun === undefined ? gate?.decisions[0] : undefined;
  if (decision?.decision !== "deny") return null;
  const content = gate?.confirmations.some(isQuestion) ? declinedText(decision.reason) : deniedText(decision.reason, gate?.begun);
  return { content, errorType: "confirmation_denied" };
}
