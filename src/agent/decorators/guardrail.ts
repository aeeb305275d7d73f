import type { GuardrailClass, GuardrailFor, GuardrailMoment, GuardrailSetting } from "../guardrails/guardrail.js";
import { type AgentClassDecorator, agentListDecorator } from "./agent-class-decorator.js";

/**
 * Checks what the user says (`"before"`), what the model says (`"after"`), or both (`"around"`). Several are asked from
 * above, those of the base class first; each gets what the one before it let through. A class with constructor
 * parameters is made by the container, at the start of each run; any other object is used as it is.
 *
 * ```ts
 * const noCardNumbers: Guardrail = {
 *   checkInput: (input) => (/\d{16}/.test(input) ? block("The prompt holds a card number.") : pass()),
 *   checkOutput: (output) => transform(output.replace(/\d{16}/g, "[card number]")),
 * };
 *
 * @guardrail("around", noCardNumbers)
 * class SupportAgent extends Agent {}
 * ```
 *
 * What a guardrail throws is thrown by `generate`. Reasoning and tool results are not checked.
 */
export function guardrail<const Moment extends GuardrailMoment>(
  moment: Moment,
  guard: GuardrailFor<Moment> | GuardrailClass<GuardrailFor<Moment>>,
): AgentClassDecorator {
  const setting: GuardrailSetting = Object.freeze({ moment, guard });
  return agentListDecorator("guardrails", setting);
}
