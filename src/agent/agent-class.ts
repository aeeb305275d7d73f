import type { Container, ToolMiddleware } from "../execution/index.js";
import type { ModelOptions } from "../models/index.js";
import type { ApplicationContext, Toolbox, ToolClass } from "../tool/index.js";
import type { ToolSearch } from "../tool-search/index.js";
import type { HistoryLimits } from "../conversation/index.js";
import type { Budget, RunState } from "../loop/index.js";
import type { ModelChoice } from "./agent-model.js";
import type { AgentResponse } from "./agent-response.js";
import type { GuardrailSetting } from "./guardrails/guardrail.js";
import type { AgentOutput } from "./output/index.js";
import type { ObstacleSearch, obstacleSearch } from "./run/decision-obstacle.js";
import type { handOver } from "./run/run-hooks.js";
import type { GenerateOptions, Prompt } from "./run-options.js";
import type { AgentEvent } from "./stream/agent-event.js";
import type { Resumption } from "./sub-agents/resumption.js";

/** A static member of `Agent` that marks its subclasses, also those of another copy of the package. */
export const agentMark = Symbol.for("toolwright.agent");

/** The internal method of `Agent` by which another agent runs it. The package may be loaded twice. */
export const runForCaller = Symbol.for("toolwright.runForCaller");

/** A prompt, a run that waited, or the id of a run that was cut off. */
export type SubAgentWork = Prompt | Resumption | { readonly recorded: string };

/** What a run needs of an agent that it calls as a tool. `Agent` has it. */
export interface SubAgent {
  readonly state: RunState | undefined;
  [runForCaller](work: SubAgentWork, options: GenerateOptions, emit?: (event: AgentEvent) => void): Promise<AgentResponse>;
  [obstacleSearch](state: RunState, options: GenerateOptions): Promise<ObstacleSearch>;
  [handOver](reason: string): void;
}

/** The class of an agent, as other agents and lists of tools use it. It doesn't name `Agent`, so that their files don't need it. */
export interface SubAgentClass {
  // Constructor parameters are services of the application's container: their types can't be known here.
  // biome-ignore lint/suspicious/noExplicitAny: a narrower type would refuse classes with injected services
  new (...services: any[]): SubAgent;
  readonly name: string;
  readonly definition: AgentDefinition;
}

/** The tools of an agent: tool classes, agent classes (sub-agents) and toolboxes. See docs/03-agents.md. */
export type AgentTools = Toolbox | readonly (ToolClass | SubAgentClass | Toolbox)[];

export type ByContext<T> = (context: ApplicationContext) => T | Promise<T>;

/** The resolved, frozen description of an agent class: `WeatherAgent.definition`. See docs/03-agents.md. */
export interface AgentDefinition {
  /** The name given to `@identifier`; by default the class name in snake_case. */
  readonly name: string;
  /** The text of `@description`, which other agents and people read; `undefined` without it. */
  readonly description?: string;
  /** The model of `@model`, or the function that chooses it, with its settings. */
  readonly model: ModelChoice;
  /** The options of `@modelOptions`. */
  readonly modelOptions?: ModelOptions;
  /** The text of `@instructions`, or the function that returns it. */
  readonly instructions?: string | ByContext<string>;
  /** The tool classes of `@usesTools`, toolboxes expanded, or the function that chooses them. */
  readonly tools: readonly ToolClass[] | ByContext<AgentTools>;
  /** The most model calls of one run: a positive integer or Infinity. Default: 16. */
  readonly maxSteps: number;
  /** The type that `@returns` declares for the answers. */
  readonly output?: AgentOutput;
  /** The function of `@toolSearch`. */
  readonly toolSearch?: ToolSearch;
  /** The limits of `@history`. */
  readonly history?: HistoryLimits;
  /** The guardrails of `@guardrail`, in the order in which they run. */
  readonly guardrails: readonly GuardrailSetting[];
  /** The middleware of `@usesMiddleware`, the outermost first. */
  readonly middleware: readonly ToolMiddleware[];
  /** The limits of `@budget`. */
  readonly budget?: Budget;
  /** The container of `@usesContainer`. */
  readonly container?: Container;
}

export const isAgentClass = (value: unknown): value is SubAgentClass =>
  typeof value === "function" && (value as { readonly [agentMark]?: unknown })[agentMark] === true;

/** What error messages call an agent class. */
export const classNameOf = (agentClass: { readonly name: string }): string => agentClass.name || "An anonymous agent class";
