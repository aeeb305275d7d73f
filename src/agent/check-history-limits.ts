import { checkOptionNames } from "../tool/internal.js";
import type { HistoryLimits } from "../conversation/index.js";
import { limitNames } from "../conversation/internal.js";
import { AgentDefinitionError } from "./agent-errors.js";

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
