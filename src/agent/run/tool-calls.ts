import { type ExecutionProfile, modelText, PreparedCall, type RunScope } from "../../execution/index.js";
import type { ToolCall } from "../../models/index.js";
import { redactText, type ToolFailure, type ToolResult } from "../../tool/index.js";
import { askHandlers } from "../confirmation/ask-handlers.js";
import type { Confirmation } from "../confirmation/confirmation.js";
import type { Decision } from "../confirmation/decision.js";
import { confirmationOf, fingerprintOf, isExpired } from "../confirmation/fingerprint.js";
import { type CallResult, type Gate, type LoopEvent, undecided } from "../loop/index.js";
import { resumeNext } from "../sub-agents/parent-runs.js";
import { decisionsForSubRun, gateOfSubRun } from "../sub-agents/sub-run-gate.js";
import { SubRunPaused } from "../sub-agents/sub-run-paused.js";
import { inParallel } from "./in-parallel.js";
import type { RunParts } from "./run-parts.js";

type Gates = Readonly<Record<string, Gate>> | undefined;

/** The run that the calls belong to. */
export interface CallHost {
  /** The number of the step, from 1. */
  readonly step: number;
  /** Tells the loop what happened. */
  take(event: LoopEvent): void;
}

/** A call that may run. */
interface ReadyCall {
  readonly call: ToolCall;
  readonly prepared: PreparedCall;
  /** Arguments that a person wrote in place of the model's. */
  readonly edited?: Readonly<Record<string, unknown>>;
}

/** Carries out the tool calls of a run: checks them, asks for decisions, runs them. Tells the loop of each. */
export class ToolCalls {
  readonly #parts: RunParts;
  readonly #host: CallHost;
  #scope: RunScope;

  constructor(parts: RunParts, host: CallHost) {
    this.#parts = parts;
    this.#host = host;
    this.#scope = parts.scope;
  }

  /** What may be called in the step, besides what the run allows; `undefined`: nothing less. */
  narrow(profile: ExecutionProfile | undefined): void {
    const { scope } = this.#parts;
    this.#scope = profile === undefined ? scope : { ...scope, profile: { ...scope.profile, ...profile } };
  }

  /**
   * Runs the calls that need no decision at once, and asks for the others meanwhile. Gives what was thrown: interrupts,
   * of which there may be several.
   */
  async execute(calls: readonly ToolCall[], gates: Gates): Promise<readonly unknown[]> {
    const thrown: unknown[] = [];
    const asked: Promise<void>[] = [];
    await inParallel(calls, this.#parts.concurrency, async (call) => {
      try {
        const gate = gates?.[call.id];
        if (gate?.subRun !== undefined) return this.#gate(call.id, gate);
        const preparation = this.#prepare(call, gate !== undefined);
        const prepared = preparation instanceof Promise ? await preparation : preparation;
        if (!(prepared instanceof PreparedCall)) this.#finish(call, prepared);
        else if (gate !== undefined || prepared.requiresConfirmation) asked.push(this.#ask(prepared, gate?.confirmations[0]));
        else await this.#run({ call, prepared });
      } catch (error) {
        thrown.push(error);
      }
    });
    await Promise.all(asked);
    return thrown;
  }

  /**
   * Runs calls that a person approved, all or none: where a tool or the reading of its arguments has changed since, the
   * person is asked again before any of them runs.
   */
  async executeDecided(calls: readonly ToolCall[], gates: Gates): Promise<readonly unknown[]> {
    const ready: ReadyCall[] = [];
    const changed: PreparedCall[] = [];
    for (const call of calls) {
      const gate = gates?.[call.id];
      const prepared = await this.#prepare(call, true);
      if (!(prepared instanceof PreparedCall)) this.#finish(call, prepared);
      else if (gate?.subRun !== undefined) ready.push(this.#resumed(call, prepared, gate.subRun, gate.decisions));
      else if (gate?.confirmations[0]?.id !== fingerprintOf(prepared)) changed.push(prepared);
      else if (isExpired(gate.confirmations[0])) this.#finishWith(call, expired);
      else ready.push(approved(call, prepared, gate.decisions[0]));
    }
    for (const prepared of changed) await this.#ask(prepared, undefined);
    if (changed.length > 0) return [];
    const thrown: unknown[] = [];
    await inParallel(ready, this.#parts.concurrency, async (one) => {
      try {
        await this.#run(one);
      } catch (error) {
        thrown.push(error);
      }
    });
    return thrown;
  }

