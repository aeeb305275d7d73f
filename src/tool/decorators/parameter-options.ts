import type { JsonSchema, TypeToken } from "../../schema/index.js";
import { insteadOfName } from "../unknown-name.js";

/** The values of a parameter: literals, or a TypeScript enum object, whose values (not names) the model writes. */
export type EnumOption = readonly (string | number | boolean | null)[] | { readonly [name: string]: string | number };

/**
 * What `@required` and `@optional` take beside the type. The constraints are JSON Schema's own keywords.
 *
 * ```ts
 * @optional(Integer, { description: "How many results", minimum: 1, maximum: 50, default: 10 })
 * limit!: number;
 * ```
 */
export interface ParameterOptions {
  /** The type, where it isn't the first argument. */
  readonly type?: TypeToken;
  /** What the model reads about the parameter. */
  readonly description?: string;
  readonly enum?: EnumOption;
  /** The value where the model gives none, as JSON; each call gets a fresh copy. */
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** A regular expression as text, without slashes: `"^[A-Z]{3}$"`. */
  readonly pattern?: string;
  /** A format of JSON Schema: `"email"`, `"uri"`, `"date"`, ... */
  readonly format?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  /** A raw JSON Schema instead of a type. */
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

/** What to say of an option that doesn't exist, a misspelt one most of all; `undefined` where all of them do. */
export function unknownOption(options: object): string | undefined {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(optionNames, name));
  if (unknown === undefined) return undefined;
  return `there is no option "${unknown}". ${insteadOfName(unknown, Object.keys(optionNames))} Any JSON Schema can be given as schema.`;
}
