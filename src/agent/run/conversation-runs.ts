import { keepSettings, type WithSettings } from "../../execution/internal.js";
import type { Message, ConversationPrefix } from "../../models/index.js";
import { type SubAgentClass, classNameOf } from "../agent-class.js";
import type { Prompt, GenerateOptions, ResumeOptions } from "../run-options.js";
import { Conversation } from "../../conversation/internal.js";
import { checkGenerateOptions, checkResumeOptions } from "../check-run-options.js";
import type { GivenUpRun } from "../../storage/internal.js";
import type { RunState } from "../../loop/index.js";
import type { ObstacleSearch } from "./decision-obstacle.js";
import { AgentBusyError } from "../agent-errors.js";
import { type AgentResponse, responseOf } from "../agent-response.js";
import { keepTools } from "../response-tools.js";
import type { AgentEvent } from "../stream/agent-event.js";
import { streamProgress } from "../stream/progress-events.js";
import type { RunningAgent, RunWatch } from "./run-hooks.js";
import { LatestRun } from "./latest-run.js";
import type { MadeRun, PromptPlace } from "./new-run.js";
import { beginRecord, openRecord } from "./recorded-run.js";
import type { ResolvedRun, RunSource } from "./resolve-run.js";
import type { AnsweredRun, RunToResume } from "./resumed-run.js";
import type { Run } from "./run.js";
import type { OpenedJournal, RunJournal } from "./run-journal.js";
import { surroundRun } from "./surround-run.js";

type Emit = (event: AgentEvent) => void;

type RunMaker = typeof import("./make-run.js");

let runMaker: RunMaker | undefined;

/** A program that only defines agents and tools starts sooner without what makes runs. */
const loadRunMaker = async (): Promise<RunMaker> => (runMaker ??= await import("./make-run.js"));

/** The runs of one conversation, one after another. */
export class ConversationRuns<Output> {
  readonly conversation = new Conversation();
  readonly #agent: RunningAgent;
  /** The run that is under way, or the last one. */
  readonly #latest = new LatestRun(this.conversation);
  #busy = false;
  #interruption: string | undefined;
  /** Why the run goes on in another process, if it does. */
  #leaving: string | undefined;

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
  restore(messages: readonly Message[], state?: RunState, givenUp?: readonly GivenUpRun[], prefix?: ConversationPrefix): void {
    this.refuseWhileBusy();
    this.#latest.restore(messages, state, givenUp, prefix);
  }

  /** False if no run is under way. */
  interrupt(reason: string): boolean {
    if (!this.#busy) return false;
    this.#interruption = reason;
    this.#latest.run?.interrupt(reason);
    return true;
  }

  /** `place`: the place that a page wants for the prompt; by default the end. Without a prompt the conversation goes on as it is. */
  generate(prompt: Prompt | undefined, asked: GenerateOptions, emit?: Emit, place?: PromptPlace): Promise<AgentResponse<Output>> {
    const settings = keepSettings();
    return surroundRun(
      this.#agent,
      asked,
      {
        admit: (options) => this.#admit(options, checkGenerateOptions),
        open: (storage, name) => beginRecord(storage, asked, name),
      },
      (options, record) =>
        this.#carryOut(({ newRun }) => newRun(this.#source(settings, emit, record?.journal), this.#latest, options, { prompt, place })),
    );
  }

  /** `isCalled`: by the run of another agent, which may pass decisions again. */
  resume(from: RunState | string, asked: ResumeOptions, emit?: Emit, isCalled = false): Promise<AgentResponse<Output>> {
    const settings = keepSettings();
    return surroundRun(
      this.#agent,
      asked,
      {
        admit: (options) => this.#admit(options, checkResumeOptions),
        open: (storage, name) => openRecord(storage, from, asked, name),
      },
      (options, opened) => this.#goOn({ from, isCalled }, options, opened, settings, emit),
    );
  }

  /** Carries on a recorded run, whose journal a runtime has opened. */
  carryOn(opened: OpenedJournal, asked: ResumeOptions, { happened, left }: RunWatch): Promise<AgentResponse<Output>> {
    const settings = keepSettings();
    const { journal } = opened;
    const from = { from: journal.runId, isCalled: false };
    return surroundRun(
      this.#agent,
      asked,
      { admit: (options) => this.#admit(options, checkResumeOptions), open: () => Promise.resolve(opened) },
      (options) => this.#goOn(from, options, opened, settings, (event) => happened(event, journal.length)).finally(left),
    );
  }

  /** Stops the run, which goes on elsewhere. */
  handOver(reason: string): void {
    this.#leaving = reason;
    if (this.#busy) this.#latest.run?.handOver(reason);
  }

  /** A run that was accepted and hasn't begun begins. */
  #goOn(
    asked: Pick<RunToResume, "from" | "isCalled">,
    options: ResumeOptions,
    opened: OpenedJournal | undefined,
    settings: WithSettings,
    emit: Emit | undefined,
  ): Promise<AgentResponse<Output>> {
    const source = this.#source(settings, emit, opened?.journal);
    const { accepted, recorded } = opened ?? {};
    if (accepted === undefined || recorded !== undefined) {
      const record = opened && recorded && { ...opened, recorded };
      return this.#carryOut(({ resumedRun }) => resumedRun(source, this.#latest, options, { ...asked, opened: record }));
    }
    const { decisions: _, ...others } = options;
    const begun = { ...others, ...accepted.options, runId: accepted.runId };
    const { conversation } = opened ?? {};
    return this.#carryOut(({ newRun }) => newRun(source, this.#latest, begun, { prompt: accepted.prompt, conversation }));
  }

  /** Why calls of a stored run can't run as a person decided. */
  async searchObstacles(state: RunState, options: GenerateOptions): Promise<ObstacleSearch> {
    const { searchObstacles } = await loadRunMaker();
    return searchObstacles(this.#source(keepSettings(), undefined, undefined), state, options);
  }

  refuseWhileBusy(): void {
    if (this.#busy) throw new AgentBusyError(classNameOf(this.#class));
  }

  #admit<Options>(options: Options, check: (options: Options) => void): void {
    this.refuseWhileBusy();
    check(options);
  }

  #source(settings: WithSettings, emit: Emit | undefined, journal: RunJournal | undefined): RunSource {
    return { agent: this.#agent, agentClass: this.#class, conversation: this.conversation, settings, emit, journal };
  }

  /** Carries out the run that `make` makes, while no other run of the conversation can begin. */
  async #carryOut(make: (maker: RunMaker) => Promise<MadeRun | AnsweredRun>): Promise<AgentResponse<Output>> {
    this.refuseWhileBusy();
    this.#busy = true;
    this.#interruption = undefined;
    let ended: (() => void) | undefined;
    try {
      const made = await make(runMaker ?? (await loadRunMaker()));
      const { resolved } = made;
      let response: AgentResponse;
      if ("response" in made) {
        this.#latest.begin(undefined);
        response = made.response;
      } else {
        const { run, start } = made;
        ended = this.#begin(run, resolved);
        const ending = run.toOutcome();
        const outcome = await (run.isJournaled ? ending.finally(() => run.subRunsEnded()) : ending);
        response = responseOf(run, outcome, this.conversation.copyFrom(start));
      }
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
    if (this.#leaving !== undefined) run.handOver(this.#leaving);
    if (this.#interruption !== undefined) run.interrupt(this.#interruption);
    return emit && streamProgress(run.runId, emit, () => run.step);
  }

  get #class(): SubAgentClass {
    // TypeScript types `constructor` as any function; it is the class that made this instance.
    return this.#agent.constructor as SubAgentClass;
  }
}
