import { acceptSchema, documentOf } from "../accept-schema.js";
import { freezeDeep } from "../freeze.js";
import type { JsonSchema } from "../json-schema.js";
import { type Conversion, type Converted, UnfitError } from "./conversion.js";
import { flatSchema } from "./flat-schema.js";
import { NarrowSchema } from "./narrow/narrow-schema.js";
import { OpenSchema } from "./open-schema.js";
import type { Restore } from "./restore.js";
import { type DialectRules, geminiThroughAiSdk, type ProviderDialect, plainRules, strictRules } from "./dialect-rules.js";
import { openAiLimit, type SchemaSize, sizeOf } from "./narrow/strict-limits.js";
import { joinTexts } from "./notes.js";
import { describedByExamples, type WireExample, wireExamples } from "./wire-examples.js";

/** How a schema is wanted: in a provider's own form, in its strict mode if it fits, or as the AI SDK's package expects it. */
export type WireForm = ProviderDialect | "openai-strict" | "anthropic-strict" | "ai-sdk-google";

/** The schema of a tool's arguments as a provider takes it, and the way back. */
export interface WireSchema {
  /** JSON Schema in the part of it that the provider reads; always an object. */
  readonly parameters: JsonSchema;
  /** Whether the provider's strict mode takes `parameters`. */
  readonly strict: boolean;
  /** What the whole says beyond `parameters`, to be added to the tool's description. */
  readonly note: string | undefined;
  /** The keywords that moved into descriptions, in order of the alphabet. */
  readonly moved: readonly string[];
  /** Turns arguments that were written for `parameters` into those of the schema; undefined if they are the same. */
  readonly restore: Restore | undefined;
  /** How much of a request's limit for strict schemas this one uses; set if it is strict. */
  readonly size?: SchemaSize;
}

/** A schema that goes out in no form, and why. */
export interface Refused {
  readonly refused: string;
}

const converted = new Map<WireForm, WeakMap<object, WireSchema | Refused>>();

/**
 * Writes a tool's schema for a provider; once per schema and form. A strict form that the schema doesn't fit is no reason to
 * refuse it: then the provider's plain form is given. Never throws for a bad schema.
 */
export function wireSchema(schema: JsonSchema, form: WireForm): WireSchema | Refused {
  let schemas = converted.get(form);
  if (schemas === undefined) converted.set(form, (schemas = new WeakMap()));
  let wire = schemas.get(schema);
  if (wire === undefined) schemas.set(schema, (wire = write(schema, form)));
  return wire;
}

function write(schema: JsonSchema, form: WireForm): WireSchema | Refused {
  try {
    if (form === "openai-strict") return writeStrict(schema, "openai-chat") ?? wireSchema(schema, "openai-chat");
    if (form === "anthropic-strict") return writeStrict(schema, "anthropic") ?? wireSchema(schema, "anthropic");
    return writeBy(form === "ai-sdk-google" ? geminiThroughAiSdk : plainRules[form], schema);
  } catch (error) {
    return { refused: error instanceof Error ? error.message : String(error) };
  }
}

function writeStrict(schema: JsonSchema, dialect: ProviderDialect): WireSchema | undefined {
  const rules = strictRules[dialect];
  if (rules === undefined) return undefined;
  try {
    const wire = writeBy(rules, schema);
    const size = sizeOf(wire.parameters);
    return openAiLimit(size) === undefined ? Object.assign(wire, { strict: true, size }) : undefined;
  } catch (error) {
    if (error instanceof UnfitError) return undefined;
    throw error;
  }
}

function writeBy(rules: DialectRules, schema: JsonSchema): WireSchema {
  const accepted = acceptSchema(schema);
  const conversion: Conversion = { schema: accepted, document: documentOf(accepted), moved: new Set() };
  const { parameters, note, restore } = convert(rules, conversion);
  // The same object goes into every request. What the tool's own schema lent it is frozen already.
  freezeDeep(parameters);
  return { parameters, strict: false, note, moved: [...conversion.moved].sort(), restore };
}

function convert(rules: DialectRules, conversion: Conversion): Converted {
  if (rules.form === "flat") return flatSchema(conversion);
  return rules.form === "open" ? new OpenSchema(rules, conversion).convert() : new NarrowSchema(rules, conversion).convert();
}

/** No provider is known to take longer ones; those that took less (1,024 characters, OpenAI until 2025) take this now. */
const longestDescription = 32_000;

/**
 * What a model reads of a tool: its description, what its schema on the wire can't say, and its examples. Too long a text is cut, and says
 * so.
 */
export function wireDescription(description: string, wire: WireSchema, examples?: readonly WireExample[]): string {
  const described = joinTexts(description, wire.note) ?? "";
  const whole = examples === undefined ? described : describedByExamples(described, wireExamples(examples, wire));
  if (whole.length <= longestDescription) return whole;
  return `${whole.slice(0, longestDescription)}... [cut: ${whole.length} characters in all]`;
}
