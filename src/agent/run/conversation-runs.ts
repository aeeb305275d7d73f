import { AttemptLedger } from "../../execution/index.js";
import { keepSettings, type WithSettings } from "../../execution/internal.js";
import type { Message } from "../../models/index.js";
import { type SubAgentClass, classNameOf } from "../agent-class.js";
import type { Prompt, GenerateOptions, ResumeOptions } from "../run-options.js";
import { unlessAborted } from "../../tool/internal.js";
import { agentDefinitionOf } from "../agent-definition.js";
import { promptFault, Conversation } from "../../conversation/internal.js";
import { checkGenerateOptions, checkResumeOptions } from "../check-run-options.js";
import { checkApprovals, checkDecisions, claimDecisions, lastExpiry } from "./check-decisions.js";
import type { DecisionClaims } from "../../storage/index.js";
import { processClaims, type GivenUpRun } from "../../storage/internal.js";
import { type GivenUp, giveUp, givenUpIn, unknownIn, waitingIn } from "./give-up.js";
import {
  openConfirmations,
  RunStateError,
  initialState,
  isResumable,
  type LoopStep,
  type RunOutcome,
  reopen,
  type RunState,
} from "../../loop/index.js";
import type { ObstacleSearch } from "./decision-obstacle.js";
import { AgentBusyError } from "../agent-errors.js";
import { type AgentResponse, type EndedRun, responseOf } from "../agent-response.js";
import { keepTools } from "../response-tools.js";
import { openState } from "../../loop/internal.js";
import type { AgentEvent } from "../stream/agent-event.js";
import { streamProgress } from "../stream/progress-events.js";
import { aroundRun, type RunningAgent } from "./run-hooks.js";
import { endsIn, givenUpError, historyLeftBy, historyWithUnknown, leavingEvents, withoutPartialAnswer } from "./left-run.js";
import { type EarlierRun, type PreparedRun, prepareRun } from "./prepare-run.js";
import { Run } from "./run.js";
import { limitWallTime, withPresence } from "./run-signal.js";
import { blockedOutcome } from "./run-ending.js";

type Emit = (event: AgentEvent) => void;

/** The runs of one conversation, one after another. */
export class ConversationRuns<Output> {
  readonly conversation = new Conversation();
  readonly #agent: RunningAgent;
  #busy = false;
  /** The run that is under way, or the last one. */
  #run: Run | undefined;
  #interruption: string | undefined;
  /** The run that a loaded conversation waited with. */
  #storedState: RunState | undefined;
  /** The run that a restored history ends in: the messages alone don't tell that its calls may be approved. */
  #restoredRun: WaitingRun | undefined;
  /** The runs that waited when this conversation went on, until nothing of them could be approved anyhow. */
  #givenUp: readonly GivenUpRun[] = [];

  constructor(agent: RunningAgent) {
    this.#agent = agent;
  }

  /** `undefined` if there is no run that can go on. */
  get state(): RunState | undefined {
    if (this.#run === undefined) return this.#storedState;
    const { outcome } = this.#run.state;
    return outcome !== null && !isResumable(outcome) ? undefined : this.#run.snapshot();
  }

  /** Replaces the history, which must be paired, and the run that waits with it. Throws `AgentBusyError` during a run. */
  restore(messages: readonly Message[], state?: RunState, givenUp: readonly GivenUpRun[] = this.#givenUp): void {
    this.refuseWhileBusy();
    const waiting = this.#waiting;
    this.#restoredRun = state === undefined && waiting !== undefined && endsIn(messages, waiting.step) ? waiting : undefined;
    this.#givenUp = givenUp;
    this.conversation.restore(messages);
    this.#run = undefined;
    this.#storedState = state;
  }

  get givenUp(): readonly GivenUpRun[] {
    const now = Date.now();
    return this.#givenUp.filter(({ until }) => Date.parse(until) >= now);
  }

  /** False if no run is under way. */
  interrupt(reason: string): boolean {
    if (!this.#busy) return false;
    this.#interruption = reason;
    this.#run?.interrupt(reason);
    return true;
  }

  /**
   * `place`: where a page wants the prompt. It goes to the end if there is none. Without a prompt the conversation goes on as it is.
   */
  generate(given: Prompt | undefined, asked: GenerateOptions, emit?: Emit, wanted?: PromptPlace): Promise<AgentResponse<Output>> {
    const settings = keepSettings();
    return this.#surrounded(asked, checkGenerateOptions, async (options) => {
      const { prompt, place } = given === undefined ? this.#unanswered : { prompt: given, place: wanted };
      const fault = prompt === undefined ? undefined : promptFault(prompt);
      if (fault !== undefined) throw new TypeError(`The prompt ${fault}`);
      const { abortSignal } = options;
      const prepared = await this.#prepare(options, settings, emit);
      const waiting = this.#waiting;
      // Most conversations have no waiting run, and a thousand runs at once shouldn't wait for nothing.
      const left =
        waiting === undefined ? nothingLeft : await giveUpUnlessAborted(waiting.step, prepared.parts.confirmation.claims, abortSignal);
      this.#leaveRun(waiting, left);
      let start = this.conversation.length;
      const run = new Run(prepared.parts, initialState(prepared.limits), left.confirmations);
      const { checkPrompt, isResolved } = prepared;
      const checked = checkPrompt && prompt !== undefined ? await unlessAborted(() => checkPrompt(prompt), abortSignal) : { prompt };
      if (checked !== undefined && "blocked" in checked && checked.blocked !== undefined)
        run.take({ type: "stopped", outcome: blockedOutcome(checked) });
      else if (checked?.prompt !== undefined) {
        if (place?.keep !== undefined) this.conversation.restore(this.conversation.copyFrom(0).slice(0, place.keep));
        start = this.conversation.length;
        this.conversation.ask(checked.prompt, place?.id);
      }
      if (!isResolved || checked === undefined) run.endUnbegun();
      return { run, prepared, start };
    });
  }

