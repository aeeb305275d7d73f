import type { Container, ExecutionProfile, ToolMiddleware } from "../execution/index.js";
import type { ToolChoice } from "../models/index.js";
import type { ApplicationBag } from "../tool/index.js";
import type { ConfirmationHandler, Decision } from "../confirmation/index.js";
import type { DecisionClaims } from "../storage/index.js";
import type { AgentListener } from "./agent-listener.js";
import type { Budget } from "../loop/index.js";

/** What `generate` and `stream` take besides the prompt. */
export interface GenerateOptions {
  /** The application's bag, for tools and for the functions of `@model`, `@instructions` and `@usesTools`. */
  readonly toolContext?: ApplicationBag;
  /** Ends the run with outcome `aborted`; the model and the tools see the signal with its reason. */
  readonly abortSignal?: AbortSignal;
  /** The most model calls of this run, in place of `@maxSteps`. */
  readonly maxSteps?: number;
  /** What else the run may use, in place of `@budget`. */
  readonly budget?: Budget;
  /** The most tool calls of one step that run at the same time. Default: 10. */
  readonly concurrency?: number;
  /** Whether the model must call a tool, or a certain one (`{ tool: "search" }`), in its first step; `"none"` holds for all steps. */
  readonly toolChoice?: ToolChoice;
  /** Narrows the tools of this run further, by name, tag or category. */
  readonly profile?: ExecutionProfile;
  /** Asked, in order, for the calls that need a decision. What none of them decides pauses the run. */
  readonly confirm?: ConfirmationHandler | readonly ConfirmationHandler[];
  /** Milliseconds in which a call may be approved; told to the model afterwards as not run. Default: 24 hours. */
  readonly confirmationTimeout?: number;
  /** Signs the state of the run, in case somebody who isn't trusted keeps it: at least 32 bytes. `resume` needs the same one. */
  readonly stateSecret?: string;
  /** For attribution (a tenant, a feature): they go to listeners, traces and logs, and stay with the state of the run. */
  readonly tags?: Readonly<Record<string, string>>;
  /** Makes the tools of this run, in place of those given to `@usesContainer` and `useContainer`. */
  readonly container?: Container;
  /** Where used decisions are remembered, and what can't be decided any more: in this process, unless several share one. */
  readonly claims?: DecisionClaims;
  /** Wraps each tool call of the run and of its sub-agents, inside the middleware of `@usesMiddleware`. The first is the outermost. */
  readonly middleware?: readonly ToolMiddleware[];
  readonly listeners?: readonly AgentListener[];
}

/** What `resume` and `resumeStream` take besides the state. Limits that are given here begin anew. */
export interface ResumeOptions extends Omit<GenerateOptions, "toolChoice" | "tags"> {
  /** For calls that wait: made by `approve`, `deny` and `approveEdited`. */
  readonly decisions?: readonly Decision[];
}
