import type { AiSdkMessage, AiSdkResult, AiSdkUsage } from "./language-model.js";
import { pausedParts } from "./replayed-metadata.js";

/** How often a turn may be continued. */
export const pauseLimit = 8;

/**
 * Anthropic paused the turn, or compacted the history and was asked to pause behind it: https://docs.claude.com/en/api/handling-stop-reasons.
 * Packages of the specification v2 don't report it.
 */
export const isPaused = ({ finishReason }: AiSdkResult): boolean =>
  typeof finishReason === "object" && (finishReason.raw === "pause_turn" || finishReason.raw === "compaction");

/** The request with the answer so far. */
export const resumedPrompt = (prompt: readonly AiSdkMessage[], { content }: AiSdkResult): AiSdkMessage[] => [
  ...prompt,
  { role: "assistant", content: pausedParts(content) },
];

/** The answer so far and what follows it, as one answer. */
export const joined = (paused: AiSdkResult, next: AiSdkResult): AiSdkResult => ({
  ...next,
  content: [...paused.content, ...next.content],
  usage: {
    inputTokens: sumOf(paused.usage.inputTokens, next.usage.inputTokens),
    outputTokens: sumOf(paused.usage.outputTokens, next.usage.outputTokens),
  },
});

/** Objects of counts: packages that count in plain numbers don't report a pause. */
function sumOf<Count extends AiSdkUsage["inputTokens"] | AiSdkUsage["outputTokens"]>(one: Count, other: Count): Count {
  if (typeof one !== "object" || typeof other !== "object") return other ?? one;
  const counts = one as Readonly<Record<string, number | undefined>>;
  const sum = Object.entries(other as Readonly<Record<string, number | undefined>>).map(([name, count]) => {
    const before = counts[name];
    return [name, count === undefined ? before : count + (before ?? 0)];
  });
  // The names of the counts stay the same.
  return { ...one, ...Object.fromEntries(sum) } as Count;
}
