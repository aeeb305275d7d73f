/** A value in a message. */
export type Show<Value> = [Value] extends [never]
  ? "never"
  : Value extends string
    ? string extends Value
      ? "a string"
      : `"${Value}"`
    : Value extends number
      ? number extends Value
        ? "a number"
        : `${Value}`
      : Value extends boolean | null | undefined
        ? `${Value}`
        : Value extends readonly unknown[]
          ? "array"
          : Value extends object
            ? "object"
            : "a value of unknown type";

/** A type in a message: the compiler can't print the names of classes. */
export type ShowType<Type> = Type extends Date
  ? "a Date"
  : Type extends readonly unknown[]
    ? "an array of that type"
    : Type extends object
      ? "an object of that type"
      : Show<Type>;
