import type { Parameter } from "./tool-parameters.js";
import { isStopWord, stems, type Token } from "./sentence-words.js";

/** Words of a parameter's name that don't say what it is about. */
const helpers: ReadonlySet<string> = stems("is has should include enable enabled allow allowed use need require want flag show with");
const negations: ReadonlySet<string> = new Set([
  "no",
  "not",
  "without",
  "don",
  "doesn",
  "isn",
  "never",
  "disable",
  "exclude",
  "except",
  "false",
  "off",
  "avoid",
]);

/** True if the sentence mentions what the parameter is about, false if it denies it, undefined if it is silent. */
export function readBoolean(parameter: Parameter, tokens: readonly Token[]): boolean | undefined {
  const subject = parameter.nameWords.filter((word) => !helpers.has(word) && !isStopWord(word));
  const mentioned = subject.filter((word) => tokens.some((token) => token.stem === word));
  if (mentioned.length === 0 || mentioned.length * 2 < subject.length) return undefined;
  const first = tokens.findIndex((token) => subject.includes(token.stem));
  const last = tokens.findLastIndex((token) => subject.includes(token.stem));
  const before = tokens.slice(Math.max(0, first - 4), first);
  const after = tokens.slice(last + 1, last + 4);
  return !before.some(isNegation) && !after.some((token) => token.text.toLowerCase() === "false");
}

const isNegation = (token: Token): boolean => negations.has(token.text.toLowerCase());
