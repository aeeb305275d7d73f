import type { RunScope, ToolExecutor } from "../../execution/index.js";
import type { ChatModel, ModelOptions, ToolChoice } from "../../models/index.js";
import type { ApplicationContext } from "../application-context.js";
import type { AttachedTools } from "../attached-tools.js";
import type { ConfirmationHandler } from "../confirmation/index.js";
import type { Conversation } from "../conversation.js";
import type { AgentListener } from "../listener.js";
import type { AgentOutput } from "../output/index.js";
import type { AgentEvent } from "../stream/agent-event.js";
import type { StepPreparation } from "./step-preparation.js";

/** What a run works with. */
export interface RunParts {
  readonly agent: string;
  readonly conversation: Conversation;
  readonly model: ChatModel;
  readonly modelOptions?: ModelOptions;
  readonly instructions?: string;
  readonly toolChoice?: ToolChoice;
  /** Asked before each model call, where the agent has it. */
  readonly prepareStep?: StepPreparation;
  readonly tools: AttachedTools;
  readonly executor: ToolExecutor;
  readonly scope: RunScope;
  readonly toolContext: ApplicationContext & Record<string, unknown>;
  readonly listeners: readonly AgentListener[];
  /** The most tool calls of a step that run at the same time. */
  readonly concurrency: number;
  readonly confirmation: ConfirmationParts;
  /** The agent's guardrails: what becomes of an answer's text. */
  readonly checkAnswer?: (text: string) => Promise<CheckedText>;
  /** What `@returns` says. */
  readonly output?: AgentOutput;
  /** Hears of the run as it goes, where somebody listens. */
  readonly emit?: (event: AgentEvent) => void;
  readonly stateSecret?: string;
}

/** A text that guardrails let through, perhaps changed; or why they don't. */
export type CheckedText = { readonly text: string; readonly blocked?: undefined } | { readonly blocked: string; readonly text?: undefined };

export interface ConfirmationParts {
  readonly handlers: readonly ConfirmationHandler[];
  /** Milliseconds in which a call may be approved. */
  readonly timeout: number;
}
