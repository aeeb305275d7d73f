import type { Confirmation } from "../../confirmation.js";
import type { Decision } from "../../decision.js";

/** The first decision that was read for each confirmation, until it expires. */
export class SettledDecisions {
  readonly #decisions = new Map<string, { readonly decision: Decision; readonly expiry: number }>();

  /** The decision that came first: an earlier one, or else this. */
  first({ id, expiresAt }: Confirmation, decision: Decision): Decision {
    const now = Date.now();
    for (const [other, { expiry }] of this.#decisions) if (expiry < now) this.#decisions.delete(other);
    const earlier = this.#decisions.get(id)?.decision;
    if (earlier === undefined) this.#decisions.set(id, { decision, expiry: Date.parse(expiresAt) });
    return earlier ?? decision;
  }
}
