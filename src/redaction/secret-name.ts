const secretName =
  /(?:^|_)(?:authorization|cookie|cookies|password|passwd|pwd|passphrase|passcode|secret|secrets|token|credential|credentials|(?:api|private|access|secret|signing|encryption)_?key)$/;

/** Every secret name holds one of these. */
const hint = /auth|cookie|pass|pwd|secret|token|credential|key/i;

const answers = new Map<string, boolean>();
const maxAnswers = 1_000;

/** Longer names are looked at each time: whatever a model sends would otherwise be kept. */
const maxKept = 64;

/**
 * Whether values with this name are secrets: true for `password`, `apiKey`, `X-Api-Key`, `access_token`; false for `maxTokens`. See
 * docs/security.md.
 */
export function isSecretName(name: string): boolean {
  // Most names of a text that isn't known yet are none, and a text may have many.
  if (!hint.test(name)) return false;
  const known = answers.get(name);
  if (known !== undefined) return known;
  const answer = secretName.test(words(name));
  if (name.length <= maxKept) {
    if (answers.size >= maxAnswers) answers.clear();
    answers.set(name, answer);
  }
  return answer;
}

const words = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[-\s.]/g, "_")
    .toLowerCase();
