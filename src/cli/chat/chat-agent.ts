import type { Agent } from "../../agent/index.js";
import { makeAgent, type ModelInterceptor, modelInstead } from "../../agent/internal.js";
import { currentContainer } from "../../execution/internal.js";
import { UsageError } from "../exit-codes.js";
import type { FoundAgent } from "../modules/definitions.js";

/** The agent of a conversation, made by the application's container if it wants services. */
export async function chatAgent({ agent, instance }: FoundAgent): Promise<Agent> {
  if (instance !== undefined) return instance;
  // The class extends `Agent`.
  return (await makeAgent(agent, agent.definition.container ?? currentContainer())) as Agent;
}

/** What puts the model of `--model` in place of the agent's own. */
export function replacedModel({ name, agent, instance }: FoundAgent, model: string | undefined): ModelInterceptor | undefined {
  if (model === undefined) return undefined;
  if (instance !== undefined) {
    throw new UsageError(`--model: the module exports an instance as "${name}", which has its model already. Export its class too.`);
  }
  return modelInstead(agent.definition, model);
}
