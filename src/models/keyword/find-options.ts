import type { Candidate, CandidateKind } from "./candidates.js";
import { cueScore, type Sentence } from "./cues.js";
import { formatDate } from "./dates.js";
import { listedValues } from "./listed-values.js";
import { certain, type Option } from "./option.js";
import type { Parameter } from "./tool-parameters.js";
import { isStopWord, stems, type Token, tokenize } from "./sentence-words.js";

/** How likely a text is to be a value, before anything is known of the parameter. */
const likelihood: Readonly<Record<CandidateKind, number>> = {
  quoted: 2.5,
  name: 2,
  timestamp: 2,
  id: 1.5,
  url: 1.5,
  email: 1.5,
  path: 1.5,
  number: 0.5,
  phrase: 0.5,
  time: 0,
  date: 0,
  clause: -1,
  expression: -1,
  list: -1,
};

interface KindRule {
  readonly kind: CandidateKind;
  /** Stems in the names of parameters for this kind. */
  readonly words: ReadonlySet<string>;
  readonly formats: readonly string[];
  readonly fit: number;
}

const kindRules: readonly KindRule[] = [
  { kind: "url", words: stems("url uri link website endpoint webpage domain"), formats: ["uri", "url"], fit: certain },
  { kind: "email", words: stems("email mail recipient receiver"), formats: ["email"], fit: certain },
  { kind: "date", words: stems("date day deadline birthday dob checkin checkout when"), formats: ["date", "date-time"], fit: certain },
  { kind: "timestamp", words: stems("date day deadline when time timestamp"), formats: ["date", "date-time"], fit: certain },
  { kind: "time", words: stems("time hour clock alarm"), formats: ["time"], fit: certain },
  { kind: "expression", words: stems("expression formula equation calculation arithmetic"), formats: [], fit: certain },
  { kind: "path", words: stems("path file directory folder filename dir"), formats: [], fit: certain },
  {
    kind: "clause",
    words: stems("query question text message content prompt keyword note comment task topic request body"),
    formats: [],
    fit: 2,
  },
  { kind: "id", words: stems("id identifier code number sku key reference ip"), formats: ["uuid"], fit: certain },
  { kind: "number", words: stems("id code number zip zipcode phone postal year"), formats: [], fit: 3 },
  {
    kind: "name",
    words: stems("city location country place state name artist actor author director person company team origin destination"),
    formats: [],
    fit: 3.5,
  },
];

/** Everything that the parameter could have from this sentence. */
export function optionsFor(parameter: Parameter, sentence: Sentence, candidates: readonly Candidate[]): Option[] {
  const listed = listedValues(parameter, sentence);
  if (parameter.values.length > 0) return listed;
  switch (parameter.type) {
    case "number":
    case "integer":
      return candidates.flatMap((candidate) => numberOption(parameter, candidate, sentence));
    case "string":
      return [...listed, ...candidates.flatMap((candidate) => textOption(parameter, candidate, sentence, candidates))];
    case "array":
      return runs(
        sentence.text,
        candidates.filter(({ half }) => half === undefined),
      ).flatMap((run) => arrayOption(parameter, run, sentence));
    default:
      return [];
  }
}

/** A rate is a share (0.05) unless its description speaks of per cent, or it must be whole. */
const isShare = ({ type, schema, description }: Parameter): boolean =>
  schema.maximum === 1 || (type === "number" && !/percent|%/i.test(description));

const moneyWords = stems("amount price cost budget salary loan pay payment income value principal");
const percentWords = stems("rate percent percentage interest ratio yield return growth");
const yearWords = stems("year");

function numberOption(parameter: Parameter, candidate: Candidate, sentence: Sentence): Option[] {
  const { value: number, unit, start, end } = candidate;
  if (candidate.kind !== "number" || typeof number !== "number") return [];
  const { minimum = -Infinity, maximum = Infinity } = parameter.schema;
  const isFraction = unit === "%" && isShare(parameter);
  const value = isFraction ? Number((number / 100).toPrecision(12)) : number;
  if (parameter.type === "integer" && !Number.isInteger(value)) return [];
  // What is said is the argument even if it is refused; beside another number it is the less likely one.
  const isInRange = value >= minimum && value <= maximum;
  const has = (words: ReadonlySet<string>): boolean => parameter.nameWords.some((word) => words.has(word));
  const isOfUnit =
    (unit === "$" && has(moneyWords)) || (unit === "%" && has(percentWords)) || (has(yearWords) && number >= 1900 && number < 2100);
  const unitWord = sentence.tokens.find((token) => token.start >= end && token.start <= end + 1);
  const isInUnit =
    unitWord !== undefined && !isStopWord(unitWord.text) && [...parameter.descriptionWords, ...parameter.nameWords].includes(unitWord.stem);
  // "one" and "two" are often no numbers: "one with ...".
  const fit = (unit === "word" ? 0.5 : 1.5) + (isOfUnit || isInUnit ? 2.5 : 0) - (isInRange ? 0 : 1);
  return [{ parameter, value, start, end, fit, cue: cueScore(parameter, candidate, sentence) }];
}

