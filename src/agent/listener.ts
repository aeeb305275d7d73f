import type { ChatResponse, TokenUsage } from "../models/index.js";
import type { ToolListener } from "../tool/index.js";
import type { RunOutcome } from "./loop/index.js";

interface RunEvent {
  readonly runId: string;
  /** The agent's name. */
  readonly agent: string;
}

/** Watches runs and, as a `ToolListener`, their tool calls. A listener that throws is reported as a process warning. */
export interface AgentListener extends ToolListener {
  readonly runStarted?: (event: RunEvent) => void;
  /** `step` counts from 1. */
  readonly modelStarted?: (event: RunEvent & { readonly step: number; readonly model: string }) => void;
  /** `duration` in milliseconds, retries included; `error` where the model gave no response. */
  readonly modelFinished?: (
    event: RunEvent & {
      readonly step: number;
      readonly model: string;
      readonly duration: number;
      readonly response?: ChatResponse;
      readonly error?: unknown;
    },
  ) => void;
  /** `outcome` is absent where `generate` threw because of a mistake in code. */
  readonly runFinished?: (event: RunEvent & { readonly outcome?: RunOutcome; readonly usage: TokenUsage; readonly steps: number }) => void;
}

/** Runs a listener of the application: what it throws, or rejects with, becomes a process warning. */
export function shield(listen: () => unknown): void {
  try {
    const result = listen();
    if (result instanceof Promise) result.catch(warn);
  } catch (error) {
    warn(error);
  }
}

function warn(error: unknown): void {
  process.emitWarning(`A listener threw, which changes nothing for the run: ${String(error)}`, "ToolwrightWarning");
}
