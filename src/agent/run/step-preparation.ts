import type { Message, ModelReference, TokenUsage, ToolChoice } from "../../models/index.js";
import type { ApplicationContext } from "../../tool/index.js";
import type { AgentTools } from "../agent-tools.js";

/** What an agent knows before a model call. */
export interface StepSituation {
  /** The number of the model call, from 1. */
  readonly step: number;
  /** What the model is about to read: the instructions, then the history. The live list: look, don't keep. */
  readonly messages: readonly Message[];
  /** Tokens of the run so far. */
  readonly usage: TokenUsage;
  readonly context: ApplicationContext & Record<string, unknown>;
}

/** What is different in one step; whatever is left out is as in the run. */
export interface StepChanges {
  /** With the retries, timeout and fallbacks of `@model`. */
  readonly model?: ModelReference;
  /** Some of the run's tools: only these are shown, and can be called, in the step. */
  readonly tools?: AgentTools;
  readonly instructions?: string;
  readonly toolChoice?: ToolChoice;
}

export type StepPreparation = (situation: StepSituation) => StepChanges | undefined | Promise<StepChanges | undefined>;
