import { type Agent, type AgentClass, model as modelDecorator } from "../../agent/index.js";
import { makeAgent } from "../../agent/internal.js";
import { currentContainer } from "../../execution/internal.js";
import { UsageError } from "../exit-codes.js";
import type { FoundAgent } from "../modules/definitions.js";

/** The agent of a conversation, made by the application's container if it wants services. `model` replaces the one of `@model`. */
export async function chatAgent({ name, agent, instance }: FoundAgent, model: string | undefined): Promise<Agent> {
  if (instance !== undefined && model !== undefined) {
    throw new UsageError(`--model: the module exports an instance as "${name}", which has its model already. Export its class too.`);
  }
  if (instance !== undefined) return instance;
  const chosen = model === undefined ? agent : withModel(agent, model);
  // The class extends `Agent`.
  return (await makeAgent(chosen, chosen.definition.container ?? currentContainer())) as Agent;
}

/** The same agent with another model: a class of its own, because the definition of a class is fixed. */
function withModel(agent: AgentClass, model: string): AgentClass {
  // A class that is extended at run time has no narrower type.
  const Base = agent as unknown as new (...services: unknown[]) => Agent;
  const Changed = class extends Base {} as unknown as AgentClass;
  Object.defineProperty(Changed, "name", { value: agent.name });
  modelDecorator(model)(Changed);
  return Changed;
}