  /** What a conversation goes on from without a new prompt: its last question, or the results of tools, which need none. */
  get #unanswered(): { readonly prompt?: Prompt; readonly place?: PromptPlace } {
    if (this.#waiting !== undefined) {
      throw new TypeError("generate needs a prompt here, because calls wait for a person. Go on with resume(agent.state, { decisions }).");
    }
    const history = this.conversation.copyFrom(0);
    const last = history.at(-1);
    if (last?.role === "user") return { prompt: last.content, place: { id: last.id, keep: history.length - 1 } };
    if (last?.role === "tool") return {};
    throw new TypeError(
      `There is nothing to continue: the conversation ${last === undefined ? "is empty" : "ends with an answer"}. ` +
        "Give generate a prompt, or restore messages that end with a user message or tool results.",
    );
  }

  resume(state: RunState, asked: ResumeOptions, emit?: Emit): Promise<AgentResponse<Output>> {
    const settings = keepSettings();
    return this.#surrounded(asked, checkResumeOptions, async (options) => {
      const { decisions = [], claims = processClaims, maxSteps, budget, abortSignal } = options;
      const opened = this.#open(state, options);
      const { loop, messages } = opened;
      await unlessAborted(() => this.#refuseGivenUp(opened, claims), abortSignal);
      checkDecisions(decisions, opened);
      const prepared = await this.#prepare(options, settings, emit, earlierRun(opened));
      const { limits } = prepared;
      const reopened = reopen(loop, limits, maxSteps === undefined && budget === undefined ? undefined : limits);
      if (reopened === undefined) {
        throw new RunStateError(
          "finished",
          `The run ended with "${loop.outcome?.reason}": there is nothing to resume. Go on with generate.`,
        );
      }
      const run = new Run(prepared.parts, reopened);
      const accept = async (): Promise<true> => {
        await checkApprovals(decisions, opened, (decision) => run.obstacleTo(decision));
        await claimDecisions(decisions, opened, claims).catch(async (error: unknown) => {
          await this.#refuseGivenUp(opened, claims);
          throw error;
        });
        return true;
      };
      const isAccepted = prepared.isResolved ? await unlessAborted(accept, abortSignal) : undefined;
      this.conversation.restore(reopened.current === null ? withoutPartialAnswer(messages) : messages);
      if (isAccepted === undefined) run.endUnbegun();
      else for (const decision of decisions) run.take({ type: "call_decided", decision });
      return { run, prepared, start: this.conversation.length };
    });
  }

  /** Why calls of a stored run can't run as a person decided. The run is prepared once, for all the decisions. */
  async searchObstacles(state: RunState, options: GenerateOptions): Promise<ObstacleSearch> {
    const settings = keepSettings();
    const opened = this.#open(state, options);
    const { parts } = await this.#prepare(options, settings, undefined, earlierRun(opened));
    const run = new Run(parts, opened.loop);
    return (decision) => run.obstacleTo(decision);
  }

  refuseWhileBusy(): void {
    if (this.#busy) throw new AgentBusyError(classNameOf(this.#class));
  }

  #open(state: RunState, { stateSecret }: GenerateOptions): RunState {
    return openState(state, agentDefinitionOf(this.#class).name, stateSecret);
  }

  #prepare(options: GenerateOptions, settings: WithSettings, emit: Emit | undefined, earlier?: EarlierRun): Promise<PreparedRun> {
    return prepareRun({ agent: this.#agent, agentClass: this.#class, conversation: this.conversation, settings }, options, emit, earlier);
  }

  /** The conversation goes on without its last run: calls of it that wait get their results. */
  #leaveRun(waiting: WaitingRun | undefined, { decidedElsewhere }: GivenUp): void {
    const events = leavingEvents(decidedElsewhere);
    for (const event of events) this.#run?.take(event);
    if (waiting !== undefined) {
      if (this.#storedState !== undefined) this.conversation.restore(historyLeftBy(this.#storedState, events));
      else if (this.#run === undefined) this.conversation.restore(historyWithUnknown(this.conversation.copyFrom(0), decidedElsewhere));
      const until = lastExpiry(waitingIn(waiting.step));
      if (until !== undefined) this.#givenUp = [...this.givenUp, { runId: waiting.runId, until }];
    }
    this.#run = undefined;
    this.#storedState = undefined;
    this.#restoredRun = undefined;
  }

  /** The run of this conversation of which calls may wait. */
  get #waiting(): WaitingRun | undefined {
    if (this.#run !== undefined) return waitingRun(this.#run.runId, this.#run.waitingStep);
    // What another version wrote can't be read; the history was put in order when it was loaded.
    const stored = this.#storedState?.version === 1 ? this.#storedState : undefined;
    return stored === undefined ? this.#restoredRun : waitingRun(stored.runId, stored.loop.current);
  }

  /** The model read that the calls of such a run were not run. */
  async #refuseGivenUp({ runId, loop }: RunState, claims: DecisionClaims): Promise<void> {
    const confirmation = await givenUpIn(loop.current, claims);
    if (confirmation !== undefined || this.#givenUp.some((one) => one.runId === runId)) throw givenUpError(runId, confirmation);
  }

  /** The run has one signal from here to its end: an abort and the wall time end whatever it waits for. */
  async #surrounded<Options extends GenerateOptions>(
    asked: Options,
    check: (options: Options) => void,
    make: (options: Options) => Promise<MadeRun>,
  ): Promise<AgentResponse<Output>> {
    this.refuseWhileBusy();
    check(asked);
    const budget = asked.budget ?? agentDefinitionOf(this.#class).budget;
    const { signal, end } = limitWallTime(asked.abortSignal, budget?.wallTime);
    const options = signal === asked.abortSignal ? asked : { ...asked, abortSignal: signal };
    const surround = this.#agent[aroundRun];
    try {
      if (surround === undefined) return await this.#alone(options.abortSignal, () => make(options));
      return await surround(options, (governed) => {
        check(governed);
        return this.#alone(governed.abortSignal, () => make(governed));
      });
    } finally {
      end();
    }
  }

  /** Carries out the run that `make` makes, while no other run of the conversation can begin. */
  #alone(signal: AbortSignal | undefined, make: () => Promise<MadeRun>): Promise<AgentResponse<Output>> {
    return signal === undefined ? this.#carryOut(make) : withPresence(signal, () => this.#carryOut(make));
  }

  async #carryOut(make: () => Promise<MadeRun>): Promise<AgentResponse<Output>> {
    this.refuseWhileBusy();
    this.#busy = true;
    this.#interruption = undefined;
    let ended: (() => void) | undefined;
    try {
      const { run, prepared, start } = await make();
      ended = this.#begin(run, prepared);
      const outcome = await run.toOutcome();
      const response = responseOf(endOf(run, outcome), this.conversation.copyFrom(start), run.givenUp);
      keepTools(response, prepared.parts.tools);
      // What `@returns` describes was read by it.
      return response as AgentResponse<Output>;
    } finally {
      this.#busy = false;
      ended?.();
    }
  }

  /** Gives what is to be done when the run has ended. */
  #begin(run: Run, { parts: { emit } }: PreparedRun): (() => void) | undefined {
    this.#run = run;
    this.#storedState = undefined;
    this.#restoredRun = undefined;
    if (this.#interruption !== undefined) run.interrupt(this.#interruption);
    return emit && streamProgress(run.runId, emit, () => run.step);
  }

  get #class(): SubAgentClass {
    // TypeScript types `constructor` as any function; it is the class that made this instance.
    return this.#agent.constructor as SubAgentClass;
  }
}

