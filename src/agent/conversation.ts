import type { Message, ToolCall } from "../models/index.js";
import { CallIds } from "./call-ids.js";
import { shield } from "./listener.js";

/** Hears of each assistant and tool message when it joins the history. */
export type MessageListener = (message: Message) => void;

/** The history of one agent: it only grows, and is given to the model as it is, without a copy per step. */
export class Conversation {
  /** The instructions first, where there are any. */
  readonly #messages: Message[] = [];
  #callIds = new CallIds();
  #listeners: readonly MessageListener[] = [];
  #instructionCount: 0 | 1 = 0;

  /** What the model reads: the instructions, then the history. The live list: not to be kept. */
  get forModel(): readonly Message[] {
    return this.#messages;
  }

  /** Messages in the history; the instructions don't count. */
  get length(): number {
    return this.#messages.length - this.#instructionCount;
  }

  /** A copy of the history from a position on, without the instructions. */
  copyFrom(position: number): readonly Message[] {
    return this.#messages.slice(position + this.#instructionCount);
  }

  /** Replaces the instructions: they are the agent's, and may differ from run to run. */
  instruct(instructions: string | undefined): void {
    const first: Message[] = instructions === undefined ? [] : [Object.freeze({ role: "system", content: instructions })];
    this.#messages.splice(0, this.#instructionCount, ...first);
    this.#instructionCount = first.length === 0 ? 0 : 1;
  }

  append(message: Message): void {
    this.#messages.push(Object.freeze(message));
    if (message.role !== "assistant" && message.role !== "tool") return;
    for (const listener of this.#listeners) shield(() => listener(message));
  }

  /** Replaces the history by a copy of another one. Listeners aren't told. */
  restore(history: readonly Message[]): void {
    this.#messages.length = this.#instructionCount;
    this.#callIds = new CallIds();
    for (const message of structuredClone(history)) {
      this.#messages.push(Object.freeze(message));
      if (message.role === "assistant") this.#callIds.claim(message.toolCalls ?? []);
    }
  }

  /** The calls with ids that are unique in the conversation. */
  claimIds(calls: readonly ToolCall[]): readonly ToolCall[] {
    return this.#callIds.claim(calls);
  }

  /** Returns the function that ends the listening. */
  listen(listener: MessageListener): () => void {
    const added: MessageListener = (message) => listener(message);
    this.#listeners = [...this.#listeners, added];
    return () => {
      this.#listeners = this.#listeners.filter((other) => other !== added);
    };
  }
}
