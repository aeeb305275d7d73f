import { keywordsOf } from "../keywords.js";
import { identifierForm } from "./wire-names.js";

/** The APIs whose tools can be written. */
export const providerDialects = ["openai-chat", "openai-responses", "anthropic", "gemini", "bedrock", "mistral", "ollama"] as const;

/**
 * The API whose form of tools is meant: `"openai-chat"`, `"openai-responses"`, `"anthropic"`, `"gemini"`, `"bedrock"`, `"mistral"`
 * or `"ollama"`.
 */
export type ProviderDialect = (typeof providerDialects)[number];

/** What a provider that reads JSON Schema accepts, and how it differs from the others. */
export interface OpenRules {
  readonly form: "open";
  /** Patterns with look-around or `\p{...}` make OpenAI refuse the whole request. */
  readonly plainPatterns: boolean;
  /** A list must say what its items are. */
  readonly needsItems: boolean;
  /** Whether `patternProperties` may be sent. Some providers refuse some of them. */
  readonly patternProperties: boolean;
  /** What the names of the root's properties must match; elsewhere any will do. */
  readonly names?: NameRule;
}

/** What a provider takes that reads a part of JSON Schema only, or whose strict mode does. */
export interface NarrowRules {
  readonly form: "narrow";
  /** What goes over the wire as it is, beside what makes the shape. All else that says something moves into the description. */
  readonly keywords: ReadonlySet<string>;
  readonly formats: ReadonlySet<string>;
  readonly plainPatterns: boolean;
  /** Strict mode: every object lists all that it may hold. A schema that can't be written so is refused, never narrowed. */
  readonly isStrict: boolean;
  /** `null`: optional properties are required, and null stands for one that is left out. */
  readonly optional: "absent" | "null";
  /** `recursive`: a type may hold itself; `plain`: it may not; `none`: what is referred to is written out. */
  readonly references: "recursive" | "plain" | "none";
  /** Values are texts on the wire. */
  readonly textValues: boolean;
  /** Nothing may stand beside `anyOf`. */
  readonly loneUnions: boolean;
  /** The names that properties may have; at the root only, or everywhere. */
  readonly names?: NameRule;
}

/** Ollama's server reads a few keywords of each property and drops the rest. */
export interface FlatRules {
  readonly form: "flat";
}

export interface NameRule {
  /** The legal form of a name: the name itself if it is legal. */
  readonly legalForm: (name: string) => string;
  readonly everywhere: boolean;
}

export type DialectRules = OpenRules | NarrowRules | FlatRules;

const longestName = 64;

/** Anthropic checks the names of the root's properties against `^[a-zA-Z0-9_.-]{1,64}$`; Bedrock passes them on to it. */
const anthropicNames: NameRule = {
  legalForm: (name) => name.slice(0, longestName).replace(/[^a-zA-Z0-9_.-]/g, "_") || "_",
  everywhere: false,
};

/** `[a-zA-Z_][a-zA-Z0-9_]{0,63}` (Gemini API, `FunctionDeclaration.parameters`). */
const geminiNames: NameRule = {
  legalForm: identifierForm,
  everywhere: true,
};

/** Those of a provider that reads JSON Schema and says of no part that it refuses it. */
export const openRules: OpenRules = { form: "open", plainPatterns: false, needsItems: false, patternProperties: true };
const openAi: OpenRules = { ...openRules, plainPatterns: true, needsItems: true };
const anthropic: OpenRules = { ...openRules, patternProperties: false, names: anthropicNames };

/** The formats of OpenAI's structured outputs ("Supported properties"). */
const openAiFormats = ["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"];

/** Beside the keywords that make the shape. */
export const openAiStrictKeywords: ReadonlySet<string> = new Set([
  "title",
  "pattern",
  "format",
  "minItems",
  "maxItems",
  ...keywordsOf("number"),
]);

const openAiStrict: NarrowRules = {
  form: "narrow",
  keywords: openAiStrictKeywords,
  formats: new Set(openAiFormats),
  plainPatterns: true,
  isStrict: true,
  optional: "null",
  references: "recursive",
  textValues: false,
  loneUnions: false,
};

const anthropicStrict: NarrowRules = {
  ...openAiStrict,
  keywords: new Set(["title", "format"]),
  formats: new Set([...openAiFormats, "uri"]),
  optional: "absent",
  references: "plain",
  names: anthropicNames,
};

/** `Schema` of the Gemini API, a subset of OpenAPI's. Its bounds are inclusive, its values texts, its only text format `date-time`. */
const gemini: NarrowRules = {
  form: "narrow",
  keywords: new Set([
    "title",
    "pattern",
    "format",
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
  ]),
  formats: new Set(["date-time"]),
  plainPatterns: true,
  isStrict: false,
  optional: "absent",
  references: "none",
  textValues: true,
  loneUnions: true,
  names: geminiNames,
};

/** `@ai-sdk/google` passes on these keywords alone. */
export const geminiThroughAiSdk: NarrowRules = { ...gemini, keywords: new Set(["format", "minLength"]) };

const flat: FlatRules = { form: "flat" };

export const plainRules: Readonly<Record<ProviderDialect, DialectRules>> = {
  "openai-chat": openAi,
  "openai-responses": openAi,
  anthropic,
  gemini,
  bedrock: anthropic,
  mistral: openRules,
  ollama: flat,
};

/** The rules of the strict modes that are known. */
export const strictRules: { readonly [Dialect in ProviderDialect]?: NarrowRules } = {
  "openai-chat": openAiStrict,
  "openai-responses": openAiStrict,
  anthropic: anthropicStrict,
};

/** Whether OpenAI and Gemini take a pattern: they refuse look-around and the classes of Unicode. */
export const isPlainPattern = (pattern: unknown): boolean => typeof pattern === "string" && !/\(\?[=!<]|\\[pP]\{/.test(pattern);
