import type { Message } from "../models/index.js";
import type { OptionNames } from "../tool/internal.js";

/** How much of the history is sent to the model: the options of `@history`. See docs/03-agents.md. */
export interface HistoryLimits {
  /**
   * The most tokens of one request. The count is the provider's for the previous request, instructions and tools included, plus an
   * estimate of what was added since.
   */
  readonly maxTokens?: number;
  /** The most turns. A turn is a user message with everything up to the next user message. */
  readonly maxTurns?: number;
  /**
   * Counts the tokens of a message; called once per message. Default: a quarter of its characters, and 1,500 for each image or
   * file.
   */
  readonly countTokens?: (message: Message) => number;
}

export const limitNames: OptionNames<HistoryLimits> = { maxTokens: true, maxTurns: true, countTokens: true };
