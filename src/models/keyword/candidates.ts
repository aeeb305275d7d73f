import { findDates, isCalendarWord } from "./dates.js";
import { isStopWord, numberWords, type Token, tokenize } from "./sentence-words.js";

export type CandidateKind =
  | "quoted"
  | "url"
  | "email"
  | "date"
  | "timestamp"
  | "time"
  | "path"
  | "id"
  | "number"
  | "list"
  | "name"
  | "phrase"
  | "clause"
  | "expression";

/** A part of the sentence that may be the value of a parameter. */
export interface Candidate {
  readonly kind: CandidateKind;
  readonly value: string | number | readonly unknown[];
  readonly start: number;
  readonly end: number;
  /** What a number carries: `%`, `$`; `word` for one that is spelled. */
  readonly unit?: string;
  /** 1 and 2 for the halves of a name with a comma: `Paris` and `France`. */
  readonly half?: 1 | 2;
  /** A capital that only begins the sentence may be no name: `Refund` of "Refund order A-17". */
  readonly isFirstWord?: boolean;
}

const magnitudes: Readonly<Record<string, number>> = { k: 1e3, thousand: 1e3, m: 1e6, million: 1e6, b: 1e9, billion: 1e9 };

/** Words that begin a request and are no names, although their first letter is a capital. */
const commands: ReadonlySet<string> = new Set(
  (
    "add book buy calculate call cancel change check choose compare compute convert create delete describe determine display download estimate " +
    "evaluate explain fetch find generate get give identify list locate look make open order play plot predict provide read recommend remove " +
    "retrieve return run schedule search see select send set show solve start suggest summarize tell translate turn update use view write"
  ).split(" "),
);

/**
 * Everything in the sentence that looks like a value, by place. What an earlier reader took, a later one leaves:
 * a number within a quoted text is no number of its own.
 */
