import { isSecretName } from "./secret-name.js";
import { setOwn } from "./set-own.js";
import { redactNamed, redactLooselyNamed } from "./named-values.js";
import { redactKnownKeys } from "./known-keys.js";
import { bytesNote, sizeOfBase64 } from "./bytes-note.js";
import { hideSecrets, longestSecret, redacted } from "./secrets.js";

// Texts may be hostile. No pattern can start inside another match of itself, or it consumes all that it has read;
// `npm run expressions` checks it.

/** A quick look: nothing below matches a text without one of these. */
const mayHoldSecret = /[:=]|["'],\s|bearer|basic|(?:sk|pk|rk|xai|hf|npm|gh[opsur]|pat|xox[abeoprs]|whsec)[-_]|AIza|AKIA|ASIA|eyJ/i;

const userOfUrl = /(?<![a-z0-9+.-])([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/?#]+@/gi;
const authorization = /\b(bearer|basic)(\s+)[\w.~+/=-]{8,}/gi;

/** A longer text is cut before it is looked through. */
const longestText = 1_000_000;

/** At least as much is dropped before the cut: a credential that is cut in two isn't recognised. */
const dropped = 4_000;

/**
 * Replaces credentials in a text with `[redacted]`:
 *
 * - user and password of URLs, `Bearer` and `Basic` values, secret headers (`Cookie: ...`)
 * - values with secret names (`"apiKey": "..."`, `token=...`) and keys with a known prefix (`sk-...`)
 * - values that `addSecret` registered
 *
 * A text over a million characters is cut. See docs/security.md.
 */
export const redactText = (value: string): string => withinLimit(value, redactCredentials);

/** As `redactText`, for arguments that are no JSON: names may stand without quotes (`{password: hunter2`). */
export const redactMalformed = (value: string): string => withinLimit(value, (text) => redactLooselyNamed(redactValues(hideSecrets(text))));

function withinLimit(text: string, redactShort: (text: string) => string): string {
  if (text.length <= longestText) return redactShort(text);
  const shown = redactShort(text.slice(0, longestText)).slice(0, -Math.max(dropped, longestSecret()));
  return `${shown}[... the end of ${text.length} characters is left out here ...]`.toWellFormed();
}

function redactCredentials(value: string): string {
  const text = hideSecrets(value);
  return mayHoldSecret.test(text) ? redactNamed(redactValues(text)) : text;
}

const redactValues = (text: string): string =>
  redactKnownKeys(text.replace(userOfUrl, `$1${redacted}@`).replace(authorization, `$1$2${redacted}`));

/**
 * Returns a copy of a JSON value with secrets replaced by `[redacted]`, in texts and in members with secret names. Of an image or file
 * part only the type and the size are kept (`[image/png, 12.3 KB]`). The input isn't changed.
 *
 * `redact({ password: "p", note: "Bearer abc" })`. Use it before you log or display tool inputs and results yourself. See
 * docs/security.md.
 */
export const redact = (value: unknown): unknown => new Redaction().of(value, 0);

/** What a record holds: more is left out, with a note. */
const mostValues = 100_000;
const mostCharacters = 2_000_000;
const deepest = 100;

const leftOut = "[left out: the record is too large]";

/** Fewer characters may be a text of the application. */
const leastBase64 = 64;

/** What is shown in place of the bytes of an image or a file of a message or a result: they are no text, and fill a log. */
function noteOnPart({ type, mediaType, filename, data }: Readonly<Record<string, unknown>>): string | undefined {
  if ((type !== "image" && type !== "file") || typeof mediaType !== "string" || typeof data !== "string") return undefined;
  if (data.length < leastBase64 || /[^A-Za-z0-9+/=]/.test(data.slice(0, leastBase64))) return undefined;
  const named = typeof filename === "string" ? { mediaType, filename: redactText(filename) } : { mediaType };
  return bytesNote(named, sizeOfBase64(data));
}

class Redaction {
  #values = mostValues;
  #characters = mostCharacters;

  of(value: unknown, depth: number): unknown {
    this.#values -= 1;
    if (typeof value === "string") return this.#text(value);
    if (typeof value !== "object" || value === null) return value;
    // JSON has no cycles, but what an application gives may have some.
    if (depth > deepest) return "[nested too deeply]";
    return Array.isArray(value) ? this.#items(value, depth + 1) : this.#members(value as Readonly<Record<string, unknown>>, depth + 1);
  }

  #items(items: readonly unknown[], depth: number): unknown[] {
    const copy: unknown[] = [];
    for (const item of items) {
      if (this.#values <= 0) {
        copy.push(leftOut);
        break;
      }
      copy.push(this.of(item, depth));
    }
    return copy;
  }

  #members(value: Readonly<Record<string, unknown>>, depth: number): Record<string, unknown> {
    const copy: Record<string, unknown> = {};
    const note = noteOnPart(value);
    for (const key of Object.keys(value)) {
      if (note !== undefined && key === "data") {
        setOwn(copy, key, note);
        continue;
      }
      if (this.#values <= 0) {
        setOwn(copy, "[left out]", leftOut);
        break;
      }
      const member = value[key];
      const hidden = member !== null && member !== undefined && typeof member !== "boolean" && isSecretName(key);
      setOwn(copy, hideSecrets(key), hidden ? redacted : this.of(member, depth));
    }
    return copy;
  }

  #text(text: string): string {
    if (this.#characters <= 0 && text !== "") return leftOut;
    this.#characters -= text.length;
    return redactText(text);
  }
}
