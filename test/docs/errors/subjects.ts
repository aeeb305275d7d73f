import { type GenerateOptions, Agent, model, usesTools } from "../../../src/agent/index.js";
import type { RunOutcome, RunState } from "../../../src/loop/index.js";
import { type ChatModel, ScriptedModel, type ScriptedStep } from "../../../src/models/index.js";
import { createTool, description, identifier, required, requiresConfirmation, Tool, type ToolClass } from "../../../src/tool/index.js";
import type { Met } from "./example.js";

@description("Gets the current weather for a city. Use when the user asks about weather now.")
@identifier("weather")
export class WeatherTool extends Tool {
  @required(String, "The city name")
  city!: string;

  call() {
    return `Sunny in ${this.city}.`;
  }
}

@description("Refunds an order. Use when the user wants the money back.")
@identifier("refund")
@requiresConfirmation()
export class RefundTool extends Tool {
  @required(String, "The order's number")
  order!: string;

  call() {
    return `Refunded ${this.order}.`;
  }
}

/** A tool without parameters. */
export const toolThat = (execute: () => unknown, timeout = 10_000): ToolClass =>
  createTool({ name: "search", description: "Searches the web. Use for news.", inputSchema: { type: "object" }, execute, timeout });

export const call = (name: string, input: Record<string, unknown> = {}) => ({ toolCalls: [{ name, arguments: input }] });
export const refund = call("refund", { order: "A-17" });

export const asked = call("ask_user", { question: "Which colour?" });

/** An agent whose model plays a script, or is the one that is given. */
export function agentWith(steps: readonly ScriptedStep[] | ChatModel, tools: readonly ToolClass[] = [WeatherTool, RefundTool]): Agent {
  const chat = "generate" in steps ? steps : new ScriptedModel(steps);

  @model(chat, { retries: 0 })
  @usesTools(tools)
  class SupportAgent extends Agent {}

  return new SupportAgent();
}

/** How a run ended. */
export const metIn = ({ reason, detail = "" }: RunOutcome): Met => ({ name: reason, message: detail });

/** How the run of a script ends. */
export const endOf = async (steps: readonly ScriptedStep[], options: GenerateOptions = {}, tools?: readonly ToolClass[]): Promise<Met> =>
  metIn((await agentWith(steps, tools).generate("Help me.", options)).outcome);

/** The state of a run that waits for a decision about its call `call_1` of `refund`. */
export async function pausedState(options: GenerateOptions = {}): Promise<RunState> {
  const { state } = await agentWith([refund]).generate("Refund order A-17.", options);
  if (state === undefined) throw new Error("The run didn't pause.");
  return state;
}
