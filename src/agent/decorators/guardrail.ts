import type { GuardrailClass, GuardrailFor, GuardrailMoment, GuardrailSetting } from "../guardrails/guardrail.js";
import { type AgentClassDecorator, agentListDecorator } from "./agent-class-decorator.js";

/**
 * Checks the user's text (`"before"`), the model's text (`"after"`), or both (`"around"`).
 *
 * ```ts
 * const noCardNumbers: Guardrail = {
 *   checkInput: (input) => (/\d{16}/.test(input) ? block("The prompt contains a card number.") : pass()),
 *   checkOutput: (output) => transform(output.replace(/\d{16}/g, "[card number]")),
 * };
 * ```
 *
 * `@guardrail("around", noCardNumbers) class SupportAgent extends Agent {}`
 *
 * Guardrails run from the top decorator down, those of the base class first; each receives the text that the one before it
 * returned. A class with constructor parameters is created by the container at the start of each run; any other object is used as
 * it is.
 *
 * Reasoning and tool results aren't checked. If a guardrail throws, `generate` throws its error. See docs/03-agents.md.
 */
export function guardrail<const Moment extends GuardrailMoment>(
  moment: Moment,
  guard: GuardrailFor<Moment> | GuardrailClass<GuardrailFor<Moment>>,
): AgentClassDecorator {
  const setting: GuardrailSetting = Object.freeze({ moment, guard });
  return agentListDecorator("guardrails", setting);
}
