import type { ChangeEntry, Message, SystemMessage } from "../models/index.js";
import type { HistoryLimits } from "./history-limits.js";
import { mergedChange } from "./merge-changes.js";
import { countTokens, estimateChangeTokens, estimateTokens } from "./message-tokens.js";

/**
 * The part of a history that is sent to a model: the instructions and the last turns. It is one list for the whole conversation, so a
 * step costs the same however long the history is.
 *
 * Turns are dropped whole: a call is never without its result, and the history begins with the user, as some providers
 * want. The last turn is always kept. What is over a limit is cut down to two thirds of it, so that the beginning stays
 * the same for many steps, and the provider's cache of it stays warm. The same history is always cut in the same
 * places, in another process too, unless the provider reports token counts.
 */
export class HistoryWindow<Entry extends Message | ChangeEntry = Message> {
  /** The live list. */
  readonly messages: (Entry | SystemMessage)[] = [];
  readonly #limits: HistoryLimits;
  /** Tokens by message, as in the list. */
  readonly #tokens: number[] = [];
  /** The indexes at which turns begin. */
  #turns: number[] = [];
  #sum = 0;
  /** What a request is besides the counted messages: its tools, and what the counting got wrong. */
  #rest = 0;
  #instructionCount: 0 | 1 = 0;

  constructor(limits: HistoryLimits) {
    this.#limits = limits;
  }

  /** As far as it is known: what the next request has. */
  get tokens(): number {
    return this.#sum + this.#rest;
  }

  get turns(): number {
    return this.#turns.length;
  }

  /** Replaces the instructions, which are never dropped. */
  instruct(instructions: SystemMessage | undefined): void {
    const first = instructions === undefined ? [] : [instructions];
    const tokens = first.map((message) => this.#count(message));
    this.#sum += sumOf(tokens) - sumOf(this.#tokens.splice(0, this.#instructionCount, ...tokens));
    this.messages.splice(0, this.#instructionCount, ...first);
    const moved = first.length - this.#instructionCount;
    if (moved !== 0) this.#turns = this.#turns.map((start) => start + moved);
    this.#instructionCount = first.length === 0 ? 0 : 1;
    this.#trim();
  }

  /** `startsTurn`: the user speaks. */
  add(message: Entry, startsTurn: boolean): void {
    if (startsTurn || this.#turns.length === 0) this.#turns.push(this.messages.length);
    const tokens = this.#count(message);
    this.messages.push(message);
    this.#tokens.push(tokens);
    this.#sum += tokens;
    this.#trim();
  }

  /** The provider says how many tokens the list was, with all that was sent beside it. 0: it doesn't say. */
  learn(inputTokens: number): void {
    if (inputTokens > 0) this.#rest = inputTokens - this.#sum;
  }

  /** Forgets all but the instructions. */
  clear(): void {
    this.#takeAway(this.messages.length - this.#instructionCount);
    this.#turns = [];
    this.#rest = 0;
  }

  #trim(): void {
    const { maxTokens = Number.POSITIVE_INFINITY, maxTurns = Number.POSITIVE_INFINITY } = this.#limits;
    let tokens = this.tokens;
    if (tokens <= maxTokens && this.turns <= maxTurns) return;
    let dropped = 0;
    let position: number = this.#instructionCount;
    while (dropped < this.turns - 1 && (tokens > maxTokens * keptShare || this.turns - dropped > Math.ceil(maxTurns * keptShare))) {
      dropped += 1;
      for (const end = this.#turns[dropped] ?? 0; position < end; position += 1) tokens -= this.#tokens[position] ?? 0;
    }
    this.#turns.splice(0, dropped);
    if (dropped > 0) this.#drop(position - this.#instructionCount);
  }

  /** Drops the first messages behind the instructions. What changed in them stays known: it follows the first message that is left. */
  #drop(count: number): void {
    const dropped: readonly (Message | ChangeEntry)[] = this.#takeAway(count);
    const change = mergedChange(dropped.filter((entry) => entry.role === "change"));
    if (change === undefined) return;
    const place = this.#instructionCount + 1;
    // An entry of this window was a change, so its entries may be changes.
    this.messages.splice(place, 0, change as Entry);
    this.#tokens.splice(place, 0, estimateChangeTokens(change));
    this.#sum += estimateChangeTokens(change);
    this.#turns = this.#turns.map((start) => (start < place ? start : start + 1));
  }

  #takeAway(count: number): (Entry | SystemMessage)[] {
    const taken = this.messages.splice(this.#instructionCount, count);
    this.#sum -= sumOf(this.#tokens.splice(this.#instructionCount, count));
    this.#turns = this.#turns.map((start) => start - count);
    return taken;
  }

  #count(message: Message | ChangeEntry): number {
    if (message.role === "change") return estimateChangeTokens(message);
    const { countTokens: count } = this.#limits;
    return count === undefined ? estimateTokens(message) : countTokens(message, count);
  }
}

/** How much of a limit is left by a cut. */
const keptShare = 2 / 3;

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
