import type { Message } from "../../models/index.js";
import { checkOptionNames, type OptionNames } from "../../tool/internal.js";
import { AgentDefinitionError } from "../errors.js";

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

/** Throws `AgentDefinitionError` for limits that limit nothing, or everything. */
export function checkHistoryLimits(limits: HistoryLimits, owner: string): HistoryLimits {
  checkOptionNames(limits ?? {}, limitNames, `${owner}: @history`, AgentDefinitionError);
  const { maxTokens, maxTurns } = limits ?? {};
  if (maxTokens === undefined && maxTurns === undefined) {
    throw new AgentDefinitionError(`${owner}: @history limits nothing. Give maxTokens or maxTurns: @history({ maxTokens: 50_000 }).`);
  }
  for (const [name, limit] of Object.entries({ maxTokens, maxTurns })) {
    if (limit === undefined || (Number.isInteger(limit) && limit >= 1)) continue;
    throw new AgentDefinitionError(`${owner}: ${name} of @history is ${String(limit)}, but must be a positive integer.`);
  }
  return limits;
}
