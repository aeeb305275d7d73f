import { isSecretName, addSecret } from "../../redaction/index.js";

/** `addSecret` takes no shorter ones. */
const shortestSecret = 8;

/** Values of a header that are known at once: a call may still be on its way with the one before. */
const keptOfHeader = 2;

type NamedValues = Iterable<readonly [name: string, value: string]>;

/**
 * What a server is given under a secret name (`authorization`, `GITHUB_TOKEN`): should it come back in a result or an error, no
 * model reads it.
 */
export class KnownSecrets {
  readonly #lasting: ReadonlySet<string>;
  /** By header, the newest first. */
  readonly #ofHeaders = new Map<string, readonly string[]>();
  readonly #forget = new Map<string, () => void>();

  /** `lasting` are those that don't change. */
  constructor(lasting: NamedValues) {
    this.#lasting = new Set(Array.from(secretsOf(lasting), ([, secret]) => secret));
    this.#update();
  }

  /** A header that changes is known by its newest values: each that is known makes every result slower to look through. */
  holdHeaders(headers: NamedValues): void {
    let isNews = false;
    for (const [name, secret] of secretsOf(headers)) {
      const held = this.#ofHeaders.get(name) ?? [];
      if (held[0] === secret) continue;
      this.#ofHeaders.set(name, [secret, ...held.filter((other) => other !== secret)].slice(0, keptOfHeader));
      isNews = true;
    }
    if (isNews) this.#update();
  }

  forget(): void {
    for (const forget of this.#forget.values()) forget();
    this.#forget.clear();
  }

  #update(): void {
    const wanted = new Set([...this.#lasting, ...[...this.#ofHeaders.values()].flat()]);
    for (const [secret, forget] of this.#forget) {
      if (wanted.has(secret)) continue;
      forget();
      this.#forget.delete(secret);
    }
    for (const secret of wanted) if (!this.#forget.has(secret)) this.#forget.set(secret, addSecret(secret));
  }
}

/** Of `Bearer <credential>` the credential alone. */
function* secretsOf(values: NamedValues): Iterable<readonly [name: string, secret: string]> {
  for (const [name, value] of values) {
    if (!isSecretName(name)) continue;
    const secret = /^[\w-]+ (.{8,})$/.exec(value)?.[1] ?? value;
    if (secret.length >= shortestSecret) yield [name, secret];
  }
}
