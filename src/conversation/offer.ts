import type { ConversationChange, ModelTool, PlacedChange, ConversationPrefix } from "../models/index.js";

/** What a conversation's models were told that they can use: the prefix of its first request, and what changed since. */
export class Offer {
  readonly #first: Omit<ConversationPrefix, "changes">;
  readonly #changes: PlacedChange[];
  /** Every tool that was ever offered, as it was offered last. The order is that of the first offers, so that it never changes. */
  readonly #known = new Map<string, ModelTool>();
  readonly #names = new Set<string>();
  #instructions: string | undefined;
  #tools: readonly ModelTool[];
  /** The list that was compared last: most steps have the same one. */
  #compared: readonly ModelTool[];

  constructor({ changes = [], ...first }: ConversationPrefix) {
    this.#first = first;
    this.#changes = [];
    this.#instructions = first.instructions;
    this.#tools = first.tools;
    this.#compared = first.tools;
    for (const tool of first.tools) this.#offer(tool);
    for (const change of changes) this.#apply(change);
  }

  get prefix(): ConversationPrefix {
    return this.#changes.length === 0 ? this.#first : { ...this.#first, changes: [...this.#changes] };
  }

  get first(): Omit<ConversationPrefix, "changes"> {
    return this.#first;
  }

  get changes(): readonly PlacedChange[] {
    return this.#changes;
  }

  /** The tools that can be used now, in an order that stays the same. */
  get tools(): readonly ModelTool[] {
    return this.#tools;
  }

  /** Takes what can be used from here on. Returns what changed; `undefined` if nothing did. */
  take(instructions: string | undefined, tools: readonly ModelTool[], after: number): PlacedChange | undefined {
    if (instructions === this.#instructions && tools === this.#compared) return undefined;
    this.#compared = tools;
    const change = { after, ...this.#difference(instructions, tools) };
    if (Object.keys(change).length === 1) return undefined;
    this.#apply(change);
    return change;
  }

  /** Forgets changes in a part of the history that was removed. What was changed by them is compared again. */
  cutAt(length: number): Offer {
    if (this.#changes.every(({ after }) => after <= length)) return this;
    return new Offer({ ...this.#first, changes: this.#changes.filter(({ after }) => after <= length) });
  }

  #difference(instructions: string | undefined, tools: readonly ModelTool[]): ConversationChange {
    const offered = tools.filter((tool) => !this.#names.has(tool.name) || !isSame(this.#known.get(tool.name), tool));
    const wanted = new Set(tools.map(({ name }) => name));
    const withdrawn = [...this.#names].filter((name) => !wanted.has(name));
    return {
      ...(instructions !== this.#instructions && { instructions: instructions ?? null }),
      ...(offered.length > 0 && { offered }),
      ...(withdrawn.length > 0 && { withdrawn }),
    };
  }

  #apply(change: PlacedChange): void {
    const { instructions, offered = [], withdrawn = [] } = change;
    this.#changes.push(Object.freeze(change));
    if (instructions !== undefined) this.#instructions = instructions ?? undefined;
    for (const name of withdrawn) this.#names.delete(name);
    for (const tool of offered) this.#offer(tool);
    if (offered.length === 0 && withdrawn.length === 0) return;
    this.#tools = Object.freeze([...this.#known.values()].filter(({ name }) => this.#names.has(name)));
  }

  #offer(tool: ModelTool): void {
    this.#known.set(tool.name, tool);
    this.#names.add(tool.name);
  }
}

const isSame = (one: ModelTool | undefined, other: ModelTool): boolean =>
  one === other ||
  (one !== undefined &&
    one.description === other.description &&
    one.strict === other.strict &&
    (one.parameters === other.parameters || JSON.stringify(one.parameters) === JSON.stringify(other.parameters)));