/** Where a prompt belongs: behind the first `keep` messages, in place of all that follow them; at the end without `keep`. */
interface PromptPlace {
  readonly id: string | undefined;
  readonly keep: number | undefined;
}

/** A run that can begin; `start` is where the history stood before it. */
interface MadeRun {
  readonly run: Run;
  readonly prepared: PreparedRun;
  readonly start: number;
}

interface WaitingRun {
  readonly runId: string;
  readonly step: LoopStep;
}

const waitingRun = (runId: string, step: LoopStep | null): WaitingRun | undefined => (step === null ? undefined : { runId, step });

/** If the run is aborted meanwhile, it isn't known what was given up. */
const giveUpUnlessAborted = async (step: LoopStep, claims: DecisionClaims, signal: AbortSignal | undefined): Promise<GivenUp> =>
  (await unlessAborted(() => giveUp(step, claims), signal)) ?? unknownIn(step);

const nothingLeft: GivenUp = { confirmations: [], decidedElsewhere: [] };

function endOf(run: Run, outcome: RunOutcome): EndedRun {
  const { runId, steps, output, modelError, partialText, state } = run;
  const { usage } = state;
  return {
    outcome,
    runId,
    steps,
    output,
    modelError,
    partialText,
    usage,
    confirmations: openConfirmations({ loop: state }),
    snapshot: () => run.snapshot(),
  };
}

const earlierRun = ({ runId, ledger, resumptions, tags }: RunState): EarlierRun => ({
  runId,
  ledger: AttemptLedger.fromJSON(ledger),
  resumptions,
  ...(tags !== undefined && { tags }),
});
