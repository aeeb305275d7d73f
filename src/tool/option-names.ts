import { isRecord, kindOf } from "../schema/internal.js";
import { insteadOfName } from "./unknown-name.js";

/** The names of options; the type makes it complete. */
export type OptionNames<Options> = Readonly<Record<keyof Options, true>>;

/**
 * Throws if the value is no options object, or if it has an unknown name: a misspelt option would do nothing. It also rejects an
 * unknown name whose value is undefined, because a value from the environment is often set in production alone. The message quotes no
 * value, which may be a secret. `owner` begins the message; `Failure` is the class of the error, `TypeError` by default.
 */
export function checkOptionNames(
  options: unknown,
  known: Readonly<Record<string, true>>,
  owner: string,
  Failure: new (message: string) => Error = TypeError,
): void {
  if (!isOptions(options)) {
    throw new Failure(`${owner}: takes options, such as { ${Object.keys(known)[0]}: ... }, got ${nounOf(options)}.`);
  }
  for (const name in options) {
    // The prototype's members may be any code's: some libraries add theirs to every object.
    if (Object.hasOwn(known, name) || !Object.hasOwn(options, name)) continue;
    throw new Failure(`${owner}: unknown option "${name}". ${insteadOfName(name, Object.keys(known))}`);
  }
}

/** As `checkOptionNames`, for options that may be an instance of an application's class with fields of its own, which isn't checked. */
export function checkPlainOptionNames(options: unknown, known: Readonly<Record<string, true>>, owner: string): void {
  const isInstance = isOptions(options) && ![Object.prototype, null].includes(Object.getPrototypeOf(options));
  if (!isInstance) checkOptionNames(options, known, owner);
}

/** Whether it is an options object. A list, promise, error or map isn't: all its options would be ignored. */
export const isOptions = (value: unknown): value is object =>
  typeof value === "object" && value !== null && Object.prototype.toString.call(value) === "[object Object]";

function nounOf(value: unknown): string {
  if (!isRecord(value)) return kindOf(value);
  return value instanceof Promise
    ? "a promise: await it"
    : `an object of another kind (${Object.prototype.toString.call(value).slice(8, -1)})`;
}
