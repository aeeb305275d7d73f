import type { AgentClass, AgentEvent, AgentResponse, GenerateOptions, Prompt } from "../agent/index.js";
import type { Confirmation, Decision, Question } from "../confirmation/index.js";
import type { RunOutcome } from "../loop/index.js";

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Options of `start`. All of them are recorded, so they must be JSON. See docs/20-runtimes.md. */
export interface StartOptions extends Pick<GenerateOptions, "maxSteps" | "budget" | "tags"> {
  /** The id of the run: an order's number, for example. A second `start` with the same id and input returns the same run. Default: a random UUID. */
  readonly runId?: string;
  /**
   * What the run needs to know of its user, as JSON: ids and flags, but no clients and no secrets. Tools receive it as their context,
   * and the runtime's `services` makes everything else from it, in each process that carries on the run.
   */
  readonly context?: JsonObject;
  /**
   * The id of a stored conversation, such as `user-42`: take it from the session, not from the client. The run begins with its history, once
   * the runs before it in this conversation have ended or wait, and its messages join the conversation when it ends or waits.
   */
  readonly conversation?: string;
}

/** A call that waits for somebody outside the run: for a decision, or for an answer. `kind` says for what. */
export interface PendingItem {
  readonly kind: "confirmation" | "question";
  readonly runId: string;
  /** The name of the agent. */
  readonly agent: string;
  readonly callId: string;
  /** What the person must see. */
  readonly confirmation: Confirmation;
  /** The same with the schema of the answer, if the call waits for one. */
  readonly question?: Question;
}

/**
 * How a run stands. `queued`: it was accepted and hasn't begun, because it waits for another run of its conversation, for example. `running`: work is left to do. `waiting`: it goes on once somebody decides
 * what `pending` lists. `ended`: `outcome` says how.
 */
export interface RunStatus {
  readonly runId: string;
  /** The name of the agent. */
  readonly agent: string;
  readonly status: "queued" | "running" | "waiting" | "ended";
  /** How the run ended; absent before. */
  readonly outcome?: RunOutcome;
  /** The calls that wait for a decision. */
  readonly pending: readonly PendingItem[];
  /** The decisions that were taken, in their order. Absent if there are none. */
  readonly decided?: readonly DecidedCall[];
  /** The context that the run was started with: it says whose run it is. */
  readonly context: JsonObject;
  /** The conversation that the run was started in. */
  readonly conversation?: string;
  /** The labels that the run was started with. */
  readonly tags?: Readonly<Record<string, string>>;
}

/** An event of a run, with an id to go on from: `events(runId, { after: id })`. */
export interface RunEvent {
  /** Pass it to `events` as it is, in any process. */
  readonly id: string;
  /**
   * As `agent.stream` gives it. Pieces of texts and arguments, `tool_started` and `tool_progress` come only in the process that carries on
   * the run. `resumed`: the run goes on after a pause or a crash; drop the pieces of a text that has no `text_done` yet, they come again.
   */
  readonly event: AgentEvent | { readonly type: "resumed" } | DecidedEvent;
  /** How often a process had taken up the run by then, from 1: it rises with each `resumed`. */
  readonly attempt: number;
  /**
   * When it was recorded: milliseconds since 1970, by the clock of the process that recorded it. Absent if it isn't recorded, and in
   * records of earlier versions.
   */
  readonly at?: number;
  /**
   * When the work began that ended with it, by the same clock: the model call of an answer, the call of a `tool_result`, the wait of
   * `decided`. Absent for other events. Another process may have measured it, with another clock.
   */
  readonly startedAt?: number;
}

/** A call was decided. It runs, or is denied, once a process goes on with the run. */
export interface DecidedEvent {
  readonly type: "decided";
  /** The number of the model call, from 1. */
  readonly step: number;
  readonly callId: string;
  /** The tool's own name. */
  readonly tool: string;
  readonly decision: Decision["decision"];
  /** Who decided, if the decision says so. */
  readonly decidedBy?: string;
  /** Why the call was denied, if the person said so. */
  readonly reason?: string;
  /** What the person wrote in place of the arguments, if the call was approved with others. Secrets aren't hidden in it. */
  readonly arguments?: Readonly<Record<string, unknown>>;
}

/** A decision that was taken about a call of a run. */
export interface DecidedCall extends Omit<DecidedEvent, "type" | "step"> {
  /** When the person was asked: milliseconds since 1970, by the clock of the process that asked. */
  readonly askedAt: number;
  /** When the decision was recorded, by the clock of the process that took it. Absent in records of earlier versions. */
  readonly decidedAt?: number;
}

/** Options of `events`. */
export interface EventsOptions {
  /** The id of the last event that was seen: only those after it come. Default: all from the beginning. */
  readonly after?: string;
  /** Ends the iteration. */
  readonly abortSignal?: AbortSignal;
}

/** Options of `result`. */
export interface ResultOptions {
  /** Ends the wait: `result` rejects with its reason, and the run goes on. */
  readonly abortSignal?: AbortSignal;
}

/** Options of `drain`. */
export interface DrainOptions {
  /** Milliseconds after which runs are stopped in the middle of a step. Default: 30,000. */
  readonly deadline?: number;
}

/** Which calls to list. */
export interface PendingQuery {
  /** Only of this run. */
  readonly runId?: string;
  /** The most runs to list the calls of, the longest untouched first. Default: 100. */
  readonly limit?: number;
}

/** The run that functions of a runtime are asked for. */
export interface RuntimeRun {
  readonly runId: string;
  /** The name of the agent. */
  readonly agent: string;
  /** The labels that the run was started with. */
  readonly tags?: Readonly<Record<string, string>>;
}

/** What `drain` didn't finish. The runs go on in another process, or when this one starts again. */
export interface DrainReport {
  readonly left: readonly {
    readonly runId: string;
    /** The name of the agent. */
    readonly agent: string;
    /** Whether it was stopped in the middle of a step, at the deadline. The outcome of calls that had begun isn't known. */
    readonly cutOff: boolean;
  }[];
}

/**
 * Carries out runs that outlive a request and a process. An application starts runs, decides, and reads; the runtime chooses the process.
 * See docs/20-runtimes.md.
 */
export interface Runtime {
  /** Records a run and begins it. Returns once a crash can't undo that. */
  start(agent: string | AgentClass, prompt: Prompt, options?: StartOptions): Promise<RunStatus>;
  /** How a run stands. */
  status(runId: string): Promise<RunStatus>;
  /** The response of a run, once it has ended: it waits for decisions too. */
  result(runId: string, options?: ResultOptions): Promise<AgentResponse>;
  /** The calls that wait for a decision. */
  pending(query?: PendingQuery): Promise<readonly PendingItem[]>;
  /** Records the decision about a call that waits, and lets the run go on. Returns once a crash can't undo it. The first decision counts. */
  decide(runId: string, callId: string, decision: Decision): Promise<RunStatus>;
  /** Records decisions about several calls of a run together: all of them, or none if one doesn't fit. */
  decideAll(runId: string, decisions: readonly Decision[]): Promise<RunStatus>;
  /** Ends a run for good, with the outcome `aborted`. */
  cancel(runId: string, reason?: string): Promise<RunStatus>;
  /** What happens in a run, from the beginning or after an event, until it has ended. */
  events(runId: string, options?: EventsOptions): AsyncIterableIterator<RunEvent, void>;
  /** Stops carrying on runs: between two steps, and at the deadline wherever they are. */
  drain(options?: DrainOptions): Promise<DrainReport>;
}
