import { shield } from "../execution/internal.js";
import type { OfferEntry } from "../loop/internal.js";
import type {
  ChangeEntry,
  GrowingRequest,
  Message,
  ModelTool,
  PlacedChange,
  ConversationPrefix,
  ToolCall,
  UserMessage,
} from "../models/index.js";
import { CallIds } from "./call-ids.js";
import type { HistoryLimits } from "./history-limits.js";
import { Offer } from "./offer.js";
import { SentHistory } from "./sent-history.js";
import { wellFormedContent, wellFormedMessage } from "./well-formed-messages.js";

/** Receives each assistant and tool message that joins the history. Pass it to `agent.onMessage`. */
export type MessageListener = (message: Message) => void;

/**
 * The history of one agent: it only grows, and is given to the model without a copy per step, as it is or trimmed.
 *
 * What the first request offered is kept with it. Once instructions or tools differ from that, the history has two forms. One is for
 * models that read the instructions and tools as they are now; the other has each change in its place.
 */
export class Conversation {
  readonly #plain = new SentHistory<Message>();
  #growing: SentHistory<Message | ChangeEntry> | undefined;
  #offer: Offer | undefined;
  /** The instructions of the latest offer, and their well-formed text: most requests have the same. */
  #asked: { readonly instructions: string | undefined; readonly text: string | undefined } | undefined;
  #limits: HistoryLimits | undefined;
  #callIds = new CallIds();
  #listeners: readonly MessageListener[] = [];

  /** What the model reads: the instructions, then the history. The live list of the run: not to be kept. */
  get forModel(): readonly Message[] {
    return this.#plain.sent;
  }

  /** The same with each change in its place; `undefined` if nothing has changed. */
  get growing(): GrowingRequest | undefined {
    if (this.#growing === undefined || this.#offer === undefined) return undefined;
    return { messages: this.#growing.sent, tools: this.#offer.first.tools };
  }

  /** What was offered to the model, to be stored; `undefined` before the first request. */
  get prefix(): ConversationPrefix | undefined {
    return this.#offer?.prefix;
  }

  /** The tools that the model can use now, in an order that stays the same. */
  get tools(): readonly ModelTool[] {
    return this.#offer?.tools ?? [];
  }

  /** Set before a run: how much of the history the model is sent. */
  limit(limits: HistoryLimits | undefined): void {
    if (limits === this.#limits) return;
    this.#limits = limits;
    this.#plain.limit(limits);
    this.#growing?.limit(limits);
  }

  /** What a provider says of the request before: the tokens of all that the model was sent, or 0. */
  learn(inputTokens: number): void {
    this.#plain.learn(inputTokens);
    this.#growing?.learn(inputTokens);
  }

  /** Messages in the history; the instructions don't count. */
  get length(): number {
    return this.#plain.length;
  }

  /** A copy of the history from a position on, without the instructions. */
  copyFrom(position: number): readonly Message[] {
    return this.#plain.copyFrom(position);
  }

  /** Replaces the instructions: they are the agent's, and may differ from run to run. */
  instruct(instructions: string | undefined): void {
    this.#plain.instruct(instructions?.toWellFormed());
  }

  /**
   * Called before each request: what the model may use from here on. Returns what is to be recorded: the prefix, which the first request
   * of the conversation makes, or what has changed.
   */
  offer(instructions: string | undefined, tools: readonly ModelTool[]): OfferEntry | undefined {
    if (this.#asked?.instructions !== instructions) this.#asked = { instructions, text: instructions?.toWellFormed() };
    const text = this.#asked?.text;
    this.#plain.instruct(text);
    if (this.#offer === undefined) {
      const first = text === undefined ? { tools } : { instructions: text, tools };
      this.#offer = new Offer(first);
      return { kind: "prefix", ...first };
    }
    const change = this.#offer.take(text, tools, this.length);
    if (change === undefined) return undefined;
    if (this.#growing === undefined) this.#grow();
    else this.#growing.add(entryOf(change), false);
    return { kind: "changed", ...change };
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

  /** Replaces the history by a copy of another one, without calling listeners. What was offered at its messages stays. */
  restore(history: readonly Message[]): void {
    this.restoreWith(history, this.#offer?.cutAt(history.length).prefix);
  }

  /** The same with what was offered to the model of that history; `undefined`: the next request begins anew. */
  restoreWith(history: readonly Message[], prefix: ConversationPrefix | undefined): void {
    this.#callIds = new CallIds();
    const copy = structuredClone(history).map((message) => Object.freeze(wellFormedMessage(message)));
    for (const message of copy) if (message.role === "assistant") this.#callIds.claim(message.toolCalls ?? []);
    this.#plain.replace(copy);
    this.#offer = prefix && Offer.of(prefix);
    this.#growing = undefined;
    if (this.#offer !== undefined && this.#offer.changes.length > 0) this.#grow();
  }

  #add(message: Message, startsTurn: boolean): void {
    const frozen = Object.freeze(message);
    this.#plain.add(frozen, startsTurn);
    this.#growing?.add(frozen, startsTurn);
  }

  /** Makes the form that has the changes in their places. */
  #grow(): void {
    const { first, changes } = this.#offer as Offer;
    this.#growing = new SentHistory();
    this.#growing.instruct(first.instructions);
    const history = this.copyFrom(0);
    const entries: (Message | ChangeEntry)[] = [];
    let position = 0;
    for (const change of changes) {
      entries.push(...history.slice(position, change.after), entryOf(change));
      position = change.after;
    }
    this.#growing.replace([...entries, ...history.slice(position)]);
    this.#growing.limit(this.#limits);
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

const entryOf = ({ after: _, ...change }: PlacedChange): ChangeEntry => Object.freeze({ role: "change", ...change });
