import type { ChangeEntry, Message, SystemMessage } from "../models/index.js";
import type { HistoryLimits } from "./history-limits.js";
import { HistoryWindow } from "./history-window.js";

/** A history behind its instructions, as one form of request has it: whole, and cut to what is sent. */
export class SentHistory<Entry extends Message | ChangeEntry> {
  /** The instructions first, if there are any. */
  readonly all: (Entry | SystemMessage)[] = [];
  #window: HistoryWindow<Entry> | undefined;
  #instructions: SystemMessage | undefined;

  /** The live list that is sent. */
  get sent(): readonly (Entry | SystemMessage)[] {
    return this.#window?.messages ?? this.all;
  }

  /** Entries of the history; the instructions don't count. */
  get length(): number {
    return this.all.length - this.#instructionCount;
  }

  /** A copy of the history from a position on, without the instructions. */
  copyFrom(position: number): readonly Entry[] {
    // Only the first one can be the instructions.
    return this.all.slice(position + this.#instructionCount) as Entry[];
  }

  instruct(content: string | undefined): void {
    if (this.#instructions?.content === content) return;
    const instructions: SystemMessage | undefined = content === undefined ? undefined : Object.freeze({ role: "system", content });
    this.all.splice(0, this.#instructionCount, ...(instructions === undefined ? [] : [instructions]));
    this.#instructions = instructions;
    this.#window?.instruct(instructions);
  }

  add(entry: Entry, startsTurn: boolean): void {
    this.all.push(entry);
    this.#window?.add(entry, startsTurn);
  }

  replace(entries: readonly Entry[]): void {
    this.all.length = this.#instructionCount;
    for (const entry of entries) this.all.push(entry);
    this.#window?.clear();
    this.#fillWindow();
  }

  limit(limits: HistoryLimits | undefined): void {
    this.#window = limits && new HistoryWindow(limits);
    if (this.#instructions !== undefined) this.#window?.instruct(this.#instructions);
    this.#fillWindow();
  }

  /** What a provider says of the request before: the tokens of all that the model was sent, or 0. */
  learn(inputTokens: number): void {
    this.#window?.learn(inputTokens);
  }

  get #instructionCount(): 0 | 1 {
    return this.#instructions === undefined ? 0 : 1;
  }

  #fillWindow(): void {
    if (this.#window === undefined) return;
    for (const entry of this.copyFrom(0)) this.#window.add(entry, entry.role === "user");
  }
}
