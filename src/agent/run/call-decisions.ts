import type { Confirmation } from "../../confirmation/index.js";
import { askHandlers, confirmationOf, fingerprintOf, isExpired, useOf } from "../../confirmation/internal.js";
import { definitionHash, type Preparation, type PreparedCall } from "../../execution/index.js";
import { type Gate, type RunState, undecided } from "../../loop/index.js";
import type { ToolCall } from "../../models/index.js";
import { untilAborted } from "../../tool/internal.js";
import type { CallHost, CallResults } from "./call-results.js";
import { whyNotAvailable } from "./decision-obstacle.js";
import { ObstacleFinder } from "./find-obstacle.js";
import type { RunParts } from "./run-parts.js";

/** Asks the run's handlers about calls that wait for a person, and uses their decisions up. */
export class CallDecisions {
  readonly obstacles: ObstacleFinder;
  readonly #parts: RunParts;
  readonly #host: CallHost;
  readonly #results: CallResults;

  /** `prepare` prepares a call that a person decided about. */
  constructor(parts: RunParts, host: CallHost, results: CallResults, prepare: (call: ToolCall) => Preparation) {
    this.#parts = parts;
    this.#host = host;
    this.#results = results;
    this.obstacles = new ObstacleFinder(parts, prepare);
  }

  /** `gate`: what was asked about the call before, if the run is resumed. */
  async ask(call: PreparedCall, gate: Gate | undefined): Promise<void> {
    const { confirmation: settings, toolContext, scope } = this.#parts;
    const { confirmations: [earlier] = [], begun } = gate ?? {};
    const holds = earlier !== undefined && !isExpired(earlier) && earlier.id === fingerprintOf(call, begun);
    const confirmation = holds ? earlier : confirmationOf(call, settings.timeout, begun);
    const decision = await askHandlers(settings.handlers, confirmation, {
      definition: call.definition,
      toolContext,
      abortSignal: scope.abortSignal,
    });
    // Somebody else may have resumed the same state: the first decision counts.
    const counts = decision !== undefined && (!holds || (await this.#claim(confirmation.id, confirmation)));
    const asked = { definition: definitionHash(call.definition), ...call.settled };
    this.#results.gate(call.id, { confirmations: [confirmation], decisions: counts ? [decision] : [], asked, ...(begun && { begun }) });
  }

  /** Asks for the calls of a sub-agent that wait, each as if this run had made it. */
  async askOfSubRun(call: ToolCall, gate: Gate, subRun: RunState): Promise<void> {
    const { confirmation: settings, toolContext, scope } = this.#parts;
    const decisions = [...gate.decisions];
    for (const confirmation of undecided(gate)) {
      const decision = await askHandlers(settings.handlers, confirmation, { toolContext, abortSignal: scope.abortSignal });
      if (decision === undefined) continue;
      const obstacle =
        decision.decision === "deny" ? undefined : await untilAborted(this.obstacles.obstacleTo(call, subRun, decision), scope.abortSignal);
      if (obstacle !== undefined) {
        // The sub-agent's run would end by it: its call goes on waiting.
        const why = obstacle.reason === "not_available" ? whyNotAvailable : obstacle.faults;
        this.#results.warn(confirmation.callId, confirmation.tool, why);
        continue;
      }
      if (await this.#claim(confirmation.id, confirmation)) decisions.push(decision);
    }
    this.#results.gate(call.id, { ...gate, decisions });
  }

  /**
   * Whether the decision about a call counts. A run that was stopped after the decision has it in its state, which may be resumed twice. So
   * may the states that those runs leave.
   */
  async mayUse(id: string, gate: Gate | undefined): Promise<boolean> {
    const { resumptions } = this.#parts;
    const confirmation = gate?.confirmations[0];
    if (resumptions === 0 || gate === undefined || confirmation === undefined) return true;
    const { uses = 0 } = gate;
    if (!(await this.#claim(useOf(confirmation, uses), confirmation))) return false;
    this.#host.take({ type: "call_gated", id, gate: { ...gate, uses: uses + 1 } });
    return true;
  }

  #claim(id: string, { expiresAt }: Confirmation): boolean | PromiseLike<boolean> {
    const { confirmation: settings, scope } = this.#parts;
    return untilAborted(settings.claims.claim([id], expiresAt), scope.abortSignal);
  }
}
