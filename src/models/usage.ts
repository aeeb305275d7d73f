import type { TokenUsage } from "./chat-model.js";

/** The usage of a model that counts no tokens, and the start of a sum. */
export const noUsage: TokenUsage = Object.freeze({ inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, reasoningTokens: 0 });

/** The tokens of two model calls together. */
export const addUsage = (a: TokenUsage, b: TokenUsage): TokenUsage => ({
  inputTokens: a.inputTokens + b.inputTokens,
  outputTokens: a.outputTokens + b.outputTokens,
  cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
  reasoningTokens: a.reasoningTokens + b.reasoningTokens,
});
