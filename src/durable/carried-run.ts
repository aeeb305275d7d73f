import type { Agent, AgentResponse, GenerateOptions } from "../agent/index.js";
import { carryOn, handOver } from "../agent/internal.js";
import type { Decision } from "../confirmation/index.js";
import { LeaseLostError, type Storage } from "../storage/index.js";
import { orAborted } from "../tool/internal.js";
import { type ConversationTurn, saveConversation, takeConversation } from "./run-conversation.js";
import type { RunFeed } from "./run-feed.js";
import type { RunGate, RunPass } from "./run-gate.js";
import type { OpenedRun } from "./run-records.js";
import { isReady } from "./run-status.js";

/** An agent and what its run is given. */
export interface MadeAgent {
  readonly agent: Agent;
  readonly options: GenerateOptions;
}

/** How a process left a run: with a response, with an error, after which the run may go on, or without either, because it goes on elsewhere. */
export type Ending = { readonly response?: AgentResponse; readonly error?: unknown };

/** A run that this process carries on, until it ends, waits for a person, or is handed over. */
export class CarriedRun {
  readonly opened: OpenedRun;
  /** Whether a person decided meanwhile. */
  isDecided = false;
  readonly #controller = new AbortController();
  #agent: Agent | undefined;
  #handedOver: string | undefined;

  /** When the run has left this process: with the error that ended it here, or `undefined`. Never rejects. */
  ended: Promise<unknown> = Promise.resolve();
  readonly #storage: Storage;
  readonly #make: (() => Promise<MadeAgent>) | undefined;
  readonly #feed: RunFeed;
  readonly #gate: RunGate | undefined;
  /** Aborted if the run is to leave before it goes on. */
  readonly #waiting = new AbortController();

  /** `make`: left out if this process doesn't have the agent. It stores then what the run's conversation lacks. `gate`: limits the runs that go on. */
  constructor(opened: OpenedRun, storage: Storage, make: (() => Promise<MadeAgent>) | undefined, feed: RunFeed, gate?: RunGate) {
    this.opened = opened;
    this.#storage = storage;
    this.#make = make;
    this.#feed = feed;
    this.#gate = gate;
  }

  get runId(): string {
    return this.opened.accepted.runId;
  }

  get agent(): string {
    return this.opened.accepted.agent;
  }

  /** Whether the run went on here: it doesn't while it waits for its conversation. */
  get hasBegun(): boolean {
    return this.#agent !== undefined;
  }

  get isHandedOver(): boolean {
    return this.#handedOver !== undefined;
  }

  /** Never rejects. */
  async begin(): Promise<Ending> {
    const { journal } = this.opened;
    this.#feed.begin(journal.length);
    let turn: ConversationTurn | undefined;
    let pass: RunPass | undefined;
    try {
      pass = this.#gate?.arrive(this.opened.accepted);
      turn = await takeConversation(this.#storage, this.opened, this.#waiting.signal);
      return await this.#goOn(turn, pass);
    } catch (error) {
      const { aborted, reason } = this.#waiting.signal;
      return aborted && error === reason ? {} : { error };
    } finally {
      pass?.end();
      await journal.close().catch(() => undefined);
      // If the store is away, the lease expires.
      await turn?.end().catch(() => undefined);
    }
  }

  async #goOn(turn: ConversationTurn | undefined, pass: RunPass | undefined): Promise<Ending> {
    const { opened } = this;
    const save = (): Promise<void> => saveConversation(this.#storage, opened.journal);
    if (opened.recorded?.isSaveDue === true) await save();
    const make = this.#make;
    if (make === undefined || !isReady(opened)) return {};
    // Last: a run that waits for its conversation takes no place.
    await pass?.enter(this.#waiting.signal);
    const { agent, options } = await orAborted(make(), this.#controller.signal);
    if (turn?.place !== undefined) await agent.load(this.#storage.conversations, turn.place.id);
    if (this.#handedOver !== undefined) return {};
    this.#agent = agent;
    const response = await agent[carryOn](
      turn?.place === undefined ? opened : { ...opened, conversation: turn.place },
      { ...options, abortSignal: this.#controller.signal },
      { happened: (event, position) => this.#feed.happened(event, position), left: save },
    );
    return this.#handedOver === undefined ? { response } : {};
  }

  /** Records decisions while the run goes on; false if it has left this process meanwhile. `check` throws if one of them doesn't fit. */
  async decide(decisions: readonly Decision[], check: () => Promise<void>): Promise<boolean> {
    const { journal } = this.opened;
    try {
      await journal.written();
      await check();
      this.isDecided = true;
      return await journal.decide(decisions);
    } catch (error) {
      if (error instanceof LeaseLostError) return false;
      throw error;
    }
  }

  /** Ends the run with the outcome `aborted`. */
  cancel(reason: string): void {
    this.#waiting.abort(reason);
    this.#controller.abort(reason);
  }

  /** Leaves the run if it waits for its conversation. */
  stopWaiting(): void {
    this.#waiting.abort("The conversation is in use.");
  }

  /** Stops the run between two steps, so that another process can carry it on. */
  handOver(reason: string): void {
    this.#handedOver = reason;
    this.#waiting.abort(reason);
    this.#agent?.[handOver](reason);
  }

  /** Leaves a run that was handed over wherever it is. */
  leave(): void {
    this.#controller.abort(this.#handedOver);
  }
}
