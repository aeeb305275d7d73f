export type IsAny<Value> = 0 extends 1 & Value ? true : false;

/** Without strict null checks, null is in every type and says nothing. */
export type IsNullable<Value> = null extends string ? false : null extends Value ? true : false;

export type IsUnion<Value, All = Value> = [Value] extends [boolean]
  ? false
  : Value extends All
    ? [All] extends [Value]
      ? false
      : true
    : never;

/** A literal or a union of them; at run time, only `String` or `Number` is left. */
export type IsLiteral<Value> = [Value] extends [string] | [number]
  ? IsWide<Value> extends true
    ? false
    : // A template literal type or a branded string has no list of values: as a key, it makes an index signature.
      Record<never, never> extends Record<Value & PropertyKey, unknown>
      ? false
      : true
  : false;

export type IsWide<Value> = string extends Value ? true : number extends Value ? true : false;

// biome-ignore lint/suspicious/noExplicitAny: any function at all
export type AnyFunction = (...parameters: any[]) => unknown;
