import { setOwn } from "./set-own.js";

/** The text that replaces a secret. */
export const redacted = "[redacted]";

/** Shorter values would be found in texts that have nothing to do with them. */
const shortestSecret = 8;

interface KnownSecrets {
  /** By value, the forms in which it may appear. */
  readonly forms: Map<string, readonly string[]>;
  /** Finds all forms of all values; `undefined` while there are none. */
  pattern: RegExp | undefined;
}

// On the global object, so that another copy of the package (ESM beside CommonJS) takes out the same values.
const sharedKey = Symbol.for("toolwright.secrets");
const known: KnownSecrets = ((globalThis as { [sharedKey]?: KnownSecrets })[sharedKey] ??= { forms: new Map(), pattern: undefined });

/**
 * Registers a secret of the application, so that its value is replaced by `[redacted]` in everything that models, logs and traces
 * receive.
 *
 * ```ts
 * addSecret("orders-4711-token");
 * redact({ note: "sent with orders-4711-token" }); // { note: "sent with [redacted]" }
 * ```
 *
 * URL-encoded and base64 forms are replaced too, also as a part of a longer text. Use it for the secrets of the process, not for
 * thousands of values. Returns a function that removes the secret, for one that was replaced.
 *
 * Throws `TypeError` if the value isn't a string and `RangeError` if it has less than 8 characters. See docs/security.md.
 */
export function addSecret(value: string): () => void {
  // The value itself is never part of a message.
  if (typeof value !== "string") {
    throw new TypeError(`addSecret: takes the secret's text, got ${value === null ? "null" : typeof value}. Is its variable set?`);
  }
  if (value.length < shortestSecret) {
    throw new RangeError(
      `addSecret: a value of ${value.length} characters would be found in texts that have nothing to do with it; at least ${shortestSecret}.`,
    );
  }
  known.forms.set(value, formsOf(value));
  known.pattern = patternOfAll();
  return () => {
    known.forms.delete(value);
    known.pattern = patternOfAll();
  };
}

/** Returns the text with the values that `addSecret` registered replaced by `[redacted]`. See docs/security.md. */
export const hideSecrets = (text: string): string => (known.pattern === undefined ? text : text.replace(known.pattern, redacted));

/** JSON without the values that `addSecret` made known, in keys and numbers too. What holds none is given back as it is. */
export const hideSecretsIn = (value: unknown): unknown => (known.pattern === undefined ? value : withoutSecrets(value));

function withoutSecrets(value: unknown): unknown {
  if (typeof value === "string") return hideSecrets(value);
  if (typeof value === "number") {
    const text = String(value);
    const hidden = hideSecrets(text);
    return hidden === text ? value : hidden;
  }
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map(withoutSecrets);
    return items.every((item, index) => Object.is(item, value[index])) ? value : items;
  }
  const copy: Record<string, unknown> = {};
  let isSame = true;
  for (const [key, member] of Object.entries(value)) {
    const name = hideSecrets(key);
    const shown = withoutSecrets(member);
    isSame &&= name === key && Object.is(shown, member);
    setOwn(copy, name, shown);
  }
  return isSame ? value : copy;
}

/** The length of the longest text that `hideSecrets` looks for. */
export const longestSecret = (): number => Math.max(0, ...[...known.forms.values()].flat().map(({ length }) => length));

/** As `hideSecrets`, with values that are secret for a while: the token of one user. Short values can't be distinguished from other text. */
export function hiderOf(values: readonly string[]): (text: string) => string {
  const pattern = patternOf(values.filter(({ length }) => length >= shortestSecret).flatMap(formsOf));
  return pattern === undefined ? hideSecrets : (text) => hideSecrets(text).replace(pattern, redacted);
}

const patternOfAll = (): RegExp | undefined => patternOf([...known.forms.values()].flat());

/** Longer forms first: one may begin another. */
function patternOf(forms: readonly string[]): RegExp | undefined {
  if (forms.length === 0) return undefined;
  const longestFirst = [...new Set(forms)].sort((one, other) => other.length - one.length);
  return new RegExp(longestFirst.map((form) => form.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")).join("|"), "g");
}

function formsOf(value: string): readonly string[] {
  const bytes = Buffer.from(value);
  const encoded = [
    encodeURIComponent(bytes.toString()),
    new URLSearchParams([["", value]]).toString().slice(1),
    encodeURI(bytes.toString()),
  ];
  const base64 = [0, 1, 2].map((offset) => base64Within(bytes, offset));
  return [
    value,
    JSON.stringify(value).slice(1, -1),
    ...encoded,
    ...encoded.map((text) => text.replace(/%[\dA-F]{2}/g, (byte) => byte.toLowerCase())),
    ...base64,
    ...base64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_")),
  ];
}

/** What is the same in the base64 of every text that holds the bytes `offset` bytes after the start of a group of three. */
function base64Within(bytes: Buffer, offset: number): string {
  const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString("base64");
  return text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
}
