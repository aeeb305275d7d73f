import { isSecretName } from "../schema/index.js";
import { hideSecrets, redacted } from "./secrets.js";

// Texts may be hostile: every repetition below is bounded, or begins where no other match of it can have begun.

/** A quick look: nothing below matches a text without one of these. */
const mayHoldSecret = /[:=]|bearer|basic|(?:sk|pk|rk|xai|hf|npm|gh[opsur]|pat|xox[abeoprs]|whsec)[-_]|AIza|AKIA|ASIA|eyJ/i;

const userOfUrl = /(\b[a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/?#]+@/gi;
const queryParameter = /([?&])([\w.-]+)=([^\s&#"']+)/g;
const authorization = /\b(bearer|basic)(\s+)[\w.~+/=-]{8,}/gi;
const quotedMember = /(["'])([\w.-]{1,64})\1(\s{0,10}:\s{0,10})(?:"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|-?\d[\w.+-]*)/g;
const looseMember = /(?<![\w.-])(["']?)([\w.-]{1,64})\1(\s{0,10}:\s{0,10})(?:"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|[^\s,}"']+)/g;

/** Keys that tell what they are: by the prefix of their provider (with a digit, or a star of a masked one), or as a JSON Web Token. */
const knownKey =
  /\b(?:(?:sk|pk|rk|gsk|xai|hf|npm|gh[opsur]|github_pat|glpat|xox[abeoprs]|whsec)[-_](?=[\w*.-]{0,80}[\d*])[\w*.-]{16,}|AIza[\w-]{20,}|(?:AKIA|ASIA)[A-Z\d]{16}\b|eyJ[\w-]{10,2000}\.[\w-]{10,}\.[\w-]+)/g;

/**
 * Takes credentials out of a text: user and password of URLs, secret query parameters, `Bearer` and `Basic` values,
 * values of secret names in JSON (`"apiKey": "..."`), keys that tell by their beginning what they are (`sk-...`), and the
 * values that `addSecret` made known.
 */
export function redactText(value: string): string {
  const text = hideSecrets(value);
  return mayHoldSecret.test(text) ? redactMembers(redactValues(text), quotedMember) : text;
}

/** As `redactText`, for arguments that are no JSON: names may stand without quotes (`{password: hunter2`). */
export const redactMalformed = (value: string): string => redactMembers(redactValues(hideSecrets(value)), looseMember);

function redactValues(value: string): string {
  return value
    .replace(userOfUrl, `$1${redacted}@`)
    .replace(queryParameter, (whole, separator: string, name: string) => (isSecretName(name) ? `${separator}${name}=${redacted}` : whole))
    .replace(authorization, `$1$2${redacted}`)
    .replace(knownKey, redacted);
}

const redactMembers = (value: string, member: RegExp): string =>
  value.replace(member, (whole, quote: string, name: string, colon: string) =>
    isSecretName(name) ? `${quote}${name}${quote}${colon}"${redacted}"` : whole,
  );

/**
 * The one place where secrets are taken out of what is logged, traced, shown or told to a model.
 * Copies; the input stays as it is. Expects JSON (the executor normalises first).
 */
export function redact(value: unknown): unknown {
  if (typeof value === "string") return redactText(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(redact);
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[key];
    const hidden = member !== null && member !== undefined && typeof member !== "boolean" && isSecretName(key);
    const shown = hidden ? redacted : redact(member);
    const name = hideSecrets(key);
    // An assignment to `__proto__` would change the prototype instead.
    if (name === "__proto__") Object.defineProperty(copy, name, { value: shown, enumerable: true, configurable: true, writable: true });
    else copy[name] = shown;
  }
  return copy;
}
