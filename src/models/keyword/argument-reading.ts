import type { JsonSchema, JsonValue } from "../../schema/index.js";
import { readBoolean } from "./boolean-reading.js";
import { findCandidates } from "./candidates.js";
import { certain, type Option } from "./option.js";
import { optionsFor } from "./find-options.js";
import { type Parameter, parametersOf } from "./tool-parameters.js";
import { type Token, tokenize } from "./sentence-words.js";

/** The arguments that were found, and the required parameters that were not. */
export interface Reading {
  readonly arguments: Record<string, unknown>;
  readonly missing: readonly Parameter[];
}

/**
 * Fills the parameters of a schema from a sentence. Every part that looks like a value is tried on every parameter that could take it. The
 * best pairs win, and each part is used once.
 */
export function readArguments(sentence: string, schema: JsonSchema, now: Date): Reading {
  const parameters = parametersOf(schema);
  const tokens = tokenize(sentence);
  const candidates = findCandidates(sentence, now);
  const options = parameters.flatMap((parameter) => optionsFor(parameter, { text: sentence, tokens }, candidates));
  const chosen = assign(options);
  const result: Record<string, unknown> = {};
  const missing: Parameter[] = [];
  for (const parameter of parameters) {
    const value = chosen.get(parameter)?.value ?? valueWithoutPart(parameter, tokens);
    if (value !== undefined) setAt(result, parameter.path, value);
    else if (parameter.required) missing.push(parameter);
  }
  return { arguments: result, missing };
}

/** A document of a schema, as far as a sentence holds it; `wholeText` is the value of each required text that wasn't found. */
export function readDocument(sentence: string, wholeText: string, schema: JsonSchema, now: Date): Record<string, unknown> {
  const reading = readArguments(sentence, schema, now);
  for (const { type, values, path } of reading.missing)
    if (type === "string" && values.length === 0) setAt(reading.arguments, path, wholeText);
  return reading.arguments;
}

function assign(options: readonly Option[]): Map<Parameter, Option> {
  const chosen = new Map<Parameter, Option>();
  const rank = ({ parameter, fit, cue }: Option): number => fit + cue + (parameter.required ? 1 : 0);
  for (const option of options.filter(isMeant).sort((a, b) => rank(b) - rank(a))) {
    const others = [...chosen.values()].filter((other) => !other.mayOverlap && !option.mayOverlap);
    const isTaken = others.some((other) => option.start < other.end && other.start < option.end);
    if (!chosen.has(option.parameter) && !isTaken) chosen.set(option.parameter, option);
  }
  return chosen;
}

/** A parameter that may be left out gets a value only if the sentence speaks of it, not just one that would fit. */
const isMeant = ({ parameter, fit, cue }: Option): boolean =>
  parameter.required ? fit + cue >= 0.5 : fit >= certain || (cue >= 1.5 && fit + cue >= 3);

/** What needs no part of the sentence: a boolean that is mentioned, the only legal value, the default of what is required. */
function valueWithoutPart(parameter: Parameter, tokens: readonly Token[]): unknown {
  const { type, required, values } = parameter;
  const only = required && values.length === 1 ? values[0] : undefined;
  const isYesOrNo = type === "boolean" || ["true", "false"].every((word) => values.some((value) => isWord(value, word)));
  return (isYesOrNo ? yesOrNo(parameter, tokens) : only) ?? requiredDefault(parameter);
}

/** Some schemas list the texts "True" and "False" instead of being boolean. */
function yesOrNo(parameter: Parameter, tokens: readonly Token[]): JsonValue | undefined {
  const mentioned = readBoolean(parameter, tokens);
  return parameter.type === "boolean" ? mentioned : parameter.values.find((value) => isWord(value, String(mentioned)));
}

const isWord = (value: JsonValue, word: string): boolean => String(value).toLowerCase() === word;

const requiredDefault = ({ required, schema }: Parameter): JsonValue | undefined =>
  required ? (schema.const ?? schema.default) : undefined;

function setAt(target: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [first = "", ...rest] = path;
  if (rest.length === 0) Object.defineProperty(target, first, { value, enumerable: true, configurable: true, writable: true });
  else {
    if (!Object.hasOwn(target, first)) setAt(target, [first], {});
    setAt(target[first] as Record<string, unknown>, rest, value);
  }
}
