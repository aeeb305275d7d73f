/** A word of a text with its place: `start` and `end` are offsets of characters, `end` exclusive. */
export interface Token {
  readonly text: string;
  /** The stem, lower case: what two words are compared by. */
  readonly stem: string;
  readonly start: number;
  readonly end: number;
}

/** The numbers that are read in words; each is its own value. */
export const numberWords: readonly string[] = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");

const stopWords: ReadonlySet<string> = new Set(
  (
    "a an the this that these those and or but if then else so than as at by for from in into of off on onto out over to up with without about " +
    "i me my we us our you your he him his she her it its they them their who whom whose what which when where why how " +
    "am is are was were be been being do does did done have has had having will would shall should can could may might must " +
    "need want like please help tell let know hi hello hey thanks thank " +
    "there here some any all each every both no not only own same very just also too now s t m re ve ll d"
  ).split(" "),
);

/** Words that hold a sentence together and say nothing about its subject. */
export const isStopWord = (word: string): boolean => stopWords.has(word.toLowerCase());

/**
 * A light stem: plural, `-ing`, `-ed` and a final `e` go, so that "cities" meets "city" and "converting" meets "convert";
 * a number in words becomes its digits.
 * Over-stemming is harmless here, since both sides go through it.
 */
export function stem(word: string): string {
  const lower = word.toLowerCase();
  const number = numberWords.indexOf(lower);
  if (number !== -1) return String(number);
  const single = singular(lower);
  const suffix = suffixes.find((ending) => single.endsWith(ending) && single.length >= ending.length + 3) ?? "";
  const bare = single.slice(0, single.length - suffix.length);
  const short = bare.length > 2 && bare.endsWith("e") ? bare.slice(0, -1) : bare.replace(/(?<=..)y$/, "i");
  return short.length > 3 && short.at(-1) === short.at(-2) ? short.slice(0, -1) : short;
}

const suffixes = ["ation", "ating", "ated", "ator", "ate", "ion", "ing", "ed", "er", "or"];

function singular(word: string): string {
  if (word.length <= 3 || !word.endsWith("s") || word.endsWith("ss") || word.endsWith("us")) return word;
  if (word.endsWith("ies")) return word.slice(0, -2);
  return /(?:ss|sh|ch|x|z)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1);
}

/** The words of a text in order, stop words included. `GetWeather`, `get_weather` and `get.weather` are two words each. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  for (const match of text.matchAll(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lo}+|\d+/gu)) {
    tokens.push({ text: match[0], stem: stem(match[0]), start: match.index, end: match.index + match[0].length });
  }
  return tokens;
}

/** The stems of a list of words, to compare the words of a tool with. */
export const stems = (words: string): ReadonlySet<string> => new Set(words.split(" ").map(stem));

/** The stems of the words that carry meaning. */
export const meaningfulStems = (text: string): string[] =>
  tokenize(text)
    .filter((token) => !isStopWord(token.text))
    .map((token) => token.stem);
