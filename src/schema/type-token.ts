import { isStandardSchema, type StandardOutput, type StandardSchema } from "./standard-schema.js";

const tokenKind = Symbol.for("toolwright.typeToken");

/**
 * The type of whole numbers, JSON Schema's `integer`: `@required(Integer, "Number of guests") guests!: number`. See
 * docs/02-tools.md.
 */
export const Integer = Object.freeze({ [tokenKind]: "integer" }) as unknown as IntegerToken;

/** The type of `Integer`. */
export interface IntegerToken {
  readonly __type?: number;
  readonly __token: "Integer";
}

/** The type of `mapOf(...)`. */
export interface MapToken<Value> {
  readonly __type?: Record<string, Value>;
  readonly __token: "mapOf";
  readonly values: unknown;
}

/** The type of `anyOf(...)`. */
export interface UnionToken<Member> {
  readonly __type?: Member;
  readonly __token: "anyOf";
  readonly members: readonly unknown[];
}

/** A class whose decorated fields describe an object. */
// biome-ignore lint/suspicious/noExplicitAny: a class is a token whatever its constructor takes
export type ClassToken<Instance = object> = abstract new (...parameters: any[]) => Instance;

/**
 * A type as a value, because TypeScript's types don't exist at run time:
 *
 * - `String`, `Number`, `Integer`, `Boolean`, `Date`
 * - `[String]`: an array
 * - a class with decorated fields, or `() => Node` for a recursive one
 * - `mapOf(Number)`, `anyOf(String, Integer)`
 * - a Standard Schema, such as zod's
 *
 * See docs/02-tools.md.
 */
export type TypeToken =
  | StringConstructor
  | NumberConstructor
  | BooleanConstructor
  | DateConstructor
  | ArrayConstructor
  | ObjectConstructor
  | IntegerToken
  | MapToken<unknown>
  | UnionToken<unknown>
  | StandardSchema
  | ClassToken
  | readonly [TypeToken]
  // TypeScript takes the list that an arrow function returns for an array, never for a tuple.
  | (() => TypeToken | readonly TypeToken[]);

/** The TypeScript type of a type token: `TypeOf<typeof Integer>` is `number`. */
export type TypeOf<Token> = Token extends StringConstructor
  ? string
  : Token extends NumberConstructor | IntegerToken
    ? number
    : Token extends BooleanConstructor
      ? boolean
      : Token extends DateConstructor
        ? Date
        : Token extends ArrayConstructor
          ? unknown[]
          : Token extends ObjectConstructor
            ? Record<string, unknown>
            : Token extends MapToken<infer Value>
              ? Record<string, Value>
              : Token extends UnionToken<infer Member>
                ? Member
                : Token extends { readonly "~standard": unknown }
                  ? StandardOutput<Token>
                  : Token extends ClassToken<infer Instance>
                    ? Instance
                    : Token extends readonly (infer Item)[]
                      ? TypeOf<Item>[]
                      : Token extends () => infer Inner
                        ? TypeOf<Inner>
                        : unknown;

/**
 * An object with any keys and values of one type: `@required(mapOf(Number), "Price per product") prices!: Record<string, number>`.
 * See docs/02-tools.md.
 */
export function mapOf<const Value extends TypeToken>(values: Value): MapToken<TypeOf<Value>> {
  return Object.freeze({ [tokenKind]: "map", values }) as unknown as MapToken<TypeOf<Value>>;
}

/**
 * A value of one of several types; the first that fits is used:
 * `@required(anyOf(String, Integer), "Order number") order!: string | number`.
 *
 * See docs/02-tools.md.
 */
export function anyOf<const Members extends readonly [TypeToken, TypeToken, ...TypeToken[]]>(
  ...members: Members
): UnionToken<TypeOf<Members[number]>> {
  // The value's type is only in the token's type, for the compiler.
  return Object.freeze({ [tokenKind]: "union", members: Object.freeze(members) }) as unknown as UnionToken<TypeOf<Members[number]>>;
}

const tokenKindOf = (value: unknown): unknown =>
  typeof value === "object" && value !== null ? (value as Record<symbol, unknown>)[tokenKind] : undefined;

/** Whether a value is `Integer`. See docs/02-tools.md. */
export const isIntegerToken = (value: unknown): value is IntegerToken => tokenKindOf(value) === "integer";
/** Whether a value was made by `mapOf`. See docs/02-tools.md. */
export const isMapToken = (value: unknown): value is MapToken<unknown> => tokenKindOf(value) === "map";
/** Whether a value was made by `anyOf`. See docs/02-tools.md. */
export const isUnionToken = (value: unknown): value is UnionToken<unknown> => tokenKindOf(value) === "union";

/** Whether a value is a type token, rather than an options object. See docs/02-tools.md. */
export function isTypeToken(value: unknown): value is TypeToken {
  return typeof value === "function" || Array.isArray(value) || tokenKindOf(value) !== undefined || isStandardSchema(value);
}
