import { Agent, type AgentResponse, instructions, model, usesTools } from "../../../src/agent/index.js";
import { prepareReplay, type ReplayOptions } from "../../../src/durable/index.js";
import { ScriptedModel, type ScriptedReply, type ScriptedStep } from "../../../src/models/index.js";
import { MemoryStorage } from "../../../src/storage/index.js";
import {
  category,
  description,
  effect,
  identifier,
  optional,
  required,
  requiresConfirmation,
  Tool,
  type ToolClass,
} from "../../../src/tool/index.js";

/** What reached the world outside, in order. */
export const effects: string[] = [];

@identifier("look_up")
@description("Looks up an order.")
@category("read")
export class LookUpTool extends Tool {
  @required(String) order!: string;
  @optional({ enum: ["short", "long"], default: "short" }) form!: string;

  call() {
    effects.push(`look up ${this.order}`);
    if (this.order === "lost") throw new Error("The order isn't known.");
    return `Order ${this.order} is on its way.`;
  }
}

@identifier("refund")
@description("Refunds an order.")
@effect("once")
@requiresConfirmation(() => {
  rulesAsked += 1;
  return false;
})
export class RefundTool extends Tool {
  @required(String) order!: string;

  call() {
    effects.push(`refund ${this.order}`);
    return `Refunded ${this.order}, number ${effects.length}.`;
  }
}
let rulesAsked = 0;
/** How often the confirmation rule of `refund` was asked. */
export const countOfRules = (): number => rulesAsked;

export const lookUp = (order: string, more: object = {}) => ({ name: "look_up", arguments: { order, ...more } });
export const refund = (order: string) => ({ name: "refund", arguments: { order } });
export const calls = (...toolCalls: NonNullable<ScriptedReply["toolCalls"]>): ScriptedStep => ({ toolCalls });

/** A class of agents that play one script after another. */
export function shopWith(steps: readonly ScriptedStep[], tools: readonly (ToolClass | typeof Agent)[] = [LookUpTool, RefundTool]) {
  const scripted = new ScriptedModel(steps);

  @identifier("shop")
  @model(scripted)
  @instructions("You work in a shop.")
  @usesTools(tools as readonly ToolClass[])
  class ShopAgent extends Agent {}
  return { ShopAgent, scripted };
}

/** A recorded run "run" of a script, and what replays it with another script. */
export async function recorded(steps: readonly ScriptedStep[], tools?: readonly (ToolClass | typeof Agent)[]) {
  const storage = new MemoryStorage();
  const { ShopAgent } = shopWith(steps, tools);
  const response: AgentResponse = await new ShopAgent().generate("Help with A.", { journal: storage, runId: "run" });
  const replay = async (script: readonly ScriptedStep[], options: Partial<ReplayOptions> = {}) => {
    const scripted = new ScriptedModel(script);
    const agent = await prepareReplay(new ShopAgent(), "run", { journal: storage, model: scripted, ...options });
    return { agent, scripted };
  };
  effects.push("- replay -");
  return { storage, response, replay, ShopAgent };
}

/** What reached the world outside since the recorded run. */
export const effectsSince = (): readonly string[] => effects.slice(effects.lastIndexOf("- replay -") + 1);

/** The results of a run's calls, as the model read them. */
export const resultsOf = ({ steps }: AgentResponse): readonly string[] =>
  steps.flatMap(({ toolCalls }) => toolCalls.map(({ content }) => content));
