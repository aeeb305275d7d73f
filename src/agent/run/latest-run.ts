import type { Confirmation } from "../../confirmation/index.js";
import type { Conversation } from "../../conversation/internal.js";
import { isResumable, type LoopStep, type RunState } from "../../loop/index.js";
import { startableCalls } from "../../loop/internal.js";
import type { Message, ConversationPrefix } from "../../models/index.js";
import type { DecisionClaims } from "../../storage/index.js";
import type { GivenUpRun } from "../../storage/internal.js";
import { unlessAborted } from "../../tool/internal.js";
import { lastExpiry } from "./check-decisions.js";
import { givenUpError, givenUpIn, giveUp, unknownIn, waitingIn } from "./give-up.js";
import { endsIn, historyLeftBy, historyWithUnknown, leavingEvents } from "./given-up-history.js";
import { leaveRecorded } from "./leave-recorded.js";
import type { JournalStorage } from "./run-journal.js";
import type { Run } from "./run.js";

interface WaitingRun {
  readonly runId: string;
  readonly step: LoopStep;
  readonly isJournaled: boolean;
  /** Whether the state was stored in the middle of the run: its calls may have begun since. */
  readonly isCutOff: boolean;
}

/** The latest run of a conversation, in this process or as it was stored: its state, and its end if the conversation goes on without it. */
export class LatestRun {
  readonly #conversation: Conversation;
  #run: Run | undefined;
  /** The run that a loaded conversation waited with. */
  #storedState: RunState | undefined;
  /** The run that a restored history ends in: the messages alone don't show that its calls may be approved. */
  #restoredRun: WaitingRun | undefined;
  /** The runs that waited when this conversation went on, until nothing of them could be approved anyhow. */
  #givenUp: readonly GivenUpRun[] = [];

  constructor(conversation: Conversation) {
    this.#conversation = conversation;
  }

  /** `undefined` if none has begun here since the history was replaced. */
  get run(): Run | undefined {
    return this.#run;
  }

  /** `undefined` if there is no run that can go on. */
  get state(): RunState | undefined {
    if (this.#run === undefined) return this.#storedState;
    const { outcome } = this.#run.state;
    return outcome !== null && !isResumable(outcome) ? undefined : this.#run.snapshot();
  }

  /** The run of this conversation whose calls may wait. */
  get waiting(): WaitingRun | undefined {
    if (this.#run !== undefined) return waitingRun(this.#run.waitingStep, this.#run.runId, this.#run.isJournaled, false);
    // What another version wrote can't be read; the history was put in order when it was loaded.
    const stored = this.#storedState?.version === 1 ? this.#storedState : undefined;
    return stored === undefined
      ? this.#restoredRun
      : waitingRun(stored.loop.current, stored.runId, stored.journaled === true, stored.loop.outcome === null);
  }

  get givenUp(): readonly GivenUpRun[] {
    const now = Date.now();
    return this.#givenUp.filter(({ until }) => Date.parse(until) >= now);
  }

  /** Replaces the history, which must be paired, and the run that waits with it. */
  restore(
    messages: readonly Message[],
    state?: RunState,
    givenUp: readonly GivenUpRun[] = this.#givenUp,
    prefix?: ConversationPrefix,
  ): void {
    const { waiting } = this;
    this.#restoredRun = state === undefined && waiting !== undefined && endsIn(messages, waiting.step) ? waiting : undefined;
    this.#givenUp = givenUp;
    this.#conversation.restoreWith(messages, prefix);
    this.#run = undefined;
    this.#storedState = state;
  }

  /** Another run has begun. */
  begin(run: Run | undefined): void {
    this.#run = run;
    this.#storedState = undefined;
    this.#restoredRun = undefined;
  }

  /**
   * The conversation goes on without the run, which `storage` may have a record of. Returns the confirmations that can't be approved any
   * more.
   */
  leave(
    claims: DecisionClaims,
    signal: AbortSignal | undefined,
    storage: JournalStorage | undefined,
  ): readonly Confirmation[] | Promise<readonly Confirmation[]> {
    const { waiting } = this;
    if (waiting !== undefined) return this.#giveUp(waiting, claims, signal, storage);
    if (this.#run !== undefined || this.#storedState !== undefined) this.#leaveHistory([]);
    return noConfirmations;
  }

  async #giveUp(
    waiting: WaitingRun,
    claims: DecisionClaims,
    signal: AbortSignal | undefined,
    storage: JournalStorage | undefined,
  ): Promise<readonly Confirmation[]> {
    const { runId, step, isJournaled } = waiting;
    const give = () => (isJournaled ? leaveRecorded(storage, runId, step) : giveUp(step, claims));
    // If the run is aborted meanwhile, it isn't known what was given up.
    const { confirmations, decidedElsewhere } = (await unlessAborted(give, signal)) ?? unknownIn(step);
    const unknown = waiting.isCutOff ? [...decidedElsewhere, ...startableCalls(step).map(({ id }) => id)] : decidedElsewhere;
    const until = lastExpiry(waitingIn(waiting.step));
    if (until !== undefined) this.#givenUp = [...this.givenUp, { runId: waiting.runId, until }];
    this.#leaveHistory(unknown, waiting);
    return confirmations;
  }

  /** Calls of the run that wait get their results. */
  #leaveHistory(decidedElsewhere: readonly string[], waiting?: WaitingRun): void {
    const events = leavingEvents(decidedElsewhere, waiting?.step);
    for (const event of events) this.#run?.take(event);
    if (waiting !== undefined) {
      if (this.#storedState !== undefined) this.#conversation.restore(historyLeftBy(this.#storedState, events));
      else if (this.#run === undefined) {
        this.#conversation.restore(historyWithUnknown(this.#conversation.copyFrom(0), decidedElsewhere));
      }
    }
    this.begin(undefined);
  }

  /** Throws `RunStateError` if the conversation went on without the run: the model read that its calls were not run. */
  async refuseGivenUp({ runId, loop }: RunState, claims: DecisionClaims): Promise<void> {
    const confirmation = await givenUpIn(loop.current, claims);
    if (confirmation !== undefined || this.#givenUp.some((one) => one.runId === runId)) throw givenUpError(runId, confirmation);
  }
}

const noConfirmations: readonly Confirmation[] = [];

const waitingRun = (step: LoopStep | null, runId: string, isJournaled: boolean, isCutOff: boolean): WaitingRun | undefined =>
  step === null ? undefined : { runId, step, isJournaled, isCutOff };
