import type { Container } from "../../execution/index.js";
import { injectedProperties, noContainer } from "../../execution/internal.js";
import { classNameOf } from "../agent-class.js";
import { AgentDefinitionError } from "../agent-errors.js";
import type { GuardrailClass, GuardrailSetting, Guardrails, InputGuardrail, OutputGuardrail } from "./guardrail.js";

/** What each moment asks of a guardrail. */
const methodsAt: ReadonlyMap<unknown, readonly ("checkInput" | "checkOutput")[]> = new Map([
  ["before", ["checkInput"]],
  ["after", ["checkOutput"]],
  ["around", ["checkInput", "checkOutput"]],
]);

/** Throws `AgentDefinitionError` for what can't be a guardrail. `owner`: the agent's class name. */
export function checkGuardrails(settings: readonly unknown[], owner: string): readonly GuardrailSetting[] {
  for (const { moment, guard } of settings as readonly GuardrailSetting[]) {
    const methods = methodsAt.get(moment);
    if (methods === undefined) {
      throw new AgentDefinitionError(`${owner}: @guardrail is asked ${String(moment)}, but must be "before", "after" or "around".`);
    }
    if (typeof guard === "function" && guard.prototype !== undefined) continue;
    for (const method of methods) checkMethod(guard, method, moment, owner);
  }
  return Object.freeze([...(settings as readonly GuardrailSetting[])]);
}

/**
 * The guardrails of a run: classes with services are made by the container, others by their constructor, and objects
 * are taken as they are. Throws `AgentDefinitionError` if one can't be made, or lacks its method.
 */
export async function makeGuardrails(
  settings: readonly GuardrailSetting[],
  container: Container | undefined,
  owner: string,
): Promise<Guardrails> {
  const before: InputGuardrail[] = [];
  const after: OutputGuardrail[] = [];
  for (const { moment, guard } of settings) {
    const made = typeof guard === "function" ? await construct(guard as GuardrailClass<object>, container, owner) : guard;
    for (const method of methodsAt.get(moment) ?? []) {
      checkMethod(made, method, moment, owner);
      if (method === "checkInput") before.push(made as InputGuardrail);
      else after.push(made as OutputGuardrail);
    }
  }
  return { before, after };
}

async function construct(guard: GuardrailClass<object>, container: Container | undefined, owner: string): Promise<object> {
  const wantsServices = guard.length > 0 || injectedProperties(guard).length > 0;
  if (!wantsServices) return new guard();
  if (container !== undefined) return (await container.get(guard)) as object;
  const wish = `${owner}: the guardrail ${classNameOf(guard)} wants services`;
  throw new AgentDefinitionError(noContainer(wish, "Call useContainer(Container), or give @guardrail an instance."));
}

function checkMethod(guard: unknown, method: string, moment: string, owner: string): void {
  if (typeof (guard as Readonly<Record<string, unknown>> | null | undefined)?.[method] === "function") return;
  throw new AgentDefinitionError(
    `${owner}: @guardrail("${moment}") got ${nameOfGuard(guard)}, which has no ${method}(text, situation). Add it, or ask the guardrail at another moment.`,
  );
}

/** How errors and blocks name a guardrail. */
export function nameOfGuard(guard: unknown): string {
  if (typeof guard === "function") return guard.name || "a function without a name";
  if (typeof guard !== "object" || guard === null) return String(guard);
  const { constructor } = guard;
  return typeof constructor === "function" && constructor !== Object ? constructor.name || "an anonymous class" : "an object";
}
