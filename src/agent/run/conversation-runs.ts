import { AttemptLedger } from "../../execution/index.js";
import { keepSettings, type WithSettings } from "../../execution/internal.js";
import type { Message } from "../../models/index.js";
import { type SubAgentClass, classNameOf } from "../agent-class.js";
import type { Prompt, GenerateOptions, ResumeOptions } from "../run-options.js";
import { unlessAborted } from "../../tool/internal.js";
import { agentDefinitionOf } from "../agent-definition.js";
import { promptFault, Conversation } from "../../conversation/internal.js";
import { checkGenerateOptions, checkResumeOptions } from "../check-run-options.js";
import { checkApprovals, checkDecisions, claimDecisions } from "./check-decisions.js";
import { processClaims, type GivenUpRun } from "../../storage/internal.js";
import { RunStateError, initialState, reopen, type RunState } from "../../loop/index.js";
import type { ObstacleSearch } from "./decision-obstacle.js";
import { AgentBusyError } from "../agent-errors.js";
import { type AgentResponse, responseOf } from "../agent-response.js";
import { keepTools } from "../response-tools.js";
import { entryVersion, openState, type RunEntry, withoutPartialAnswer } from "../../loop/internal.js";
import { randomUuid } from "../../platform/index.js";
import { MemoryDecisionClaims } from "../../storage/index.js";
import type { AgentEvent } from "../stream/agent-event.js";
import { streamProgress } from "../stream/progress-events.js";
import { aroundRun, type RunningAgent } from "./run-hooks.js";
import { needsJournal } from "./leave-recorded.js";
import { maybeBegun, recoveryEvents } from "./recovered-calls.js";
import { journalIn, stateOf, whileRecorded } from "./recorded-run.js";
import { type JournalStorage, type OpenedJournal, RunJournal } from "./run-journal.js";
import { LatestRun } from "./latest-run.js";
import { type EarlierRun, type ResolvedRun, resolveRun } from "./resolve-run.js";
import { Run } from "./run.js";
import { limitWallTime, withPresence } from "./run-signal.js";
import { blockedOutcome } from "./run-ending.js";

type Emit = (event: AgentEvent) => void;

/** The runs of one conversation, one after another. */
export class ConversationRuns<Output> {
  readonly conversation = new Conversation();
  readonly #agent: RunningAgent;
  /** The run that is under way, or the last one. */
  readonly #latest = new LatestRun(this.conversation);
  #busy = false;
  #interruption: string | undefined;

  constructor(agent: RunningAgent) {
    this.#agent = agent;
  }

  /** `undefined` if there is no run that can go on. */
  get state(): RunState | undefined {
    return this.#latest.state;
  }

  get givenUp(): readonly GivenUpRun[] {
    return this.#latest.givenUp;
  }

  /** Replaces the history, which must be paired, and the run that waits with it. Throws `AgentBusyError` during a run. */
  restore(messages: readonly Message[], state?: RunState, givenUp?: readonly GivenUpRun[]): void {
    this.refuseWhileBusy();
    this.#latest.restore(messages, state, givenUp);
  }

