import type { ToolDefinition } from "../../tool/index.js";
import type { Catalogue } from "../catalogue.js";
import type { Check } from "../finding.js";
import { mentions } from "../mentions.js";

/** How much of what the longer description says the shorter one must say, to be taken for the same. */
const sameShare = 0.6;
const fewestWords = 2;

/**
 * Tools whose descriptions a model can't distinguish: everything that one says, the other says too. It reports the one that
 * says nothing of its own, unless one of the two names the other: "For open orders, use list_orders instead."
 */
export const notLikeAnother: Check = (definition, catalogue) => {
  const names = catalogue.definitions.filter((other) => isLike(definition, other, catalogue)).map(({ name }) => name);
  const [first] = names;
  if (first === undefined) return [];
  return [
    {
      message: `All that the description says, ${listed(names)} too, so that a model may choose either.`,
      fix: `Say in both when to use the other: "For ..., use ${first} instead."`,
    },
  ];
};

function isLike(definition: ToolDefinition, other: ToolDefinition, catalogue: Catalogue): boolean {
  const [words, others] = [catalogue.wordsOf(definition), catalogue.wordsOf(other)];
  if (other === definition || words.size < fewestWords || words.size > others.size || words.size < others.size * sameShare) return false;
  for (const word of words) if (!others.has(word)) return false;
  // If both say the same, one finding is enough.
  if (words.size === others.size && definition.name < other.name) return false;
  return !mentions(definition.description, other.name) && !mentions(other.description, definition.name);
}

/** "that of a says", "those of a, b and 5 others say" */
function listed(names: readonly string[]): string {
  const [first, second, ...more] = names;
  if (second === undefined) return `that of ${first} says`;
  return `those of ${first}${more.length === 0 ? ` and ${second}` : `, ${second} and ${more.length} more`} say`;
}
