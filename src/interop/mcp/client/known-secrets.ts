import { isSecretName } from "../../../schema/index.js";
import { addSecret } from "../../../tool/index.js";

/** `addSecret` takes no shorter ones. */
const shortestSecret = 8;

/**
 * What a server is given under a secret name (`authorization`, `GITHUB_TOKEN`): should it come back in a result or an error, no
 * model reads it.
 */
export class KnownSecrets {
  readonly #forget = new Map<string, () => void>();

  /** Also the credential alone of `Bearer <credential>`. */
  hold(values: Iterable<readonly [name: string, value: string]>): void {
    for (const [name, value] of values) {
      if (!isSecretName(name)) continue;
      const secret = /^[\w-]+ (.{8,})$/.exec(value)?.[1] ?? value;
      if (secret.length >= shortestSecret && !this.#forget.has(secret)) this.#forget.set(secret, addSecret(secret));
    }
  }

  forget(): void {
    for (const forget of this.#forget.values()) forget();
    this.#forget.clear();
  }
}