  /** False if no run is under way. */
  interrupt(reason: string): boolean {
    if (!this.#busy) return false;
    this.#interruption = reason;
    this.#latest.run?.interrupt(reason);
    return true;
  }

  /**
   * `place`: where a page wants the prompt. It goes to the end if there is none. Without a prompt the conversation goes on as it is.
   */
  generate(given: Prompt | undefined, asked: GenerateOptions, emit?: Emit, wanted?: PromptPlace): Promise<AgentResponse<Output>> {
    const storage = journalIn(asked);
    return storage === undefined
      ? this.#generate(given, asked, emit, wanted)
      : this.#generateRecorded(storage, asked, (options, journal) => this.#generate(given, options, emit, wanted, journal));
  }

  async #generateRecorded(
    storage: JournalStorage,
    asked: GenerateOptions,
    carryOut: (options: GenerateOptions, journal: RunJournal) => Promise<AgentResponse<Output>>,
  ): Promise<AgentResponse<Output>> {
    this.refuseWhileBusy();
    checkGenerateOptions(asked);
    const { runId = randomUuid() } = asked;
    const journal = await RunJournal.begin(storage, runId, this.#name);
    return whileRecorded(journal, { ...asked, runId }, (options) => carryOut(options, journal));
  }

  #generate(
    given: Prompt | undefined,
    asked: GenerateOptions,
    emit: Emit | undefined,
    wanted: PromptPlace | undefined,
    journal?: RunJournal,
  ): Promise<AgentResponse<Output>> {
    const settings = keepSettings();
    return this.#surrounded(asked, checkGenerateOptions, async (options) => {
      const { prompt, place } = given === undefined ? this.#unanswered : { prompt: given, place: wanted };
      const fault = prompt === undefined ? undefined : promptFault(prompt);
      if (fault !== undefined) throw new TypeError(`The prompt ${fault}`);
      const { abortSignal } = options;
      const resolved = await this.#resolve(options, settings, emit, { journal });
      const leaving = this.#latest.leave(resolved.parts.confirmation.claims, abortSignal, asked.journal);
      // Most conversations have no waiting run, and a thousand runs at once shouldn't wait for nothing.
      const givenUp = leaving instanceof Promise ? await leaving : leaving;
      let start = this.conversation.length;
      const run = new Run(resolved.parts, initialState(resolved.limits), givenUp);
      const { checkPrompt, isResolved } = resolved;
      const checked = checkPrompt && prompt !== undefined ? await unlessAborted(() => checkPrompt(prompt), abortSignal) : { prompt };
      const blocked = checked !== undefined && "blocked" in checked && checked.blocked !== undefined ? blockedOutcome(checked) : undefined;
      if (blocked === undefined && checked?.prompt !== undefined) {
        if (place?.keep !== undefined) this.conversation.restore(this.conversation.copyFrom(0).slice(0, place.keep));
        start = this.conversation.length;
        this.conversation.ask(checked.prompt, place?.id);
      }
      journal?.add(this.#beginning(resolved));
      if (blocked !== undefined) run.take({ type: "stopped", outcome: blocked });
      if (!isResolved || checked === undefined) run.endUnbegun();
      return { run, resolved, start };
    });
  }

  /** What a conversation goes on from without a new prompt: its last question, or the results of tools, which need none. */
  get #unanswered(): { readonly prompt?: Prompt; readonly place?: PromptPlace } {
    if (this.#latest.waiting !== undefined) {
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

  #beginning({ parts: { agent, scope }, limits }: ResolvedRun): RunEntry {
    const { runId, tags } = scope;
    return { kind: "began", version: entryVersion, runId, agent, limits, messages: this.conversation.copyFrom(0), ...(tags && { tags }) };
  }

  resume(from: RunState | string, asked: ResumeOptions, emit?: Emit): Promise<AgentResponse<Output>> {
    const storage = journalIn(asked);
    // Without a journal, a text is rejected by name.
    return storage === undefined
      ? this.#resume((options) => this.#open(from as RunState, options), asked, emit)
      : this.#resumeRecorded(storage, from, asked, emit);
  }

  async #resumeRecorded(
    storage: JournalStorage,
    from: RunState | string,
    asked: ResumeOptions,
    emit: Emit | undefined,
  ): Promise<AgentResponse<Output>> {
    this.refuseWhileBusy();
    checkResumeOptions(asked);
    const opened = await RunJournal.open(storage, typeof from === "string" ? from : this.#open(from, asked).runId, this.#name);
    return whileRecorded(opened.journal, asked, (options) =>
      this.#resume((given) => stateOf(opened.recorded, given), options, emit, opened),
    );
  }

  #resume(
    read: (options: ResumeOptions) => RunState,
    asked: ResumeOptions,
    emit: Emit | undefined,
    open?: OpenedJournal,
  ): Promise<AgentResponse<Output>> {
    const settings = keepSettings();
    return this.#surrounded(asked, checkResumeOptions, async (options) => {
      const { decisions = [], maxSteps, budget, abortSignal } = options;
      // The journal has each decision once.
      const claims = open === undefined ? (options.claims ?? processClaims) : new MemoryDecisionClaims();
      const opened = read(options);
      if (opened.journaled === true && open === undefined) throw needsJournal(opened.runId);
      const { loop, messages } = opened;
      await unlessAborted(() => this.#latest.refuseGivenUp(opened, claims), abortSignal);
      checkDecisions(decisions, opened);
      const resolved = await this.#resolve({ ...options, claims }, settings, emit, { earlier: earlierRun(opened), journal: open?.journal });
      const { limits } = resolved;
      const isFresh = maxSteps !== undefined || budget !== undefined;
      const reopened = reopen(loop, limits, isFresh ? limits : undefined);
      if (reopened === undefined && open !== undefined) {
        this.conversation.restore(messages);
        return { run: await Run.ended(resolved.parts, open.recorded), resolved, start: open.recorded.start };
      }
      if (reopened === undefined) {
        throw new RunStateError(
          "finished",
          `The run ended with "${loop.outcome?.reason}": there is nothing to resume. Go on with generate.`,
        );
      }
      const run = new Run(resolved.parts, reopened);
      const accept = async (): Promise<true> => {
        await checkApprovals(decisions, opened, (decision) => run.obstacleTo(decision));
        await claimDecisions(decisions, opened, claims).catch(async (error: unknown) => {
          await this.#latest.refuseGivenUp(opened, claims);
          throw error;
        });
        return true;
      };
      const isAccepted = resolved.isResolved ? await unlessAborted(accept, abortSignal) : undefined;
      this.conversation.restore(reopened.current === null ? withoutPartialAnswer(messages) : messages);
      open?.journal.add({ kind: "resumed", limits, isFresh });
      const begun = open === undefined ? maybeBegun(loop, resolved.parts.tools) : open.recorded.begun;
      for (const event of recoveryEvents(loop, begun)) run.take(event);
      if (isAccepted === undefined) run.endUnbegun();
      else for (const decision of decisions) run.take({ type: "call_decided", decision });
      return { run, resolved, start: this.conversation.length };
    });
  }

  /** Why calls of a stored run can't run as a person decided. The run is resolved once, for all the decisions. */
  async searchObstacles(state: RunState, options: GenerateOptions): Promise<ObstacleSearch> {
    const settings = keepSettings();
    const opened = this.#open(state, options);
    const { parts } = await this.#resolve(options, settings, undefined, { earlier: earlierRun(opened) });
    const run = new Run(parts, opened.loop);
    return (decision) => run.obstacleTo(decision);
  }

  refuseWhileBusy(): void {
    if (this.#busy) throw new AgentBusyError(classNameOf(this.#class));
  }

  #open(state: RunState, { stateSecret }: GenerateOptions): RunState {
    return openState(state, this.#name, stateSecret);
  }

  #resolve(
    options: GenerateOptions,
    settings: WithSettings,
    emit: Emit | undefined,
    { earlier, journal }: { readonly earlier?: EarlierRun; readonly journal?: RunJournal | undefined },
  ): Promise<ResolvedRun> {
    const source = { agent: this.#agent, agentClass: this.#class, conversation: this.conversation, settings, journal };
    return resolveRun(source, options, emit, earlier);
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
      const { run, resolved, start } = await make();
      ended = this.#begin(run, resolved);
      const outcome = await run.toOutcome();
      const response = responseOf(run, outcome, this.conversation.copyFrom(start));
      keepTools(response, resolved.parts.tools);
      // What `@returns` describes was read by it.
      return response as AgentResponse<Output>;
    } finally {
      this.#busy = false;
      ended?.();
    }
  }

  /** Gives what is to be done when the run has ended. */
  #begin(run: Run, { parts: { emit } }: ResolvedRun): (() => void) | undefined {
    this.#latest.begin(run);
    if (this.#interruption !== undefined) run.interrupt(this.#interruption);
    return emit && streamProgress(run.runId, emit, () => run.step);
  }

  get #name(): string {
    return agentDefinitionOf(this.#class).name;
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
  readonly resolved: ResolvedRun;
  readonly start: number;
}

const earlierRun = ({ runId, ledger, resumptions, tags }: RunState): EarlierRun => ({
  runId,
  ledger: AttemptLedger.fromJSON(ledger),
  resumptions,
  ...(tags !== undefined && { tags }),
});
