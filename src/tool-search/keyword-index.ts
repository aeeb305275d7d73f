import MiniSearch from "minisearch";
import { meaningfulStems } from "../models/internal.js";
import { inTurns, type Steps } from "../timing/index.js";
import type { ToolDefinition } from "../tool/index.js";
import { type ToolTexts, textsOf } from "./tool-texts.js";

/** How much a word counts by its place. */
const boost = { name: 1.5, description: 1, tags: 1.5, parameters: 0.5 } as const satisfies Record<keyof ToolTexts, number>;

/** Words of a query that are looked up: a longer one says no more about the tool. */
const mostWords = 40;

/**
 * An index of the words of tools, for agents whose users have different ones. A tool is added when it is first searched, and leaves when
 * nothing else holds its definition any more.
 */
export class KeywordIndex {
  readonly #engine = new MiniSearch<ToolTexts & { readonly id: number }>({
    fields: Object.keys(boost),
    tokenize: meaningfulStems,
    processTerm: (term) => term,
  });
  readonly #ids = new WeakMap<ToolDefinition, number>();
  readonly #tools = new Map<number, WeakRef<ToolDefinition>>();
  readonly #left = new FinalizationRegistry((id: number) => this.#remove(id));
  #nextId = 0;
  /** One after the other, so that no tool is added twice. */
  #adding: Promise<unknown> = Promise.resolve();

  /** Adds the tools that the index doesn't have yet, in turns with other work. */
  cover(tools: readonly ToolDefinition[]): Promise<void> {
    const adding = this.#adding.then(() => inTurns(this.#add(tools)));
    this.#adding = adding;
    return adding;
  }

  *#add(tools: readonly ToolDefinition[]): Steps<void> {
    for (const tool of tools) {
      if (this.#ids.has(tool)) continue;
      const id = this.#nextId++;
      this.#engine.add({ id, ...textsOf(tool) });
      this.#ids.set(tool, id);
      this.#tools.set(id, new WeakRef(tool));
      this.#left.register(tool, id);
      yield;
    }
  }

  #remove(id: number): void {
    this.#tools.delete(id);
    this.#engine.discard(id);
  }

  /** The tools that share words with the query, the best first. */
  *search(query: string): Generator<ToolDefinition> {
    const words = [...new Set(meaningfulStems(query))].slice(0, mostWords);
    const found = this.#engine.search(words.join(" "), { boost, tokenize: (text) => text.split(" ") });
    for (const { id } of found) {
      const tool = this.#tools.get(id as number)?.deref();
      if (tool !== undefined) yield tool;
    }
  }
}