function textOption(parameter: Parameter, candidate: Candidate, sentence: Sentence, candidates: readonly Candidate[]): Option[] {
  const { kind, start, end } = candidate;
  if (kind === "list") return [];
  const whole = kind === "number" ? numberText(candidate, sentence.text) : String(candidate.value);
  const text = kind === "phrase" || kind === "name" ? withoutNameWords(parameter, whole) : whole;
  if (text === undefined) return [];
  const isDate = kind === "date" || kind === "timestamp";
  const value = isDate ? formatDate(text, parameter, timeBeside(candidate, candidates, sentence.text)) : text;
  const fit = fitOf(parameter, kind, text) + halfFit(parameter, candidate) - (candidate.isFirstWord ? 1.5 : 0);
  return [
    {
      parameter,
      value,
      start,
      end,
      fit,
      cue: cueScore(parameter, candidate, sentence, kind === "phrase"),
      ...(kind === "clause" && { mayOverlap: true }),
    },
  ];
}

/** The time of day of "tomorrow at 9:00" and "9:00 on 2025-03-04". */
function timeBeside(date: Candidate, candidates: readonly Candidate[], text: string): string | undefined {
  const isBeside = ({ start, end }: Candidate): boolean =>
    /^,?\s+(?:(?:at|on)\s+)?$/.test(text.slice(Math.min(end, date.end), Math.max(start, date.start)));
  const time = candidates.find((candidate) => candidate.kind === "time" && isBeside(candidate));
  return time && String(time.value);
}

/** A number that is a code keeps its leading zeros: "02134". */
const numberText = ({ value, start, end }: Candidate, text: string): string =>
  /\d[\d.,]*/.exec(text.slice(start, end))?.[0] ?? String(value);

function fitOf(parameter: Parameter, kind: CandidateKind, text: string): number {
  const rules = kindRules.filter(
    ({ words, formats }) => formats.includes(parameter.schema.format ?? "") || parameter.nameWords.some((word) => words.has(word)),
  );
  const rule = rules.find((fitting) => fitting.kind === kind || (kind === "quoted" && mayBe(fitting.kind, text)));
  if (rule !== undefined) return Math.max(rule.fit, likelihood[kind]);
  // A parameter of a kind of its own seldom takes a loose phrase, or a date.
  return likelihood[kind] - (rules.length > 0 && (kind === "date" || kind === "time" || kind === "phrase") ? 1 : 0);
}

/** Whether a quoted text may be of a kind by its looks. */
function mayBe(kind: CandidateKind, text: string): boolean {
  if (kind === "url") return /^\w+:\/\//.test(text);
  if (kind === "email") return text.includes("@");
  if (kind === "path") return /[\\/]|\.\w{1,4}$/.test(text);
  return kind === "name" || kind === "clause" || (kind === "id" && !text.includes(" "));
}

/** "single room" for `room_type` is "single": words of the parameter's own name at the edges are no part of its value. */
function withoutNameWords(parameter: Parameter, phrase: string): string | undefined {
  const words = tokenize(phrase);
  const isOther = (token: Token): boolean => !parameter.nameWords.includes(token.stem);
  const first = words.find(isOther);
  const last = words.findLast(isOther);
  return first && last && phrase.slice(first.start, last.end);
}

/** Of "Boston, MA" a city gets the first half, a state or country the second, and everything else the whole. */
function halfFit(parameter: Parameter, { value, half }: Candidate): number {
  const has = (words: ReadonlySet<string>): boolean => parameter.nameWords.some((word) => words.has(word));
  const asksForMore = /state|country|,/i.test(parameter.description);
  const wanted = has(regionWords) ? 2 : has(cityWords) && !asksForMore ? 1 : undefined;
  const isWhole = half === undefined && String(value).includes(",");
  return half !== undefined || isWhole ? (half === wanted ? 0.8 : -0.3) : 0;
}

const cityWords = stems("city town");
const regionWords = stems("country state region province");

/** Values of one kind that follow each other with a comma, "and" or "or" between them; a single one is a run as well. */
function runs(text: string, candidates: readonly Candidate[]): Candidate[][] {
  const found: Candidate[][] = [];
  for (const candidate of candidates) {
    const run = found.at(-1);
    const before = run?.at(-1);
    const isNext = before?.kind === candidate.kind && separator.test(text.slice(before.end, candidate.start));
    if (isNext) run?.push(candidate);
    else found.push([candidate]);
  }
  return found;
}

const separator = /^["'”’`]?\s*(?:,|and|or|&|,\s*and|,\s*or)\s*(?:the\s+)?["'“‘`]?$/;

function arrayOption(parameter: Parameter, run: readonly Candidate[], sentence: Sentence): Option[] {
  const { items } = parameter.schema;
  const type = typeof items === "object" && "type" in items ? items.type : "string";
  const [first, last] = [run[0], run.at(-1)];
  if (!first || !last) return [];
  const place = { parameter, start: first.start, end: last.end };
  const cue = cueScore(parameter, place, sentence);
  const isNumeric = type === "number" || type === "integer";
  const several = run.length > 1 ? 3 : 0;
  if (first.kind === "list") return [{ ...place, value: first.value, fit: certain, cue }];
  if (isNumeric) return first.kind === "number" ? [{ ...place, value: run.map(({ value }) => value), fit: 0.5 + several, cue }] : [];
  if (type !== "string" || first.kind === "number" || first.kind === "clause") return [];
  const value = run.flatMap((candidate) => (candidate.kind === "name" ? String(candidate.value).split(/,\s*/) : [String(candidate.value)]));
  return [{ ...place, value, fit: likelihood[first.kind] + several, cue }];
}
