/**
 * Throws `TypeError` for an unknown option, which would be ignored, and `RangeError` for a duration that is none. `owner` begins the
 * message. It quotes no value: a connection string holds a password.
 */
export function checkStorageOptions(owner: string, options: unknown, known: readonly string[]): void {
  if (Object.prototype.toString.call(options) !== "[object Object]") {
    throw new TypeError(`${owner}: takes options, such as { ${known[0]}: ... }, got ${options === null ? "null" : typeof options}.`);
  }
  const unknown = Object.keys(options as object).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new TypeError(`${owner}: unknown option "${unknown}". It takes ${known.join(", ")}.`);
  const { leaseDuration = 1 } = options as { readonly leaseDuration?: unknown };
  if (typeof leaseDuration === "number" && leaseDuration > 0 && leaseDuration < Number.POSITIVE_INFINITY) return;
  throw new RangeError(`${owner}: leaseDuration must be a number of milliseconds above 0, got ${String(leaseDuration)}.`);
}
