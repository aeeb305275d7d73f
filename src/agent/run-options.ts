import type { AcceptedContext } from "../tool/internal.js";
import type { Container, ExecutionProfile, ToolMiddleware } from "../execution/index.js";
import type { ContentPart } from "../models/index.js";
import type { ConfirmationHandler, Decision } from "../confirmation/index.js";
import type { DecisionClaims, Storage } from "../storage/index.js";
import type { AgentListener } from "./agent-listener.js";
import type { Budget } from "../loop/index.js";
import type { AgentToolChoice } from "./run/tool-choice.js";

/** What the user says: a string, or a list of text, image and file parts. See docs/03-agents.md. */
export type Prompt = string | readonly ContentPart[];

/** Options of `generate` and `stream`. See docs/03-agents.md. */
export interface GenerateOptions {
  /** The application's own context: tools receive it, and the functions of `@model`, `@instructions` and `@usesTools`. */
  readonly toolContext?: AcceptedContext;
  /** Ends the run with the outcome `aborted` when it is aborted. The model call and the tools receive the signal too. */
  readonly abortSignal?: AbortSignal;
  /** The most model calls of this run, instead of `@maxSteps`. */
  readonly maxSteps?: number;
  /** The limits of this run, instead of `@budget`. */
  readonly budget?: Budget;
  /** The most tool calls of one step that run at the same time. Default: 10. */
  readonly concurrency?: number;
  /**
   * Whether the model must call a tool in its first step: `"auto"`, `"required"`, or a certain tool, by name or class
   * (`{ tool: "search" }`, `{ tool: SearchTool }`). `"none"` applies to all steps.
   */
  readonly toolChoice?: AgentToolChoice;
  /** Restricts the tools of this run further, by name, tag or category. */
  readonly profile?: ExecutionProfile;
  /** Handlers that decide about calls that need approval, called in this order. If none of them decides, the run pauses. */
  readonly confirm?: ConfirmationHandler | readonly ConfirmationHandler[];
  /** Milliseconds in which a call can be approved; after that the model reads that it didn't run. Default: 24 hours. */
  readonly confirmationTimeout?: number;
  /** Signs the state of the run, for states that leave the server: at least 32 bytes. Pass the same secret to `resume`. */
  readonly stateSecret?: string;
  /** Labels of the run, such as a tenant or a feature. Listeners, traces and logs receive them, and the state keeps them. */
  readonly tags?: Readonly<Record<string, string>>;
  /** Creates the tools of this run, instead of the containers of `@usesContainer` and `useContainer`. */
  readonly container?: Container;
  /**
   * The record of used decisions, so that none is used twice. Default: in this process. Share one if several processes resume
   * runs.
   */
  readonly claims?: DecisionClaims;
  /** The id of the run, which its journal, its tools and its listeners receive. Each run needs another. Default: a random UUID. */
  readonly runId?: string;
  /**
   * The storage that records the run as it goes. If the process ends, another continues the run with
   * `resume(runId, { journal })`. Calls with an effect begin once the record would survive a crash. See docs/19-durable-runs.md.
   */
  readonly journal?: Pick<Storage, "journals" | "leases" | "leaseDuration">;
  /** Wraps each tool call of the run and of its sub-agents, inside the middleware of `@usesMiddleware`. The first is the outermost. */
  readonly middleware?: readonly ToolMiddleware[];
  /** Receive the events of this run, its model calls and its tool calls. */
  readonly listeners?: readonly AgentListener[];
}

/** Options of `resume` and `resumeStream`. Limits that you pass here start from zero. See docs/04-confirmation.md. */
export interface ResumeOptions extends Omit<GenerateOptions, "toolChoice" | "tags" | "runId"> {
  /** Decisions about the calls that wait, made with `approve`, `deny` and `approveEdited`. */
  readonly decisions?: readonly Decision[];
}
