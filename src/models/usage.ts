import type { TokenUsage } from "./chat-model.js";

/** A usage of 0 tokens: for a model that doesn't count them, and as the start of a sum. See docs/03-agents.md. */
export const noUsage: TokenUsage = Object.freeze({ inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, reasoningTokens: 0 });

/** Adds the tokens of two model calls: `usages.reduce(addUsage, noUsage)`. See docs/03-agents.md. */
export function addUsage(a: TokenUsage, b: TokenUsage): TokenUsage {
  const sum = {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
    reasoningTokens: a.reasoningTokens + b.reasoningTokens,
  };
  const written = a.cacheWriteInputTokens ?? b.cacheWriteInputTokens;
  if (written === undefined) return sum;
  return { ...sum, cacheWriteInputTokens: (a.cacheWriteInputTokens ?? 0) + (b.cacheWriteInputTokens ?? 0) };
}
