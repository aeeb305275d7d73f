/**
 * One violation of a schema. `path` and `message` together make a sentence: `units` and `must be one of: celsius, fahrenheit`.
 *
 * See docs/json-schema.md.
 */
export interface Fault {
  /** The path of the value: `items[1].price`; empty for the whole value. */
  readonly path: string;
  /** What is wrong, without the path: `is required`, `must be an integer, got string "x"`. */
  readonly message: string;
  /** The JSON Schema keyword that is violated: `required`, `type`, `enum`, ... */
  readonly keyword: string;
}

/** A change that made an invalid value valid without losing meaning, such as `"42"` to 42 at `limit`. See docs/json-schema.md. */
export interface Repair {
  /** The path of the value: `items[1].price`. */
  readonly path: string;
  /** The value that the model sent. */
  readonly from: unknown;
  /** The value that is used. */
  readonly to: unknown;
}

/** A model can't fix more faults at once, so a message lists this many and counts the others. */
const maxListed = 50;

/** A path or a message that is longer says nothing more to a model. */
const maxTextLength = 4_000;

const shorten = (text: string): string => (text.length > maxTextLength ? `${text.slice(0, maxTextLength)}...` : text);

/**
 * Joins faults into one line, as models and logs read them:
 * `items[1].price is required; units must be one of: celsius, fahrenheit`.
 *
 * `root` is the name for the whole value. See docs/json-schema.md.
 */
export function describeFaults(faults: readonly Fault[], root = "arguments"): string {
  const listed = faults.slice(0, maxListed).map(({ path, message }) => `${path === "" ? root : shorten(path)} ${shorten(message)}`);
  if (faults.length > maxListed) listed.push(`and ${faults.length - maxListed} more`);
  return listed.join("; ");
}
