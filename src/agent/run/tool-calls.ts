import { modelText, PreparedCall, type RunScope } from "../../execution/index.js";
import { copyJson, executeUnread, hasEffect, isHarmlessToRepeat, settledOf } from "../../execution/internal.js";
import type { ToolCall } from "../../models/index.js";
import type { ToolFailure, ToolResult } from "../../tool/index.js";
import { untilAborted } from "../../tool/internal.js";
import { answerValue, editedNote, fingerprintOf, isExpired } from "../../confirmation/internal.js";
import type { Answer, Decision } from "../../confirmation/index.js";
import { type CallResult, type Gate, type Gates, gateOf } from "../../loop/index.js";
import type { Replaying } from "../replay/replaying.js";
import { subAgentEvent } from "../stream/agent-event.js";
import { type CallingCall, duringCall } from "../sub-agents/calling-run.js";
import type { Resumption } from "../sub-agents/resumption.js";
import { gateOfLeftRun, gateOfSubRun, resumptionOf } from "../sub-agents/sub-run-gate.js";
import { SubRunPaused } from "../sub-agents/sub-run-paused.js";
import { CallDecisions } from "./call-decisions.js";
import { type CallHost, CallResults } from "./call-results.js";
import { inParallel } from "./in-parallel.js";
import type { RunParts } from "./run-parts.js";

/** A call that may run. */
interface ReadyCall {
  readonly call: ToolCall;
  readonly prepared: PreparedCall;
  /** Arguments that a person wrote in place of the model's. */
  readonly edited?: Readonly<Record<string, unknown>>;
  /** The sub-agent's run with which the call goes on. */
  readonly resumption?: Resumption;
}

/** Carries out the tool calls of a run: prepares them, has a person asked about those that need it, runs the others. */
export class ToolCalls {
  readonly #parts: RunParts;
  readonly #host: CallHost;
  readonly #results: CallResults;
  #scope: RunScope;
  /** The names that the step is limited to. */
  #allowed: readonly string[] | undefined;
  #decisions: CallDecisions | undefined;

  constructor(parts: RunParts, host: CallHost) {
    this.#parts = parts;
    this.#host = host;
    this.#scope = parts.scope;
    this.#results = new CallResults(parts, host);
  }

  /** Made on use: most runs need no approval. */
  get decisions(): CallDecisions {
    this.#decisions ??= new CallDecisions(this.#parts, this.#host, this.#results, (call) => this.#prepare(call, true));
    return this.#decisions;
  }

  /** The names of the run's tools that may be called in the step; `undefined`: all. */
  narrow(allowedTools: readonly string[] | undefined): void {
    const { scope } = this.#parts;
    this.#allowed = allowedTools;
    this.#scope = allowedTools === undefined ? scope : { ...scope, profile: { ...scope.profile, allowedTools } };
  }

