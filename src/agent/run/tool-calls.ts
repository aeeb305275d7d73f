import { definitionHash, modelText, PreparedCall, type RunScope } from "../../execution/index.js";
import { copyJson, executeUnread, settledOf } from "../../execution/internal.js";
import type { TokenUsage, ToolCall } from "../../models/index.js";
import { redactText } from "../../redaction/index.js";
import type { ToolFailure, ToolResult } from "../../tool/index.js";
import { untilAborted } from "../../tool/internal.js";
import { warnProcess } from "../../redaction/internal.js";
import { askHandlers, editedNote, confirmationOf, fingerprintOf, isExpired, useOf } from "../../confirmation/internal.js";
import type { Confirmation, Decision } from "../../confirmation/index.js";
import { type Approval, type DecisionObstacle, type ObstacleSearch, obstacleSearch, whyNotAvailable } from "./decision-obstacle.js";
import { type CallResult, type Gate, type Gates, gateOf, type LoopEvent, undecided, type RunState } from "../../loop/index.js";
import { subAgentEvent, toolResultEvent } from "../stream/agent-event.js";
import { type CallingCall, duringCall } from "../sub-agents/calling-run.js";
import type { Resumption } from "../sub-agents/resumption.js";
import { makeAgent } from "../sub-agents/run-sub-agent.js";
import { gateOfLeftRun, gateOfSubRun, resumptionOf } from "../sub-agents/sub-run-gate.js";
import { SubRunPaused } from "../sub-agents/sub-run-paused.js";
import { inParallel } from "./in-parallel.js";
import type { RunParts } from "./run-parts.js";

/** The run that the calls belong to. */
export interface CallHost {
  /** The number of the step, from 1. */
  readonly step: number;
  /** Whether no further call may begin. */
  readonly interrupted: boolean;
  /** Tells the loop what happened. */
  take(event: LoopEvent): void;
}

/** A call that may run. */
interface ReadyCall {
  readonly call: ToolCall;
  readonly prepared: PreparedCall;
  /** Arguments that a person wrote in place of the model's. */
  readonly edited?: Readonly<Record<string, unknown>>;
  /** The sub-agent's run with which the call goes on. */
  readonly resumption?: Resumption;
}

/** Carries out the tool calls of a run: checks them, asks for decisions, runs them. Tells the loop of each. */
export class ToolCalls {
  readonly #parts: RunParts;
  readonly #host: CallHost;
  #scope: RunScope;
  /** By the states of sub-agents' runs: several decisions may be for one. */
  #obstacles: Map<RunState, Promise<ObstacleSearch>> | undefined;

  constructor(parts: RunParts, host: CallHost) {
    this.#parts = parts;
    this.#host = host;
    this.#scope = parts.scope;
  }

