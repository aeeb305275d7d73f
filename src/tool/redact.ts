/** The mark that stands where a secret stood. */
const redacted = "[redacted]";

const secretName =
  /(?:^|_)(?:authorization|cookie|password|passwd|passphrase|secret|secrets|token|credential|credentials|api_?key|private_?key|access_?key)$/;

const words = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[-\s.]/g, "_")
    .toLowerCase();

/** True for names whose value is a secret: `password`, `apiKey`, `X-Api-Key`, `access_token`; not `maxTokens`. */
export const isSecretName = (name: string): boolean => secretName.test(words(name));

/** Takes credentials out of a text: user and password of URLs, secret query parameters, `Bearer` and `Basic` values. */
export function redactText(value: string): string {
  if (!/[:=]|bearer|basic/i.test(value)) return value;
  return value
    .replace(/(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@]+@/gi, `$1${redacted}@`)
    .replace(/([?&])([\w.-]+)=([^\s&#"']+)/g, (whole, separator: string, name: string) =>
      isSecretName(name) ? `${separator}${name}=${redacted}` : whole,
    )
    .replace(/\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi, `$1 ${redacted}`);
}

/**
 * The one place where secrets are taken out of what is logged, traced, shown or told to a model.
 * Copies; the input stays as it is. Expects JSON (the executor normalises first).
 */
export function redact(value: unknown): unknown {
  if (typeof value === "string") return redactText(value);
  if (Array.isArray(value)) return value.map(redact);
  if (typeof value !== "object" || value === null) return value;
  const copy: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    const hidden = isSecretName(key) && member !== null && member !== undefined && typeof member !== "boolean";
    Object.defineProperty(copy, key, { value: hidden ? redacted : redact(member), enumerable: true, configurable: true, writable: true });
  }
  return copy;
}