  /**
   * Runs the calls that need no decision at once, and asks for the others meanwhile. Gives what was thrown, by
   * calls that interrupt the run and by claims that fail: there may be several.
   */
  async execute(calls: readonly ToolCall[], gates: Gates | undefined): Promise<readonly unknown[]> {
    const thrown: unknown[] = [];
    const asked: Promise<unknown>[] = [];
    // Caught at once: one that fails while others are under way would end the process, and their results be lost.
    const waitFor = (asking: Promise<void>) => asked.push(asking.catch((error: unknown) => thrown.push(error)));
    const { replaying, concurrency } = this.#parts;
    // The calls of a replay take the recorded results in their order.
    await inParallel(calls, replaying === undefined ? concurrency : 1, async (call) => {
      if (this.#host.interrupted) return;
      try {
        const gate = gateOf(gates, call.id);
        if (gate?.subRun !== undefined) {
          waitFor(this.decisions.askOfSubRun(call, gate, gate.subRun));
          return;
        }
        const preparation = this.#prepare(call, gate !== undefined, gate);
        const prepared = preparation instanceof Promise ? await preparation : preparation;
        if (!(prepared instanceof PreparedCall)) this.#results.finish(call, prepared);
        else if (gate === undefined && replaying !== undefined) {
          const asking = await this.#answerFromRecord(call, prepared, replaying);
          if (asking !== undefined) waitFor(asking());
        } else if (gate !== undefined || prepared.requiresConfirmation) waitFor(this.decisions.ask(prepared, gate));
        else if (this.#parts.calling === undefined) this.#results.finish(call, await this.#execute(prepared, undefined));
        else await this.#run({ call, prepared });
      } catch (error) {
        thrown.push(error);
      }
    });
    if (asked.length > 0) await Promise.all(asked);
    return thrown;
  }

  /**
   * Runs calls that a person approved, all or none. If a tool changed since, or its arguments are parsed differently now, the person is
   * asked again before any of them runs.
   */
  async executeDecided(calls: readonly ToolCall[], gates: Gates | undefined): Promise<readonly unknown[]> {
    const ready: ReadyCall[] = [];
    const changed: { readonly prepared: PreparedCall; readonly gate: Gate | undefined }[] = [];
    for (const call of calls) {
      const gate = gateOf(gates, call.id);
      const prepared = await this.#prepare(call, true, gate);
      if (!(prepared instanceof PreparedCall))
        this.#results.refuse(call, gate, { content: modelText(prepared), errorType: prepared.errorType });
      else if (gate?.subRun !== undefined) ready.push({ call, prepared, resumption: resumptionOf(call.id, gate.subRun, gate.decisions) });
      else if (gate?.confirmations[0]?.id !== fingerprintOf(prepared, gate?.begun)) changed.push({ prepared, gate });
      // An answer came in time.
      else if (gate.decisions[0]?.decision === "answer") ready.push(answered(call, prepared, gate.decisions[0]));
      else if (isExpired(gate.confirmations[0])) this.#results.refuse(call, gate, expired);
      else ready.push(approved(call, prepared, gate.decisions[0]));
    }
    for (const { prepared, gate } of changed) {
      this.#results.warn(prepared.id, prepared.name, changedSince);
      await this.decisions.ask(prepared, gate);
    }
    if (changed.length > 0) return [];
    const thrown: unknown[] = [];
    await inParallel(ready, this.#parts.concurrency, async (one) => {
      if (this.#host.interrupted) return;
      try {
        const gate = gateOf(gates, one.call.id);
        if (await this.decisions.mayUse(one.call.id, gate)) await this.#run(one);
        else this.#results.refuse(one.call, gate, used);
      } catch (error) {
        thrown.push(error);
      }
    });
    return thrown;
  }

  async #run({ call, prepared, edited, resumption }: ReadyCall): Promise<void> {
    const { calling } = this.#parts;
    const place: CallingCall | undefined = calling && { run: calling, resumption, onEvent: this.#eventsOf(call) };
    try {
      if (edited === undefined) return this.#results.finish(call, await this.#execute(prepared, place), "", place?.used);
      const changed = await this.#prepare({ ...call, arguments: JSON.stringify(edited) }, true);
      const result = changed instanceof PreparedCall ? await this.#execute(changed, place) : changed;
      this.#results.finish(call, result, editedNote(edited), place?.used);
    } catch (error) {
      if (error instanceof SubRunPaused) return this.#results.gate(call.id, gateOfSubRun(call.id, this.#scope.runId, error));
      if (place?.left !== undefined) this.#results.gate(call.id, gateOfLeftRun(place.left));
      throw error;
    }
  }

  /** Answers a call of a replay. If the record doesn't have it, returns what asks a person. */
  async #answerFromRecord(call: ToolCall, prepared: PreparedCall, { answers }: Replaying): Promise<(() => Promise<void>) | undefined> {
    const { abortSignal } = this.#parts.scope;
    const { state, result } = (await untilAborted(answers.take(call.arguments, prepared), abortSignal)) ?? {};
    if (state === "answered" && result !== undefined) {
      this.#results.finishRecorded(call, result);
      return undefined;
    }
    return () => this.decisions.ask(prepared, state === "begun" ? cutOffBefore : undefined);
  }

  /** Passes on the events of a sub-agent's run. */
  #eventsOf({ id }: ToolCall): CallingCall["onEvent"] {
    const { emit } = this.#parts;
    if (emit === undefined) return undefined;
    const { step } = this.#host;
    return (agent, event) => {
      const passed = subAgentEvent(step, id, agent, event);
      if (passed !== undefined) emit(passed);
    };
  }

