import { cueScore, type Sentence } from "./cues.js";
import { certain, type Option } from "./option.js";
import type { Parameter } from "./tool-parameters.js";
import { isStopWord, numberWords, type Token, tokenize } from "./sentence-words.js";

/** The values that a schema lists (`enum`), or that a description gives as examples, and that the sentence names. */
export function listedValues(parameter: Parameter, sentence: Sentence): Option[] {
  const isListed = parameter.values.length > 0;
  const values: readonly unknown[] = isListed ? parameter.values : parameter.examples;
  const found = values.flatMap((value) =>
    mentions(String(value), sentence.tokens).map(
      ({ start, end, words }): Option => ({
        parameter,
        value,
        start,
        end,
        // "long black coffee" is more than "coffee".
        fit: (isListed ? certain : certain - 1.5) + words - 1,
        cue: cueScore(parameter, { start, end }, sentence),
      }),
    ),
  );
  return parameter.type === "array" ? allOf(found) : found;
}

/** The value of an array is every value that is named. */
function allOf(found: readonly Option[]): Option[] {
  const inOrder = [...found].sort((a, b) => a.start - b.start);
  const [first, last] = [inOrder[0], inOrder.at(-1)];
  return first && last ? [{ ...first, value: [...new Set(inOrder.map((option) => option.value))], end: last.end }] : [];
}

/** The places at which the sentence contains the words of `value` together. */
function mentions(value: string, tokens: readonly Token[]): { start: number; end: number; words: number }[] {
  const words = tokenize(value).map(plainWord);
  if (words.length === 0 || (words.length === 1 && isStopWord(words[0] ?? ""))) return [];
  return tokens.flatMap((token, index) => {
    const last = tokens[index + words.length - 1];
    const isSame = words.every((word, offset) => plainWord(tokens[index + offset]) === word);
    return isSame && last ? [{ start: token.start, end: last.end, words: words.length }] : [];
  });
}

/** Stems meet too easily here ("acted" and "action"): only the plural goes, and a number in words is its digits. */
function plainWord(token: Token | undefined): string {
  const word = token?.text.toLowerCase().replace(/(?<=[^su]{2})s$/, "") ?? "";
  const number = numberWords.indexOf(word);
  return number === -1 ? word : String(number);
}
