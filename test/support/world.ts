import { Agent, model, usesTools } from "../../src/agent/index.js";
import { MemoryDecisionClaims } from "../../src/storage/index.js";
import { type ChatModel, type ChatRequest, type ChatResponse, noUsage } from "../../src/models/index.js";
import { createTool, description, failure, identifier, type ToolClass } from "../../src/tool/index.js";
import { markAsInterrupt } from "../../src/tool/internal.js";
import { isPaired } from "./paired.js";

/** What a call of the model does. `agent` is a sub-agent that works, and then asks for something gated. */
export const callKinds = ["work", "fail", "throw", "hang", "gated", "agent", "interrupt", "unknown", "invalid"] as const;
export type CallKind = (typeof callKinds)[number];

/** What the model asks for, step by step; after the last one it answers. */
export type Plan = readonly (readonly CallKind[])[];

const subAgentPlan: Plan = [
  ["work", "interrupt"],
  ["gated", "interrupt"],
];

/**
 * The world outside of the runs: what tools did to it, by the name of each call, which is unique. Its agents are made
 * anew for every run, as in a process of its own; they share the world and the claims.
 */
export class World {
  /** What gated calls did, by call: the amounts. */
  readonly gatedEffects = new Map<string, number[]>();
  /** How often ungated calls ran. */
  readonly runs = new Map<string, number>();
  readonly claims = new MemoryDecisionClaims();
  /** Requests whose history no provider would take. */
  readonly unpaired: ChatRequest[] = [];
  /** Called before a model answers, and when a tool begins and ends. */
  onMoment: () => void = () => undefined;
  readonly #interrupted = new Set<string>();

  readonly #agentClass: new () => Agent;

  constructor(plan: Plan) {
    this.#agentClass = this.#defineAgent(plan);
  }

  /** The agent of a new process. */
  agent(): Agent {
    return new this.#agentClass();
  }

  #defineAgent(plan: Plan): new () => Agent {
    const tools = this.#tools();

    @identifier("agent")
    @description("Works for another agent. Use when there is work.")
    @model(this.#model(subAgentPlan))
    @usesTools(tools)
    class SubAgent extends Agent {}

    @model(this.#model(plan))
    @usesTools([...tools, SubAgent])
    class MainAgent extends Agent {}

    return MainAgent;
  }

  /** Answers by the history alone. Names its calls by their place, within that of the call that asked for them. */
  #model(plan: Plan): ChatModel {
    return {
      id: "test/planned",
      generate: async (request) => {
        if (!isPaired(request.messages)) this.unpaired.push(request);
        this.onMoment();
        await new Promise(setImmediate);
        return answer(plan, request);
      },
    };
  }

  #tools(): readonly ToolClass[] {
    const tool = (name: CallKind, body: (call: string, amount: number) => unknown, gated = false): ToolClass =>
      createTool({
        name,
        description: `Does what is called ${name}. Use for tests.`,
        inputSchema: { type: "object", properties: { call: { type: "string" }, amount: { type: "number" } }, required: ["call", "amount"] },
        timeout: name === "hang" ? 5 : 2_000,
        requiresConfirmation: gated,
        execute: async ({ call, amount }) => {
          this.onMoment();
          await new Promise(setImmediate);
          if (!gated) this.runs.set(String(call), (this.runs.get(String(call)) ?? 0) + 1);
          const result = body(String(call), Number(amount));
          this.onMoment();
          return result;
        },
      });
    return [
      tool("work", (call) => `${call} is done`),
      tool("fail", () => failure("That is not possible.")),
      tool("throw", () => {
        throw new Error("disk full");
      }),
      tool("hang", () => new Promise(() => undefined)),
      tool("interrupt", (call) => this.#interruptOnce(call)),
      tool(
        "gated",
        (call, amount) => {
          this.gatedEffects.set(call, [...(this.gatedEffects.get(call) ?? []), amount]);
          return `${call} is done`;
        },
        true,
      ),
    ];
  }

  /** As a tool of another framework: it interrupts the run, and has its answer when it is run again. */
  #interruptOnce(call: string): string {
    if (this.#interrupted.has(call)) return `${call} is done`;
    this.#interrupted.add(call);
    this.runs.delete(call);
    throw markAsInterrupt(new Error("asks another framework"));
  }
}

function answer(plan: Plan, { messages, onDelta }: ChatRequest): ChatResponse {
  const step = messages.filter(({ role }) => role === "assistant").length;
  const prompt = messages.find(({ role }) => role === "user")?.content;
  const toolCalls = (plan[step] ?? []).map((kind, index) => {
    const call = `${String(prompt)}/${step}.${index}.${kind}`;
    const name = kind === "invalid" ? "work" : kind;
    const written = kind === "agent" ? { prompt: call } : kind === "invalid" ? { call } : { call, amount: 1 };
    return { id: `call_${step}_${index}`, name, arguments: JSON.stringify(written) };
  });
  const text = toolCalls.length === 0 ? "All is done." : "";
  for (const [index, { id, name, arguments: written }] of toolCalls.entries()) {
    for (const piece of [written.slice(0, 9), written.slice(9)]) onDelta?.({ type: "tool_call", index, id, name, arguments: piece });
  }
  if (text !== "") for (const piece of ["All is ", "done."]) onDelta?.({ type: "text", text: piece });
  return { text, toolCalls, finishReason: toolCalls.length === 0 ? "stop" : "tool_calls", usage: { ...noUsage, inputTokens: 1 } };
}
