import type { ConversationChange, ModelTool, PlacedChange, ConversationPrefix } from "../models/index.js";
import { isSameTool } from "../models/internal.js";

/** The tools and instructions that a conversation's models got: the prefix of its first request, and what changed since. */
export class Offer {
  readonly first: Omit<ConversationPrefix, "changes">;
  readonly #changes: PlacedChange[] = [];
  #instructions: string | undefined;
  /** Made on use: most conversations offer the same from their first request to their last. */
  #tools: OfferedTools | undefined;
  /** The list that was compared last. */
  #compared: readonly ModelTool[];

  constructor(first: Omit<ConversationPrefix, "changes">, changes: readonly PlacedChange[] = []) {
    this.first = first;
    this.#instructions = first.instructions;
    this.#compared = first.tools;
    for (const change of changes) this.#apply(change);
  }

  static of({ changes, ...first }: ConversationPrefix): Offer {
    return new Offer(first, changes);
  }

  get prefix(): ConversationPrefix {
    return this.#changes.length === 0 ? this.first : { ...this.first, changes: [...this.#changes] };
  }

  get changes(): readonly PlacedChange[] {
    return this.#changes;
  }

  /** The tools that can be used now, in an order that stays the same. */
  get tools(): readonly ModelTool[] {
    return this.#tools?.list ?? this.first.tools;
  }

  /** Takes what can be used from here on. Returns what changed; `undefined` if nothing did. */
  take(instructions: string | undefined, tools: readonly ModelTool[], after: number): PlacedChange | undefined {
    if (instructions === this.#instructions && tools === this.#compared) return undefined;
    this.#compared = tools;
    const difference = this.#offered().difference(tools);
    if (instructions === this.#instructions && difference === undefined) return undefined;
    const change = { after, ...(instructions !== this.#instructions && { instructions: instructions ?? null }), ...difference };
    this.#apply(change);
    return change;
  }

  /** Forgets changes in a part of the history that was removed. What was changed by them is compared again. */
  cutAt(length: number): Offer {
    if (this.#changes.every(({ after }) => after <= length)) return this;
    return new Offer(
      this.first,
      this.#changes.filter(({ after }) => after <= length),
    );
  }

  #apply(change: PlacedChange): void {
    this.#changes.push(Object.freeze(change));
    if (change.instructions !== undefined) this.#instructions = change.instructions ?? undefined;
    this.#offered().apply(change);
  }

  #offered(): OfferedTools {
    this.#tools ??= new OfferedTools(this.first.tools);
    return this.#tools;
  }
}

/** The tools of a conversation. Each keeps the place of its first offer, so that the list has the same order whenever it is the same. */
class OfferedTools {
  /** Made when it is read: a stored conversation may have thousands of changes, and only the last list counts. */
  #list: readonly ModelTool[] | undefined;
  /** Every tool that was ever offered, as it was offered last. */
  readonly #known: Map<string, ModelTool>;
  readonly #names: Set<string>;

  constructor(tools: readonly ModelTool[]) {
    this.#list = tools;
    this.#known = new Map(tools.map((tool) => [tool.name, tool]));
    this.#names = new Set(this.#known.keys());
  }

  /** Those that can be used now. */
  get list(): readonly ModelTool[] {
    this.#list ??= Object.freeze([...this.#known.values()].filter(({ name }) => this.#names.has(name)));
    return this.#list;
  }

  difference(tools: readonly ModelTool[]): Pick<ConversationChange, "offered" | "withdrawn"> | undefined {
    const isOffered = (tool: ModelTool): boolean => {
      const known = this.#known.get(tool.name);
      return known !== undefined && this.#names.has(tool.name) && isSameTool(known, tool);
    };
    const offered = tools.filter((tool) => !isOffered(tool));
    const wanted = new Set(tools.map(({ name }) => name));
    const withdrawn = [...this.#names].filter((name) => !wanted.has(name));
    if (offered.length === 0 && withdrawn.length === 0) return undefined;
    return { ...(offered.length > 0 && { offered }), ...(withdrawn.length > 0 && { withdrawn }) };
  }

  apply({ offered = [], withdrawn = [] }: ConversationChange): void {
    if (offered.length === 0 && withdrawn.length === 0) return;
    for (const name of withdrawn) this.#names.delete(name);
    for (const tool of offered) {
      this.#known.set(tool.name, tool);
      this.#names.add(tool.name);
    }
    this.#list = undefined;
  }
}
