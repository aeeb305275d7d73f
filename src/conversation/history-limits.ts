import type { Message } from "../models/index.js";
import type { OptionNames } from "../tool/internal.js";

/** How much of the history a model is sent: what `@history` says. */
export interface HistoryLimits {
  /**
   * The most tokens of one request: as the provider counted the one before, with its instructions and tools, and an
   * estimate of what was added since.
   */
  readonly maxTokens?: number;
  /** The most turns: a turn is what the user says, with all that follows until the user speaks again. */
  readonly maxTurns?: number;
  /**
   * The tokens of a message, in place of the estimate: a quarter of its characters, and 1,500 for an image or a file.
   * Asked once for each message.
   */
  readonly countTokens?: (message: Message) => number;
}

export const limitNames: OptionNames<HistoryLimits> = { maxTokens: true, maxTurns: true, countTokens: true };