  /** A call with an effect begins once the record of the run would survive a crash. */
  #execute(call: PreparedCall, place: CallingCall | undefined): Promise<ToolResult> {
    const { journal } = this.#parts;
    if (journal === undefined || !hasEffect(call.definition)) return this.#begin(call, place);
    const recorded = this.#mayRunAgain(call) ? journal.written() : journal.begin(call.id);
    return recorded.then(() => this.#begin(call, place));
  }

  /** Whether the call does no harm, or goes on, if it runs again after a crash: a sub-agent has a journal of its own. */
  #mayRunAgain({ name, definition }: PreparedCall): boolean {
    return isHarmlessToRepeat(definition) || this.#parts.tools.agents.some((agent) => agent.definition.name === name);
  }

  #begin(call: PreparedCall, place: CallingCall | undefined): Promise<ToolResult> {
    const { emit, executor } = this.#parts;
    if (emit !== undefined && call.answer === undefined) {
      const attempt = call.scope.ledger.nextAttempt(call.name);
      const input = copyJson(settledOf(call).input);
      emit({ type: "tool_started", step: this.#host.step, callId: call.id, tool: call.name, attempt, input });
    }
    return place === undefined ? executeUnread(executor, call) : duringCall(place, () => executeUnread(executor, call));
  }

  /** `gate`: of a call that a person was asked about, which is made with the arguments that were shown. */
  #prepare(
    { id, name, arguments: text }: ToolCall,
    decided: boolean,
    gate?: Gate,
  ): PreparedCall | ToolFailure | Promise<PreparedCall | ToolFailure> {
    const { executor, tools, offered, scope, replaying } = this.#parts;
    const request = { id, name: tools.names.toTool(name), arguments: text };
    // A call that a person decided about was offered before it was asked for.
    if (decided) return executor.prepare(request, this.#scope, { decided: true, asked: gate?.asked });
    const offeredScope = offered.scopeOf(request.name, scope, this.#scope, this.#allowed);
    // Each call of a replay is answered from the record or asked about, whatever its rule says: the rule, which is code of the tool, isn't run.
    return executor.prepare(request, offeredScope, replaying === undefined ? undefined : { decided: true });
  }
}

function approved(call: ToolCall, prepared: PreparedCall, decision: Decision | undefined): ReadyCall {
  return decision?.decision === "approve_edited" ? { call, prepared, edited: decision.arguments } : { call, prepared };
}

function answered(call: ToolCall, prepared: PreparedCall, { callId, value }: Answer): ReadyCall {
  prepared.answer = { value: answerValue(callId, value) };
  return { call, prepared };
}

const used: CallResult = Object.freeze({
  content:
    "Not run: the approval of this call was already used when the same run was resumed before. Check with a read-only tool whether it took effect before you call the tool again; a person will be asked again.",
  errorType: "confirmation_denied",
});

/** The recorded run began such a call, and it isn't known whether it took effect: the person must know. */
const cutOffBefore: Gate = Object.freeze({ confirmations: [], decisions: [], begun: 1 });

/** For operators: the person is asked again. */
const changedSince =
  "the tool's description, schema or policy changed after the approval, or its arguments are parsed differently now. A person is asked again.";

const expired: CallResult = Object.freeze({
  content: "Not run: the approval of this call had expired. Call the tool again if it is still wanted; a person will be asked again.",
  errorType: "confirmation_denied",
});
