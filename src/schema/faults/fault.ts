/**
 * One way in which a value breaks its schema.
 *
 * `message` reads on after the path: path `units`, message `must be one of: celsius, fahrenheit`.
 */
export interface Fault {
  /** Where, as a person writes it: `items[1].price`; empty for the value itself. */
  readonly path: string;
  /** What is wrong, without the path: `is required`, `must be an integer, got string "x"`. */
  readonly message: string;
  /** The JSON Schema keyword that the value breaks (`required`, `type`, `enum`, ...). */
  readonly keyword: string;
}

/** A change, without loss of meaning, that made an unfitting value fit: `"42"` became 42 at `limit`. */
export interface Repair {
  readonly path: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** More faults than a model can mend at once are counted, not told. */
const maxTold = 50;

/** A path or a message that is longer says nothing more to a model. */
const maxTextLength = 4_000;

const shorten = (text: string): string => (text.length > maxTextLength ? `${text.slice(0, maxTextLength)}...` : text);

/** All faults in one line, as a model and a log read them: `items[1].price is required; units must be one of: celsius, fahrenheit`. */
export function describeFaults(faults: readonly Fault[], root = "arguments"): string {
  const told = faults.slice(0, maxTold).map(({ path, message }) => `${path === "" ? root : shorten(path)} ${shorten(message)}`);
  if (faults.length > maxTold) told.push(`and ${faults.length - maxTold} more`);
  return told.join("; ");
}