  /** The faults of arguments that a person wrote in place of the model's; `undefined` where there are none. */
  async faultsOf(call: ToolCall, edited: Readonly<Record<string, unknown>>): Promise<string | undefined> {
    const prepared = await this.#prepare({ ...call, arguments: JSON.stringify(edited) }, true);
    return prepared instanceof PreparedCall ? undefined : prepared.error;
  }

  async #run({ call, prepared, edited }: ReadyCall): Promise<void> {
    try {
      if (edited === undefined) return this.#finish(call, await this.#parts.executor.execute(prepared));
      const text = JSON.stringify(edited);
      const changed = await this.#prepare({ ...call, arguments: text }, true);
      const result = changed instanceof PreparedCall ? await this.#parts.executor.execute(changed) : changed;
      this.#finish(call, result, `A person changed the arguments to ${redactText(text)} before approving this call.\n`);
    } catch (error) {
      if (!(error instanceof SubRunPaused)) throw error;
      this.#gate(call.id, gateOfSubRun(call.id, this.#scope.runId, error));
    }
  }

  #resumed(call: ToolCall, prepared: PreparedCall, state: NonNullable<Gate["subRun"]>, decisions: readonly Decision[]): ReadyCall {
    resumeNext(this.#scope.runId, call.id, { state, decisions: decisionsForSubRun(call.id, decisions, state) });
    return { call, prepared };
  }

  #prepare({ id, name, arguments: text }: ToolCall, decided: boolean): PreparedCall | ToolFailure | Promise<PreparedCall | ToolFailure> {
    const { executor, tools } = this.#parts;
    const request = { id, name: tools.names.toTool(name), arguments: text };
    return decided ? executor.prepare(request, this.#scope, { decided: true }) : executor.prepare(request, this.#scope);
  }

  async #ask(call: PreparedCall, earlier: Confirmation | undefined): Promise<void> {
    const { confirmation: settings, toolContext, scope } = this.#parts;
    const holds = earlier !== undefined && !isExpired(earlier) && earlier.id === fingerprintOf(call);
    const confirmation = holds ? earlier : confirmationOf(call, settings.timeout);
    const decision = await askHandlers(settings.handlers, confirmation, { toolContext, abortSignal: scope.abortSignal });
    // Somebody else may have resumed the same state: the first decision counts.
    const counts = decision !== undefined && (!holds || (await settings.claims.claim(confirmation.id, confirmation.expiresAt)));
    this.#gate(call.id, { confirmations: [confirmation], decisions: counts ? [decision] : [] });
  }

  #gate(id: string, gate: Gate): void {
    const { emit } = this.#parts;
    if (emit !== undefined) {
      for (const confirmation of undecided(gate)) emit({ type: "confirmation_required", step: this.#host.step, confirmation });
    }
    this.#host.take({ type: "call_gated", id, gate });
  }

  #finish(call: ToolCall, result: ToolResult, note = ""): void {
    const content = note + modelText(result);
    this.#finishWith(call, result.error === undefined ? { content, data: result.data } : { content, errorType: result.errorType });
  }

  #finishWith({ id, name }: ToolCall, result: CallResult): void {
    const { emit, tools } = this.#parts;
    emit?.({ type: "tool_result", step: this.#host.step, callId: id, tool: tools.names.toTool(name), ...result });
    this.#host.take({ type: "call_finished", id, result });
  }
}

function approved(call: ToolCall, prepared: PreparedCall, decision: Decision | undefined): ReadyCall {
  return decision?.decision === "approve_edited" ? { call, prepared, edited: decision.arguments } : { call, prepared };
}

const expired: CallResult = Object.freeze({
  content:
    "Not run: the approval of this call came too late, it had expired. Call the tool again if it is still wanted; a person will be asked again.",
  errorType: "confirmation_denied",
});