export function findCandidates(sentence: string, now: Date): Candidate[] {
  const found: Candidate[] = [];
  const add = (candidate: Candidate): void => {
    if (!found.some((other) => candidate.start < other.end && other.start < candidate.end)) found.push(candidate);
  };
  const addMatches = (kind: CandidateKind, pattern: RegExp): void => {
    for (const match of sentence.matchAll(pattern)) {
      const value = match.slice(1).find((group) => group !== undefined) ?? match[0];
      const start = match.index + match[0].indexOf(value);
      add({ kind, value, start, end: start + value.length });
    }
  };
  addMatches("url", /\b(?:https?|ftp|wss?):\/\/[^\s"'<>`]*[^\s"'<>`.,;:?!)\]]/g);
  addMatches("email", /\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+\b/g);
  addMatches("quoted", /"([^"\n]+)"|“([^”\n]+)”|`([^`\n]+)`|(?<![\p{L}\d])'([^'\n]+(?:'\p{Ll}[^'\n]*)*)'(?!\p{L})/gu);
  addLists(sentence, add);
  addMatches("timestamp", /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?(?![\w:])/g);
  for (const { iso, start, end } of findDates(sentence, now)) add({ kind: "date", value: iso, start, end });
  addTimes(sentence, add);
  addMatches(
    "path",
    /(?<![\w/])(?:~|\.{1,2})?\/[\w.-]+(?:\/[\w.-]+)*\/?|\b(?:[\w.-]+\/)*[\w-]+\.(?:txt|csv|json|pdf|png|jpe?g|md|html?|xlsx?|docx?|py|js|ts|java|zip|xml|ya?ml|log)\b/g,
  );
  addMatches("id", /\b\d+(?:\.\d+){2,}\b|\b\p{Lu}\p{Ll}+\/\p{Lu}\w+/gu);
  addMatches("id", /#[A-Z]?\d{2,}\b|\b(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)+\b|\b[A-Z]{1,4}\d{2,}[A-Z0-9]*\b/g);
  addMatches("id", /\b[a-z]+(?:_[a-z0-9]+)+\b|\b[a-z]+(?:[A-Z][a-z0-9]*)+\b|\b[a-z]+(?:\.[a-z]\w*)+\b/g);
  addNames(sentence, add, namesWithNumber);
  addNumbers(sentence, add);
  addNames(sentence, add, plainNames);
  addPhrases(sentence, add);
  // These overlap other candidates: which of them counts is decided with the parameters.
  found.push(...clauses(sentence), ...expressions(sentence), ...found.flatMap(halves));
  return found.sort((a, b) => a.start - b.start);
}

type Add = (candidate: Candidate) => void;

/** Lists in brackets that are JSON: `[1, 2, 3]`, `[[1, 1], [2, 3]]`. */
function addLists(sentence: string, add: Add): void {
  for (const match of sentence.matchAll(/\[(?:[^[\]]|\[[^[\]]*\])*\]/g)) {
    const value = listOf(match[0]);
    if (value !== undefined) add({ kind: "list", value, start: match.index, end: match.index + match[0].length });
  }
}

function listOf(text: string): readonly unknown[] | undefined {
  try {
    return JSON.parse(text.replaceAll("'", '"')) as readonly unknown[];
  } catch {
    return undefined;
  }
}

function addNumbers(sentence: string, add: Add): void {
  // A bare "m" is metres.
  const pattern =
    /([$€£])?\s?((?<![\w.])[-−]?\d{1,3}(?:,\d{3})+(?:\.\d+)?|(?<![\w.])[-−]?\d*\.?\d+(?:e[-+]?\d+)?)(?:st\b|nd\b|rd\b|th\b)?(?:\s*(%|percent\b|°)|\s?(k|m|b|thousand|million|billion)\b)?/gi;
  for (const match of sentence.matchAll(pattern)) {
    const [whole, currency, digits = "", sign, magnitude] = match;
    const isShort = magnitude?.length === 1 && currency === undefined;
    const factor = isShort ? 1 : (magnitudes[magnitude?.toLowerCase() ?? ""] ?? 1);
    const value = Number(digits.replaceAll(",", "").replace("−", "-")) * factor;
    const unit = sign?.replace("percent", "%") ?? currency;
    const start = match.index + (whole.length - whole.trimStart().length);
    add({ kind: "number", value, start, end: match.index + whole.length, ...(unit !== undefined && { unit }) });
  }
  for (const match of sentence.matchAll(new RegExp(`\\b(${numberWords.join("|")})\\b`, "gi"))) {
    add({
      kind: "number",
      value: numberWords.indexOf(match[0].toLowerCase()),
      start: match.index,
      end: match.index + match[0].length,
      unit: "word",
    });
  }
}

/** Times of day, as `23:00`. */
function addTimes(sentence: string, add: Add): void {
  for (const match of sentence.matchAll(/\b(\d{1,2})(?::(\d{2}))?\s?([ap])\.?m\b\.?|\b([01]?\d|2[0-3]):([0-5]\d)\b/gi)) {
    const [whole, hour, minute = "00", half] = match[1] === undefined ? [match[0], match[4] ?? "", match[5]] : match;
    const shift = half?.toLowerCase() === "p" && Number(hour) < 12 ? 12 : half?.toLowerCase() === "a" && Number(hour) === 12 ? -12 : 0;
    const value = `${String(Number(hour) + shift).padStart(2, "0")}:${minute}`;
    add({ kind: "time", value, start: match.index, end: match.index + whole.length });
  }
}

const nameWord = "\\p{Lu}(?:[\\p{L}\\d'’&-]|\\.(?=\\p{L}))*";
const connector = "(?:\\s+(?:of|de|la|le|von|van|del|the|vs\\.?)(?=\\s+\\p{Lu}))*";
const nameRun = `${nameWord}(?:${connector}\\s+${nameWord})*`;
/** `San Francisco, CA` and `Paris, France` are one name; `Paris, Rome and Oslo` are three. */
const plainNames = new RegExp(
  `${nameRun}(?:,\\s?(?:[A-Z]{2}\\b|${nameRun}(?![\\p{L}\\d]|\\s*,\\s*(?:\\p{Lu}|and\\b|or\\b)|\\s+(?:and|or|&)\\b)))?`,
  "gu",
);
/** `Windows 10`, but not the 3 of `Paris 3 days`. */
const namesWithNumber = new RegExp(`${nameRun}\\s+\\d+(?=\\s*(?:[.,?!;:)]|$)|\\s+\\p{Lu})(?!\\.\\d)(?:\\s+${nameRun})?`, "gu");

/** Runs of capitalised words: `New York`, `Lord of the Rings`. */
function addNames(sentence: string, add: Add, pattern: RegExp): void {
  for (const match of sentence.matchAll(pattern)) {
    const run = match[0].replace(/['’]s$|[.'’]+$/, "");
    const before = sentence.slice(0, match.index);
    const isFirst = /(?:^|[.!?:]\s+)$/.test(before);
    const value = withoutLead(run, isFirst);
    const start = match.index + run.length - value.length;
    const isFirstWord = isFirst && !/:\s+$/.test(before) && start === match.index && !/\s/.test(value);
    if (value !== "") add({ kind: "name", value, start, end: start + value.length, isFirstWord });
  }
}

/** A sentence's first word is a capital anyway, and so are "I" and "Monday": "Find" of "Find Ann" is no part of the name. */
function withoutLead(run: string, isFirst: boolean): string {
  const lead = /^\S+\s*/.exec(run)?.[0] ?? "";
  const word = lead.trim().toLowerCase();
  const isNoName = /^i(['’]|$)/.test(word) || isCalendarWord(word) || isStopWord(word) || (isFirst && commands.has(word));
  // Within a sentence only a word that stands alone is dropped: "The Plaza" and "May Lee" are names.
  return lead !== "" && isNoName && (isFirst || lead === run) ? withoutLead(run.slice(lead.length), isFirst) : run;
}

/** Runs of lower-case words between words that carry no meaning: `single room`, `interest rates`. */
function addPhrases(sentence: string, add: Add): void {
  let run: Token[] = [];
  const flush = (): void => {
    const [first, last] = [run[0], run.at(-1)];
    if (first && last) add({ kind: "phrase", value: sentence.slice(first.start, last.end), start: first.start, end: last.end });
    run = [];
  };
  for (const token of tokenize(sentence)) {
    const between = sentence.slice(run.at(-1)?.end ?? token.start, token.start);
    if (!/^[\s-]*$/.test(between)) flush();
    if (isStopWord(token.text) || commands.has(token.text.toLowerCase()) || !/^\p{Ll}/u.test(token.text)) flush();
    else run.push(token);
  }
  flush();
}

/** What follows "about", "saying", "search for" or a colon, to the end of the sentence; one may hold another. */
function clauses(sentence: string): Candidate[] {
  const opening = "(?:\\b(?:about|saying|says|[Ss]earch(?: the web)? for|[Ll]ook up|that)\\s+|:\\s+)";
  const pattern = new RegExp(`${opening}(?=([^\\n]+?)(?:[.?!]+(?:\\s+\\p{Lu}|\\s*$)|\\n|$))`, "gu");
  return [...sentence.matchAll(pattern)].map((match) => {
    const value = match[1] ?? "";
    const start = match.index + match[0].length;
    return { kind: "clause", value, start, end: start + value.length };
  });
}

/** Arithmetic: `12 * (3 + 4.5)`, `2^10`, `sqrt(16) / 2`. */
function expressions(sentence: string): Candidate[] {
  const operand = "(?:[a-z]{2,5})?\\(*\\s*-?\\d+(?:\\.\\d+)?\\s*\\)*";
  const pattern = new RegExp(`(?<![\\w.])${operand}(?:\\s*[-+*/^%×÷]\\s*${operand})+`, "g");
  return [...sentence.matchAll(pattern)].map((match) => {
    const value = match[0].trim();
    const start = match.index + match[0].indexOf(value);
    return { kind: "expression", value, start, end: start + value.length };
  });
}

function halves({ kind, value, start, end }: Candidate): Candidate[] {
  const [first = "", second] = String(value).split(/,\s*/);
  if (kind !== "name" || second === undefined) return [];
  return [
    { kind, value: first, start, end: start + first.length, half: 1 },
    { kind, value: second, start: end - second.length, end, half: 2 },
  ];
}