  /** The names of the run's tools that may be called in the step; `undefined`: all. */
  narrow(allowedTools: readonly string[] | undefined): void {
    const { scope } = this.#parts;
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
    await inParallel(calls, this.#parts.concurrency, async (call) => {
      if (this.#host.interrupted) return;
      try {
        const gate = gateOf(gates, call.id);
        if (gate?.subRun !== undefined) {
          waitFor(this.#askOfSubRun(call, gate, gate.subRun));
          return;
        }
        const preparation = this.#prepare(call, gate !== undefined, gate);
        const prepared = preparation instanceof Promise ? await preparation : preparation;
        if (!(prepared instanceof PreparedCall)) this.#finish(call, prepared);
        else if (gate !== undefined || prepared.requiresConfirmation) waitFor(this.#ask(prepared, gate?.confirmations[0]));
        else if (this.#parts.calling === undefined) this.#finish(call, await this.#execute(prepared, undefined));
        else await this.#run({ call, prepared });
      } catch (error) {
        thrown.push(error);
      }
    });
    if (asked.length > 0) await Promise.all(asked);
    return thrown;
  }

  /**
   * Runs calls that a person approved, all or none: where a tool or the reading of its arguments has changed since, the
   * person is asked again before any of them runs.
   */
  async executeDecided(calls: readonly ToolCall[], gates: Gates | undefined): Promise<readonly unknown[]> {
    const ready: ReadyCall[] = [];
    const changed: PreparedCall[] = [];
    for (const call of calls) {
      const gate = gateOf(gates, call.id);
      const prepared = await this.#prepare(call, true, gate);
      if (!(prepared instanceof PreparedCall))
        this.#finishApproved(call, gate, { content: modelText(prepared), errorType: prepared.errorType });
      else if (gate?.subRun !== undefined) ready.push({ call, prepared, resumption: resumptionOf(call.id, gate.subRun, gate.decisions) });
      else if (gate?.confirmations[0]?.id !== fingerprintOf(prepared)) changed.push(prepared);
      else if (isExpired(gate.confirmations[0])) this.#finishApproved(call, gate, expired);
      else ready.push(approved(call, prepared, gate.decisions[0]));
    }
    for (const prepared of changed) {
      this.#warnOfApproval(prepared.id, prepared.name, changedSince);
      await this.#ask(prepared, undefined);
    }
    if (changed.length > 0) return [];
    const thrown: unknown[] = [];
    await inParallel(ready, this.#parts.concurrency, async (one) => {
      if (this.#host.interrupted) return;
      try {
        const gate = gateOf(gates, one.call.id);
        if (await this.#mayUse(one.call.id, gate)) await this.#run(one);
        else this.#finishApproved(one.call, gate, used);
      } catch (error) {
        thrown.push(error);
      }
    });
    return thrown;
  }

  /**
   * Whether what was decided of a call counts: a run that was stopped after the decision has it in its state, which may
   * be resumed twice, and so may the states that those runs leave.
   */
  async #mayUse(id: string, gate: Gate | undefined): Promise<boolean> {
    const { resumptions } = this.#parts;
    const confirmation = gate?.confirmations[0];
    if (resumptions === 0 || gate === undefined || confirmation === undefined) return true;
    const { uses = 0 } = gate;
    if (!(await this.#claim(useOf(confirmation, uses), confirmation))) return false;
    this.#host.take({ type: "call_gated", id, gate: { ...gate, uses: uses + 1 } });
    return true;
  }

  /** Why a call, or one of its sub-agent's run, can't run as a person approved it. */
  async obstacleTo(call: ToolCall, subRun: RunState | undefined, decision: Approval): Promise<DecisionObstacle | undefined> {
    const { tools } = this.#parts;
    const name = tools.names.toTool(call.name);
    if (tools.classes.every(({ definition }) => definition.name !== name)) return { reason: "not_available" };
    if (subRun !== undefined) return this.#obstacleInSubRun(call, subRun, decision);
    if (decision.decision === "approve") return undefined;
    const prepared = await this.#prepare({ ...call, arguments: JSON.stringify(decision.arguments) }, true);
    return prepared instanceof PreparedCall ? undefined : { reason: "invalid_arguments", faults: prepared.error };
  }

  async #obstacleInSubRun(call: ToolCall, subRun: RunState, decision: Approval): Promise<DecisionObstacle | undefined> {
    const { tools, calling } = this.#parts;
    const name = tools.names.toTool(call.name);
    const agentClass = tools.agents.find(({ definition }) => definition.name === name);
    // If it is another tool by now, the model reads so.
    if (agentClass === undefined || calling === undefined) return undefined;
    const { state, decisions } = resumptionOf(call.id, subRun, [decision]);
    if (decisions[0] === undefined) return undefined;
    this.#obstacles ??= new Map();
    let search = this.#obstacles.get(subRun);
    if (search === undefined) {
      search = makeAgent(agentClass, calling).then((agent) => calling.settings(() => agent[obstacleSearch](state, calling.options)));
      this.#obstacles.set(subRun, search);
    }
    return (await search)(decisions[0]);
  }

  async #run({ call, prepared, edited, resumption }: ReadyCall): Promise<void> {
    const { calling } = this.#parts;
    const place: CallingCall | undefined = calling && { run: calling, resumption, hear: this.#hearing(call) };
    try {
      if (edited === undefined) return this.#finish(call, await this.#execute(prepared, place), "", place);
      const changed = await this.#prepare({ ...call, arguments: JSON.stringify(edited) }, true);
      const result = changed instanceof PreparedCall ? await this.#execute(changed, place) : changed;
      this.#finish(call, result, editedNote(edited), place);
    } catch (error) {
      if (error instanceof SubRunPaused) return this.#gate(call.id, gateOfSubRun(call.id, this.#scope.runId, error));
      if (place?.left !== undefined) this.#gate(call.id, gateOfLeftRun(place.left));
      throw error;
    }
  }

  /** Passes on the events of a sub-agent's run. */
  #hearing({ id }: ToolCall): CallingCall["hear"] {
    const { emit } = this.#parts;
    if (emit === undefined) return undefined;
    const { step } = this.#host;
    return (agent, event) => {
      const told = subAgentEvent(step, id, agent, event);
      if (told !== undefined) emit(told);
    };
  }

  #execute(call: PreparedCall, place: CallingCall | undefined): Promise<ToolResult> {
    const { emit, executor } = this.#parts;
    if (emit !== undefined) {
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
    const { executor, tools } = this.#parts;
    const request = { id, name: tools.names.toTool(name), arguments: text };
    return decided ? executor.prepare(request, this.#scope, { decided: true, asked: gate?.asked }) : executor.prepare(request, this.#scope);
  }

  async #ask(call: PreparedCall, earlier: Confirmation | undefined): Promise<void> {
    const { confirmation: settings, toolContext, scope } = this.#parts;
    const holds = earlier !== undefined && !isExpired(earlier) && earlier.id === fingerprintOf(call);
    const confirmation = holds ? earlier : confirmationOf(call, settings.timeout);
    const decision = await askHandlers(settings.handlers, confirmation, { toolContext, abortSignal: scope.abortSignal });
    // Somebody else may have resumed the same state: the first decision counts.
    const counts = decision !== undefined && (!holds || (await this.#claim(confirmation.id, confirmation)));
    const asked = { definition: definitionHash(call.definition), ...call.settled };
    this.#gate(call.id, { confirmations: [confirmation], decisions: counts ? [decision] : [], asked });
  }

  /** Asks for the calls of a sub-agent that wait, each as if this run had made it. */
  async #askOfSubRun(call: ToolCall, gate: Gate, subRun: RunState): Promise<void> {
    const { confirmation: settings, toolContext, scope } = this.#parts;
    const decisions = [...gate.decisions];
    for (const confirmation of undecided(gate)) {
      const decision = await askHandlers(settings.handlers, confirmation, { toolContext, abortSignal: scope.abortSignal });
      if (decision === undefined) continue;
      const obstacle =
        decision.decision === "deny" ? undefined : await untilAborted(this.obstacleTo(call, subRun, decision), scope.abortSignal);
      if (obstacle !== undefined) {
        // The sub-agent's run would end by it: its call goes on waiting.
        this.#warnOfApproval(
          confirmation.callId,
          confirmation.tool,
          obstacle.reason === "not_available" ? whyNotAvailable : obstacle.faults,
        );
        continue;
      }
      if (await this.#claim(confirmation.id, confirmation)) decisions.push(decision);
    }
    this.#gate(call.id, { ...gate, decisions });
  }

  #claim(id: string, { expiresAt }: Confirmation): boolean | PromiseLike<boolean> {
    const { confirmation: settings, scope } = this.#parts;
    return untilAborted(settings.claims.claim([id], expiresAt), scope.abortSignal);
  }

  #gate(id: string, gate: Gate): void {
    const { emit } = this.#parts;
    if (emit !== undefined) {
      for (const confirmation of undecided(gate)) emit({ type: "confirmation_required", step: this.#host.step, confirmation });
    }
    this.#host.take({ type: "call_gated", id, gate });
  }

  #finish(call: ToolCall, result: ToolResult, note = "", place?: CallingCall): void {
    const content = note + modelText(result);
    const told = result.error === undefined ? { content, data: result.data } : { content, errorType: result.errorType };
    this.#finishWith(call, told, place?.used);
  }

  /** A call that didn't run although a person approved it: the model reads why, and the application gets a warning. */
  #finishApproved(call: ToolCall, gate: Gate | undefined, result: CallResult): void {
    // A call interrupted in a sub-agent may have no approval; for an aborted run, the outcome says enough.
    if (gate?.decisions.some(({ decision }) => decision !== "deny") === true && result.errorType !== "cancelled") {
      this.#warnOfApproval(call.id, this.#parts.tools.names.toTool(call.name), result.content);
    }
    this.#finishWith(call, result);
  }

  #warnOfApproval(callId: string, tool: string, why: string): void {
    const { runId } = this.#parts.scope;
    warnProcess(`The call "${callId}" (${tool}) of run ${runId} was approved, and didn't run: ${redactText(why)}`);
  }

  /** `usage`: the tokens of the sub-agent that the call ran. */
  #finishWith({ id, name }: ToolCall, result: CallResult, usage?: TokenUsage): void {
    const { emit, tools } = this.#parts;
    emit?.(toolResultEvent(this.#host.step, id, tools.names.toTool(name), result));
    this.#host.take(usage === undefined ? { type: "call_finished", id, result } : { type: "call_finished", id, result, usage });
  }
}

function approved(call: ToolCall, prepared: PreparedCall, decision: Decision | undefined): ReadyCall {
  return decision?.decision === "approve_edited" ? { call, prepared, edited: decision.arguments } : { call, prepared };
}

const used: CallResult = Object.freeze({
  content:
    "Not run: the approval of this call was used already, where the same run was resumed before. Find out whether the call took effect before you call the tool again; a person will be asked again.",
  errorType: "confirmation_denied",
});

/** For operators: the person is asked again. */
const changedSince =
  "the tool is defined otherwise than when it was approved (its description, schema or policy), or its arguments are read otherwise. A person is asked again.";

const expired: CallResult = Object.freeze({
  content:
    "Not run: the approval of this call came too late, it had expired. Call the tool again if it is still wanted; a person will be asked again.",
  errorType: "confirmation_denied",
});
