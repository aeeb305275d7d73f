import type { ChatRequest, ChatResponse, ModelRetry, TokenUsage } from "../models/index.js";
import type { ToolListener } from "../tool/index.js";
import type { Confirmation } from "../confirmation/index.js";
import type { RunOutcome } from "../loop/index.js";

interface RunEvent {
  readonly runId: string;
  /** The agent's name. */
  readonly agent: string;
  /** What the application said of the run: `{ tenant: "acme" }`. */
  readonly tags?: Readonly<Record<string, string>>;
}

interface ModelEvent extends RunEvent {
  /** From 1. */
  readonly step: number;
  /** `provider/model`. */
  readonly model: string;
}

/** Watches runs and, as a `ToolListener`, their tool calls. A listener that throws is reported as a process warning. */
export interface AgentListener extends ToolListener {
  /** `resumed`: the run goes on from a state. `givenUp`: see `response.givenUp`. */
  readonly runStarted?: (event: RunEvent & { readonly resumed: boolean; readonly givenUp?: readonly Confirmation[] }) => void;
  /** `request` is what the model is asked, as it is: secrets are still in it. */
  readonly modelStarted?: (event: ModelEvent & { readonly request: ChatRequest }) => void;
  /**
   * Called right after `modelStarted`, with the same event, and calls `run` once before it returns: as `around` does for
   * tools, so that what the model's client traces becomes a child of the model call's span.
   */
  readonly aroundModel?: (event: ModelEvent & { readonly request: ChatRequest }, run: () => void) => void;
  /** An attempt at the model call failed, and another one follows: after `delay` milliseconds, or by a fallback. Secrets are still in it. */
  readonly modelRetried?: (event: ModelEvent & ModelRetry) => void;
  /** `duration` in milliseconds, retries included; `error` where the model gave no response. Secrets are still in both. */
  readonly modelFinished?: (
    event: ModelEvent & { readonly duration: number; readonly response?: ChatResponse; readonly error?: unknown },
  ) => void;
  /**
   * `outcome` is absent where `generate` threw because of a mistake in code. `usage` is that of the response: with what was
   * before a resumption, and with sub-agents, which are told of as runs of their own too.
   */
  readonly runFinished?: (event: RunEvent & { readonly outcome?: RunOutcome; readonly usage: TokenUsage; readonly steps: number }) => void;
}
