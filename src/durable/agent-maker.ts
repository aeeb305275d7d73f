import type { Agent, AgentClass, GenerateOptions } from "../agent/index.js";
import { isAgentClass, makeAgent } from "../agent/internal.js";
import type { Container } from "../execution/index.js";
import type { Storage } from "../storage/index.js";
import type { MadeAgent } from "./carried-run.js";
import { type AcceptedContent, runtimeRunOf } from "./run-records.js";
import type { JsonObject, RuntimeRun } from "./runtime.js";
import { RuntimeError } from "./runtime-error.js";

type RunOutput = AgentClass["definition"]["output"];

/** The options of `generate` that a runtime's `options` may return. */
export type RuntimeRunOptions = Pick<
  GenerateOptions,
  "toolContext" | "listeners" | "middleware" | "profile" | "confirm" | "confirmationTimeout" | "concurrency"
>;

/** Functions that make what the runs of an application need. */
export interface RunServices {
  /**
   * Returns the container of a run: clients, repositories and secrets, made from the context that the run was started with. Called in each
   * process that goes on with the run.
   */
  readonly services?: (context: JsonObject, run: RuntimeRun) => Container | Promise<Container>;
  /** Returns other options of the run: `listeners`, for example, or a `toolContext` with the user that the context names. */
  readonly options?: (context: JsonObject, run: RuntimeRun) => RuntimeRunOptions | Promise<RuntimeRunOptions>;
}

/** Makes the agents of runs by their recorded names and contexts. */
export class AgentMaker {
  readonly #classes = new Map<string, AgentClass>();
  readonly #outputs = new Map<string, RunOutput>();
  readonly #owner: string;
  #given: RunServices = {};

  /** `owner`: the class or function that the application gives them to, for errors. */
  constructor(classes: readonly AgentClass[], given: RunServices, owner: string) {
    this.#owner = owner;
    this.employ(classes, given);
  }

  /** Makes these agents, in place of those before. */
  employ(classes: readonly AgentClass[], given: RunServices): void {
    this.#given = given;
    this.#classes.clear();
    for (const one of classes) {
      const { name } = one.definition;
      if (this.#classes.has(name)) throw new TypeError(`${this.#owner}: two agents have the name "${name}". Give one another @identifier.`);
      this.#classes.set(name, one);
    }
  }

  /** Remembers what the responses of an agent are that this process doesn't make, and returns its name. */
  learn(agent: AgentClass): string {
    const { name, output } = agent.definition;
    this.#outputs.set(name, output);
    return name;
  }

  outputOf(agent: string): RunOutput {
    return this.#classes.has(agent) ? this.classOf(agent).definition.output : this.#outputs.get(agent);
  }

  knows(agent: string): boolean {
    return this.#classes.has(agent);
  }

  /** Throws `RuntimeError` if there is none with the name. */
  classOf(agent: string): AgentClass {
    const found = this.#classes.get(agent);
    if (found !== undefined) return found;
    const known = [...this.#classes.keys()].join(", ");
    throw new RuntimeError("unknown_agent", `This runtime has no agent "${agent}". It has: ${known}. Add its class to agents.`);
  }

  /** A new agent for a run, with what the application gives it. */
  async make({ accepted }: AcceptedContent, storage: Storage): Promise<MadeAgent> {
    const { context } = accepted;
    const agentClass = this.classOf(accepted.agent);
    const run = runtimeRunOf(accepted);
    // A copy each, so that what one changes doesn't reach the others.
    const container = await this.#given.services?.(structuredClone(context), run);
    const options = await this.#given.options?.(structuredClone(context), run);
    const agent = await makeAgent(agentClass, container ?? agentClass.definition.container);
    return {
      // The class extends `Agent`.
      agent: agent as Agent,
      options: {
        toolContext: structuredClone(context),
        ...options,
        ...(container !== undefined && { container }),
        claims: storage.claims,
        journal: storage,
      },
    };
  }
}

/** Throws `TypeError` unless it is a list of agent classes. */
export function checkAgents(agents: unknown, owner: string): asserts agents is readonly AgentClass[] {
  if (Array.isArray(agents) && agents.length > 0 && agents.every(isAgentClass)) return;
  throw new TypeError(`${owner}: agents must be a list of agent classes: { agents: [SupportAgent] }.`);
}
