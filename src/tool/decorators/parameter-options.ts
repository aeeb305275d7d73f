import type { JsonSchema, TypeToken } from "../../schema/index.js";
import { insteadOfName } from "../unknown-name.js";

/** The allowed values of a parameter: a list, or a TypeScript enum (the model writes its values, not its names). */
export type EnumOption = readonly (string | number | boolean | null)[] | { readonly [name: string]: string | number };

/**
 * Options of `@required` and `@optional`:
 * `@optional(Integer, { description: "How many results", maximum: 50, default: 10 }) limit!: number`.
 *
 * The constraints are JSON Schema's keywords. See docs/02-tools.md.
 */
export interface ParameterOptions {
  /** The type, if it isn't the first argument. */
  readonly type?: TypeToken;
  /** What the model reads about the parameter. */
  readonly description?: string;
  /** The allowed values. */
  readonly enum?: EnumOption;
  /** The value if the model sends none, as JSON. Each call gets a fresh copy. */
  readonly default?: unknown;
  /** Valid values that the model reads. */
  readonly examples?: readonly unknown[];
  /** The lowest number, inclusive. */
  readonly minimum?: number;
  /** The highest number, inclusive. */
  readonly maximum?: number;
  /** Numbers must be greater than this. */
  readonly exclusiveMinimum?: number;
  /** Numbers must be less than this. */
  readonly exclusiveMaximum?: number;
  /** Numbers must be a multiple of this. */
  readonly multipleOf?: number;
  /** The fewest characters of a string. */
  readonly minLength?: number;
  /** The most characters of a string. */
  readonly maxLength?: number;
  /** A regular expression as a string, without slashes: `"^[A-Z]{3}$"`. */
  readonly pattern?: string;
  /** A format of JSON Schema: `"email"`, `"uri"`, `"date"`, ... */
  readonly format?: string;
  /** The fewest items of an array. */
  readonly minItems?: number;
  /** The most items of an array. */
  readonly maxItems?: number;
  /** Whether the items of an array must differ. */
  readonly uniqueItems?: boolean;
  /** The fewest members of an object. */
  readonly minProperties?: number;
  /** The most members of an object. */
  readonly maxProperties?: number;
  /** A JSON Schema, instead of a type. */
  readonly schema?: JsonSchema;
}

/** The names of the options; the type makes it complete. */
const optionNames: Readonly<Record<keyof ParameterOptions, true>> = {
  type: true,
  description: true,
  enum: true,
  default: true,
  examples: true,
  minimum: true,
  maximum: true,
  exclusiveMinimum: true,
  exclusiveMaximum: true,
  multipleOf: true,
  minLength: true,
  maxLength: true,
  pattern: true,
  format: true,
  minItems: true,
  maxItems: true,
  uniqueItems: true,
  minProperties: true,
  maxProperties: true,
  schema: true,
};

/** What to say of an option that doesn't exist, a misspelt one most of all; `undefined` if all of them do. */
export function unknownOption(options: object): string | undefined {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(optionNames, name));
  if (unknown === undefined) return undefined;
  return `unknown option "${unknown}". ${insteadOfName(unknown, Object.keys(optionNames))} Any JSON Schema can be given as schema.`;
}
