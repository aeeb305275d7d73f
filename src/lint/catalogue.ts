import type { ToolDefinition } from "../tool/index.js";
import { tellingWords } from "./telling-words.js";

/** From this many tools on, words that nearly all of them share are ignored, because they distinguish none. */
const fewestForPhrases = 6;
const shareOfPhrases = 0.8;

/** The tools that are offered together. */
export class Catalogue {
  readonly definitions: readonly ToolDefinition[];
  /** Those that a model is sent at once. */
  readonly offered: readonly ToolDefinition[];
  readonly #words: ReadonlyMap<ToolDefinition, ReadonlySet<string>>;

  constructor(definitions: readonly ToolDefinition[]) {
    this.definitions = definitions;
    this.offered = definitions.filter(({ deferred }) => deferred !== true);
    const words = new Map(definitions.map((definition) => [definition, tellingWords(definition.description)] as const));
    if (definitions.length >= fewestForPhrases) leaveOutPhrases(words);
    this.#words = words;
  }

  /** The words that distinguish the tool's description from others. */
  wordsOf(definition: ToolDefinition): ReadonlySet<string> {
    return this.#words.get(definition) ?? new Set();
  }
}

function leaveOutPhrases(descriptions: ReadonlyMap<ToolDefinition, Set<string>>): void {
  const counts = new Map<string, number>();
  for (const words of descriptions.values()) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  for (const words of descriptions.values()) {
    for (const word of [...words]) if ((counts.get(word) ?? 0) > descriptions.size * shareOfPhrases) words.delete(word);
  }
}
