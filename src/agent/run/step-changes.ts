import type { Message, ModelReference, TokenUsage } from "../../models/index.js";
import type { ApplicationContext, Toolbox, ToolClass } from "../../tool/index.js";
import type { SubAgentClass } from "../agent-class.js";
import type { AgentToolChoice } from "./tool-choice.js";

/** What `prepareStep` receives before a model call. */
export interface StepSituation {
  /** The number of the model call, from 1. */
  readonly step: number;
  /** What the model is about to read: the instructions, then the history. The list changes during the run: read it, don't keep it. */
  readonly messages: readonly Message[];
  /** The tokens of the run so far. */
  readonly usage: TokenUsage;
  /** The application's `toolContext`. */
  readonly context: ApplicationContext & Record<string, unknown>;
}

/** Some tools of a run, by their classes or their names. */
export type StepTools = Toolbox | readonly (string | ToolClass | SubAgentClass | Toolbox)[];

/** What `prepareStep` changes for one step. Members that are left out keep the value of the run. */
export interface StepChanges {
  /** The model of this step, with the retries, timeout and fallbacks of `@model`. */
  readonly model?: ModelReference;
  /** A part of the run's tools, by class or name: only these are sent to the model and can be called in this step. */
  readonly tools?: StepTools;
  /** The system message of this step. */
  readonly instructions?: string;
  /** Whether the model must call a tool in this step. */
  readonly toolChoice?: AgentToolChoice;
}

/** The method `prepareStep` of an agent. */
export type PrepareStep = (situation: StepSituation) => StepChanges | undefined | Promise<StepChanges | undefined>;
