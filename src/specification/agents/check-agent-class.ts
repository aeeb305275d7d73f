import { isAgentClass } from "../../agent/internal.js";
import { describeValue } from "../../schema/internal.js";
import { SpecificationError } from "../specification-error.js";

/** Refuses what is no class of agents, such as an instance of one. `owner` begins the message. */
export function checkAgentClass(value: unknown, owner: string): void {
  if (isAgentClass(value)) return;
  throw new SpecificationError(
    `${owner} takes an agent class, got ${describeValue(value)}. Write ${owner}(SupportAgent, ...) with the class itself.`,
  );
}
