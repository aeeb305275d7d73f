import type { RunScope, ToolExecutor } from "../../execution/index.js";
import type { ChatModel, ModelOptions, ToolChoice } from "../../models/index.js";
import type { ApplicationContext } from "../../tool/index.js";
import type { ModelSettings } from "../agent-model.js";
import type { ModelInterceptor } from "../intercepted-models.js";
import type { AttachedTools } from "../attached-tools.js";
import type { DecisionClaims } from "../../storage/index.js";
import type { ConfirmationHandler } from "../../confirmation/index.js";
import type { Conversation } from "../../conversation/internal.js";
import type { CheckedOutput } from "../guardrails/index.js";
import type { AgentListener } from "../agent-listener.js";
import type { AgentOutput } from "../output/index.js";
import type { Replaying } from "../replay/replaying.js";
import type { AgentEvent } from "../stream/agent-event.js";
import type { CallingRun } from "../sub-agents/calling-run.js";
import type { OfferedTools } from "./offered-tools.js";
import type { RunJournal } from "./run-journal.js";
import type { PrepareStep } from "./step-changes.js";

/** What a run works with. Members that may be absent are written out as `undefined`: adding them one by one is slow. */
export interface RunParts {
  readonly agent: string;
  /** How often the run was resumed: 0 for a new one. */
  readonly resumptions: number;
  readonly conversation: Conversation;
  readonly model: ChatModel;
  /** What `@model` says of failures: it holds for the models of `prepareStep` too. */
  readonly modelSettings: ModelSettings;
  readonly interceptor: ModelInterceptor | undefined;
  readonly modelOptions: ModelOptions | undefined;
  readonly instructions: string | undefined;
  readonly toolChoice: ToolChoice | undefined;
  /** Asked before each model call, if the agent has it. */
  readonly prepareStep: PrepareStep | undefined;
  readonly tools: AttachedTools;
  readonly offered: OfferedTools;
  readonly executor: ToolExecutor;
  readonly scope: RunScope;
  readonly toolContext: ApplicationContext & Record<string, unknown>;
  readonly listeners: readonly AgentListener[];
  /** The most tool calls of a step that run at the same time. */
  readonly concurrency: number;
  readonly confirmation: ConfirmationParts;
  /** The agent's guardrails: what becomes of an answer's text. */
  readonly checkAnswer: ((text: string) => Promise<CheckedOutput>) | undefined;
  /** What `@returns` says. */
  readonly output: AgentOutput | undefined;
  /** Gets the events of the run, if it has a listener. */
  readonly emit: ((event: AgentEvent) => void) | undefined;
  readonly stateSecret: string | undefined;
  /** What the run replays, if it is a replay. */
  readonly replaying: Replaying | undefined;
  /** The record of the run, if it has one. */
  readonly journal: RunJournal | undefined;
  /** What sub-agents take over, if the run has some. */
  readonly calling: CallingRun | undefined;
}

export interface ConfirmationParts {
  readonly handlers: readonly ConfirmationHandler[];
  /** The record of decisions about calls of a stored run. */
  readonly claims: DecisionClaims;
  /** Milliseconds in which a call may be approved. */
  readonly timeout: number;
}

/** The members that every event of a run has. */
export function runEvent({ agent, scope }: RunParts): {
  readonly runId: string;
  readonly agent: string;
  readonly tags?: Readonly<Record<string, string>>;
} {
  const { runId, tags } = scope;
  return tags === undefined ? { runId, agent } : { runId, agent, tags };
}
