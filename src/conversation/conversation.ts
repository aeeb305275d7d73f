import { shield } from "../execution/internal.js";
import type { Message, SystemMessage, ToolCall, UserMessage } from "../models/index.js";
import { CallIds } from "./call-ids.js";
import type { HistoryLimits } from "./history-limits.js";
import { HistoryWindow } from "./history-window.js";
import { wellFormedContent, wellFormedMessage } from "./well-formed-messages.js";

/** Receives each assistant and tool message that joins the history. Pass it to `agent.onMessage`. */
export type MessageListener = (message: Message) => void;

/** The history of one agent: it only grows, and is given to the model without a copy per step, as it is or trimmed. */
export class Conversation {
  /** The instructions first, if there are any. */
  readonly #messages: Message[] = [];
  /** The messages that are sent to the model, if `@history` limits them. */
  #window: HistoryWindow | undefined;
  #limits: HistoryLimits | undefined;
  #callIds = new CallIds();
  #listeners: readonly MessageListener[] = [];
  #instructionCount: 0 | 1 = 0;

  /** What the model reads: the instructions, then the history. The live list of the run: not to be kept. */
  get forModel(): readonly Message[] {
    return this.#window?.messages ?? this.#messages;
  }

  /** Set before a run: how much of the history the model is sent. */
  limit(limits: HistoryLimits | undefined): void {
    if (limits === this.#limits) return;
    this.#limits = limits;
    this.#window = limits && new HistoryWindow(limits);
    const [first] = this.#messages;
    if (first?.role === "system" && this.#instructionCount === 1) this.#window?.instruct(first);
    this.#fillWindow();
  }

  /** What a provider says of the request before: the tokens of all that the model was sent, or 0. */
  learn(inputTokens: number): void {
    this.#window?.learn(inputTokens);
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
    const content = instructions?.toWellFormed();
    if (this.#instructionCount === 1 && this.#messages[0]?.content === content) return;
    const first: SystemMessage[] = content === undefined ? [] : [Object.freeze({ role: "system", content })];
    this.#messages.splice(0, this.#instructionCount, ...first);
    this.#instructionCount = first.length === 0 ? 0 : 1;
    this.#window?.instruct(first[0]);
  }

  /** What the user says: it begins a turn. `id`: that of a page, if it gave one. */
  ask(content: UserMessage["content"], id?: string): void {
    const said = wellFormedContent(content);
    this.#add(id === undefined ? { role: "user", content: said } : { role: "user", id, content: said }, true);
  }

  /** What belongs to the turn that is under way, also if the run itself asks the model for something. */
  append(messages: readonly Message[]): void {
    for (const message of messages) this.#add(message, false);
    if (this.#listeners.length === 0) return;
    for (const message of messages) {
      if (message.role === "assistant" || message.role === "tool") for (const listener of this.#listeners) shield(() => listener(message));
    }
  }

  /** Replaces the history by a copy of another one, without calling listeners. */
  restore(history: readonly Message[]): void {
    this.#messages.length = this.#instructionCount;
    this.#callIds = new CallIds();
    for (const message of structuredClone(history).map(wellFormedMessage)) {
      this.#messages.push(Object.freeze(message));
      if (message.role === "assistant") this.#callIds.claim(message.toolCalls ?? []);
    }
    this.#window?.clear();
    this.#fillWindow();
  }

  #add(message: Message, startsTurn: boolean): void {
    this.#messages.push(Object.freeze(message));
    this.#window?.add(message, startsTurn);
  }

  #fillWindow(): void {
    if (this.#window === undefined) return;
    for (const message of this.copyFrom(0)) this.#window.add(message, message.role === "user");
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
