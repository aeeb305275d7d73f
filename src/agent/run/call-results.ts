import { modelText } from "../../execution/index.js";
import { type CallResult, type Gate, type LoopEvent, type LoopStep, undecided } from "../../loop/index.js";
import type { TokenUsage, ToolCall } from "../../models/index.js";
import { redactText } from "../../redaction/index.js";
import { warnProcess } from "../../redaction/internal.js";
import type { ToolResult } from "../../tool/index.js";
import { toolResultEvent, waitingEvent } from "../stream/agent-event.js";
import type { RunParts } from "./run-parts.js";

/** The run that the calls belong to. */
export interface CallHost {
  /** The number of the step, from 1. */
  readonly step: number;
  /** Whether no further call may begin. */
  readonly interrupted: boolean;
  /** Takes in what happened. */
  take(event: LoopEvent): void;
}

/** Reports what became of calls: to the loop, to the run's stream, and to operators. */
export class CallResults {
  readonly #parts: RunParts;
  readonly #host: CallHost;

  constructor(parts: RunParts, host: CallHost) {
    this.#parts = parts;
    this.#host = host;
  }

  /** The call has a result. `note` goes before it; `usage`: the tokens of the sub-agent that the call ran. */
  finish(call: ToolCall, result: ToolResult, note = "", usage?: TokenUsage): void {
    const content = note + modelText(result);
    this.#finishWith(call, callResultOf(content, result), usage);
  }

  /** A call of a replay has the result that the record has of it: nothing ran. */
  finishRecorded(call: ToolCall, result: CallResult): void {
    this.#finishWith(call, { ...result, fromRecord: true });
  }

  /** A call that didn't run although a person approved it: the model reads why, and the application gets a warning. */
  refuse(call: ToolCall, gate: Gate | undefined, result: CallResult): void {
    // A call interrupted in a sub-agent may have no approval; for an aborted run, the outcome says enough.
    if (gate?.decisions.some(({ decision }) => decision !== "deny") === true && result.errorType !== "cancelled") {
      this.warn(call.id, this.#parts.tools.names.toTool(call.name), result.content);
    }
    this.#finishWith(call, result);
  }

  /** The call waits for a person, or goes on with what a person decided. */
  gate(id: string, gate: Gate): void {
    const { emit } = this.#parts;
    if (emit !== undefined) {
      for (const waiting of undecided(gate)) emit(waitingEvent(this.#host.step, waiting));
    }
    this.#host.take({ type: "call_gated", id, gate });
  }

  /** Warns the operator that a call was approved and didn't run. */
  warn(callId: string, tool: string, why: string): void {
    const { runId } = this.#parts.scope;
    warnProcess(`The call "${callId}" (${tool}) of run ${runId} was approved, and didn't run: ${redactText(why)}`);
  }

  #finishWith({ id, name }: ToolCall, result: CallResult, usage?: TokenUsage): void {
    const { emit, tools } = this.#parts;
    emit?.(toolResultEvent(this.#host.step, id, tools.names.toTool(name), result));
    this.#host.take(usage === undefined ? { type: "call_finished", id, result } : { type: "call_finished", id, result, usage });
  }
}

function callResultOf(content: string, { data, attachments, error, errorType }: ToolResult): CallResult {
  if (error !== undefined) return { content, errorType };
  return attachments === undefined ? { content, data } : { content, data, attachments };
}

/** Sends a stream the results that no tool gave between two states of a step: those of calls that were refused, denied or cancelled. */
export function emitRefusals({ emit, tools }: RunParts, step: number, before: LoopStep | null, after: LoopStep | null): void {
  if (emit === undefined || after === null) return;
  after.calls.forEach(({ id, name }, index) => {
    const result = after.results[index] ?? null;
    if (result === null || (before?.results[index] ?? null) !== null) return;
    emit(toolResultEvent(step, id, tools.names.toTool(name), result));
  });
}
