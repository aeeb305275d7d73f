import { isRecord, kindOf } from "../schema/internal.js";
import { insteadOfName } from "./unknown-name.js";

/** The names of options; the type makes it complete. */
export type OptionNames<Options> = Readonly<Record<keyof Options, true>>;

/**
 * Throws for what is no object of options, and for a name of its own that isn't known: what is misspelt would do nothing. One whose value
 * is undefined is refused as well, because the value that comes from an environment is often set in production alone. No value is told, as
 * it may be a secret. `owner` begins the message; `Failure` is the class of the error, `TypeError` by default.
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
    throw new Failure(`${owner}: there is no option "${name}". ${insteadOfName(name, Object.keys(known))}`);
  }
}

/** The same for what an application may make a class of, with fields of its own: only names of plain objects are judged. */
export function checkPlainOptionNames(options: unknown, known: Readonly<Record<string, true>>, owner: string): void {
  const isInstance = isOptions(options) && ![Object.prototype, null].includes(Object.getPrototypeOf(options));
  if (!isInstance) checkOptionNames(options, known, owner);
}

/** Whether it is an object of options: no list, promise, error or map, whose options would all be left out. */
export const isOptions = (value: unknown): value is object =>
  typeof value === "object" && value !== null && Object.prototype.toString.call(value) === "[object Object]";

function nounOf(value: unknown): string {
  if (!isRecord(value)) return kindOf(value);
  return value instanceof Promise
    ? "a promise: await it"
    : `an object of another kind (${Object.prototype.toString.call(value).slice(8, -1)})`;
}
