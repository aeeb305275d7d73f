import type { Parameter } from "./tool-parameters.js";
import { isStopWord, stems, type Token } from "./sentence-words.js";

/** A text and its words. */
export interface Sentence {
  readonly text: string;
  readonly tokens: readonly Token[];
}

/** What a preposition before a value says of the parameter that it is for. */
const prepositions: readonly { readonly words: readonly string[]; readonly parameter: ReadonlySet<string> }[] = [
  {
    words: ["in", "at", "near", "around", "within"],
    parameter: stems("city location place country state region area address town where venue zip market timezone"),
  },
  { words: ["from", "between"], parameter: stems("from origin source start departure begin base sender initial old") },
  {
    words: ["to", "into", "until", "towards"],
    parameter: stems("to destination target end arrival receiver recipient final new language stop"),
  },
  { words: ["by"], parameter: stems("by artist author director creator writer singer owner actor composer painter") },
  { words: ["with", "starring", "stars", "featuring"], parameter: stems("with cast actor member participant") },
  { words: ["on", "for", "before", "after"], parameter: stems("date day when deadline time") },
  { words: ["named", "called", "titled", "nicknamed"], parameter: stems("name title nickname label") },
  { words: ["least", "above", "over", "minimum"], parameter: stems("min minimum lower") },
  { words: ["most", "under", "below", "maximum", "within"], parameter: stems("max maximum upper limit") },
  { words: ["about"], parameter: stems("topic subject query question text keyword") },
];

/** How far a word of the parameter's name may stand from its value, in words that carry meaning. */
const reach = 4;

/** Words of names that say little beside another: "named" points to `schemaName` no more than to `fileName`. */
const vague = stems("name type value object list number num string text data param");

/** How strongly the words around a place in the sentence point to the parameter. */
export function cueScore(
  parameter: Parameter,
  place: { readonly start: number; readonly end: number },
  sentence: Sentence,
  isPhrase = false,
): number {
  const { tokens, text } = sentence;
  const next = tokens.findIndex((token) => token.start >= place.end);
  const firstAfter = next === -1 ? tokens.length : next;
  const lastBefore = tokens.findLastIndex((token) => token.end <= place.start);
  const near = new Map<string, number>();
  const meet = (token: Token, strength: number): void => {
    near.set(token.stem, Math.max(strength, near.get(token.stem) ?? 0));
  };
  for (let index = lastBefore, distance = 0; index >= 0 && distance <= reach; index -= 1) {
    const token = tokens[index] as Token;
    meet(token, (4 / (1 + distance / 2)) * barrier(text.slice(token.end, place.start)));
    distance += isStopWord(token.text) ? 0.25 : 1;
  }
  for (let index = firstAfter, distance = 0; index < tokens.length && distance <= reach; index += 1) {
    const token = tokens[index] as Token;
    meet(token, (3.5 / (1 + distance)) * barrier(text.slice(place.end, token.start)));
    distance += isStopWord(token.text) ? 0.5 : 1;
  }
  for (const token of tokens.slice(lastBefore + 1, firstAfter)) meet(token, 1);
  const weight = (word: string): number => (vague.has(word) && parameter.nameWords.length > 1 ? 0.3 : 1);
  const sum = (words: readonly string[]): number => words.reduce((total, word) => total + weight(word) * (near.get(word) ?? 0), 0);
  const preposition = prepositionScore(parameter, tokens.slice(Math.max(0, lastBefore - 3), lastBefore + 1), isPhrase);
  return sum(parameter.nameWords) + Math.min(1.5, 0.3 * sum(parameter.descriptionWords)) + preposition;
}

/** A comma or "and" between a word and a value loosens them, the end of a sentence nearly parts them. */
const barrier = (between: string): number => (/[.!?;]\s/.test(between) ? 0.2 : /,\s|\sand\s/.test(between) ? 0.4 : 1);

/** The last preposition before the value counts, less for each word between: "to my friend Alice". */
function prepositionScore(parameter: Parameter, before: readonly Token[], isPhrase: boolean): number {
  const words = before.map((token) => token.text.toLowerCase()).reverse();
  const fitting = prepositions.filter(({ parameter: pattern }) => parameter.nameWords.some((word) => pattern.has(word)));
  const known = words.findIndex((word) => prepositions.some((preposition) => preposition.words.includes(word)));
  // "to" before lower-case words is mostly that of a verb: "like to request".
  if (isPhrase && words[known] === "to") return 0;
  if (!fitting.some((preposition) => preposition.words.includes(words[known] ?? ""))) return 0;
  return 2.5 / (1 + words.slice(0, known).filter((word) => !isStopWord(word)).length);
}
