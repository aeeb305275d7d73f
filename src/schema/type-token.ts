import { isStandardSchema, type StandardOutput, type StandardSchema } from "./standard-schema.js";

const tokenKind = Symbol.for("toolwright.typeToken");

/** The token of whole numbers: JSON Schema's `integer`. */
export const Integer = Object.freeze({ [tokenKind]: "integer" }) as unknown as IntegerToken;

export interface IntegerToken {
  readonly __type?: number;
  readonly __token: "Integer";
}

/** The token made by `mapOf`. */
export interface MapToken<Value> {
  readonly __type?: Record<string, Value>;
  readonly __token: "mapOf";
  readonly values: unknown;
}

/** The token made by `anyOf`. */
export interface UnionToken<Member> {
  readonly __type?: Member;
  readonly __token: "anyOf";
  readonly members: readonly unknown[];
}

/** A class whose decorated fields describe an object. */
// biome-ignore lint/suspicious/noExplicitAny: a class is a token whatever its constructor takes
export type ClassToken<Instance = object> = abstract new (...parameters: any[]) => Instance;

/**
 * What names a type at run time, where TypeScript's own types are gone: `String`, `Integer`, `[String]`,
 * a class with decorated fields, `() => Node` for recursion, `mapOf(Number)`, `anyOf(String, Integer)`,
 * a Standard Schema such as zod's.
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

/** The TypeScript type that a token names. */
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
 * An object with any keys, whose values are all of one type.
 *
 * ```ts
 * @required(mapOf(Number), "Price per product") prices!: Record<string, number>;
 * ```
 */
export function mapOf<const Value extends TypeToken>(values: Value): MapToken<TypeOf<Value>> {
  return Object.freeze({ [tokenKind]: "map", values }) as unknown as MapToken<TypeOf<Value>>;
}

/**
 * A value of any of several types; the first that fits is taken.
 *
 * ```ts
 * @required(anyOf(String, Integer), "Order number") order!: string | number;
 * ```
 */
export function anyOf<const Members extends readonly [TypeToken, TypeToken, ...TypeToken[]]>(
  ...members: Members
): UnionToken<TypeOf<Members[number]>> {
  return Object.freeze({ [tokenKind]: "union", members: Object.freeze(members) }) as unknown as UnionToken<TypeOf<Members[number]>>;
}

const kindOf = (value: unknown): unknown =>
  typeof value === "object" && value !== null ? (value as Record<symbol, unknown>)[tokenKind] : undefined;

export const isIntegerToken = (value: unknown): value is IntegerToken => kindOf(value) === "integer";
export const isMapToken = (value: unknown): value is MapToken<unknown> => kindOf(value) === "map";
export const isUnionToken = (value: unknown): value is UnionToken<unknown> => kindOf(value) === "union";

/** Tells a token from an options object, which is a plain object without a token's mark. */
export function isTypeToken(value: unknown): value is TypeToken {
  return typeof value === "function" || Array.isArray(value) || kindOf(value) !== undefined || isStandardSchema(value);
}
