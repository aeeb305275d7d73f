import { insteadOfName } from "./unknown-name.js";

/** The names of options; the type makes it complete. */
export type OptionNames<Options> = Readonly<Record<keyof Options, true>>;

/**
 * Throws `TypeError` for what is no object of options, and for a name of its own that isn't known: what is misspelt would do
 * nothing. One whose value is undefined is refused as well, because the value that comes from an environment is often set
 * in production alone. No value is told, as it may be a secret. `owner` begins the message.
 */
export function checkOptionNames(options: unknown, known: Readonly<Record<string, true>>, owner: string): void {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    const given = Array.isArray(options) ? "a list" : (options ?? undefined) === undefined ? String(options) : `a ${typeof options}`;
    throw new TypeError(`${owner}: takes options, such as { ${Object.keys(known)[0]}: ... }, got ${given}.`);
  }
  for (const name in options) {
    // The prototype's members may be any code's: some libraries add theirs to every object.
    if (Object.hasOwn(known, name) || !Object.hasOwn(options, name)) continue;
    throw new TypeError(`${owner}: there is no option "${name}". ${insteadOfName(name, Object.keys(known))}`);
  }
}
