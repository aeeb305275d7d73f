import type { ChangedPart, ChatRequest, ChatResponse, ModelRetry, TokenUsage } from "../models/index.js";
import type { ToolListener } from "../tool/index.js";
import type { Confirmation, Decision } from "../confirmation/index.js";
import type { RunOutcome } from "../loop/index.js";

interface RunEvent {
  /** The id of the run. */
  readonly runId: string;
  /** The agent's name. */
  readonly agent: string;
  /** The labels of the run: `{ tenant: "acme" }`. */
  readonly tags?: Readonly<Record<string, string>>;
}

interface ModelEvent extends RunEvent {
  /** The number of the model call, from 1. */
  readonly step: number;
  /** `provider/model`. */
  readonly model: string;
}

/**
 * Receives the events of runs, model calls and tool calls. If a listener throws, the error becomes a process warning.
 *
 * Pass it as an element of the option `listeners` of `generate`. See docs/05-observability.md.
 */
export interface AgentListener extends ToolListener {
  /**
   * A run begins. `resumed` is true if it continues from a state. `givenUp` is the same list as `response.givenUp`. `decisions` are those
   * that it goes on with, unredacted; absent if there are none.
   */
  readonly runStarted?: (
    event: RunEvent & { readonly resumed: boolean; readonly givenUp?: readonly Confirmation[]; readonly decisions?: readonly Decision[] },
  ) => void;
  /** A model call begins. `request` is unredacted: it may contain secrets. */
  readonly modelStarted?: (event: ModelEvent & { readonly request: ChatRequest }) => void;
  /**
   * Called right after `modelStarted` with the same event. It must call `run` once before it returns: `run` starts the model call
   * in the current async context, so that spans of the model's client become children of your span.
   */
  readonly aroundModel?: (event: ModelEvent & { readonly request: ChatRequest }, run: () => void) => void;
  /**
   * An attempt at a model call failed and another one follows, after `delay` milliseconds or by a fallback model. The error is
   * unredacted.
   */
  readonly modelRetried?: (event: ModelEvent & ModelRetry) => void;
  /**
   * A model call ended. `duration` is in milliseconds and includes retries. `error` is set if the model gave no response. Both
   * `response` and `error` are unredacted.
   */
  readonly modelFinished?: (
    event: ModelEvent & { readonly duration: number; readonly response?: ChatResponse; readonly error?: unknown },
  ) => void;
  /**
   * A request didn't begin as the one before in its conversation, so the provider's prompt cache is lost from `part` on. Of several parts
   * it is the first: `model`, `tools`, `instructions`, `messages`. Called before `modelFinished`. See docs/22-prompt-caching.md.
   */
  readonly prefixChanged?: (event: ModelEvent & { readonly part: ChangedPart }) => void;
  /**
   * A run ended. `outcome` is absent if `generate` threw because of a programming error. `usage` is the usage of the response: it
   * includes the time before a resumption, and sub-agents. A sub-agent's run is also reported as a run of its own.
   */
  readonly runFinished?: (event: RunEvent & { readonly outcome?: RunOutcome; readonly usage: TokenUsage; readonly steps: number }) => void;
}
