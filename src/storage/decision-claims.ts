import { sharedByCopies } from "../platform/index.js";

/**
 * Records which confirmations and states were decided, so that no decision is used twice, not even by a second click or a second
 * `resume`.
 *
 * If several processes may resume the same run, use one that they share: a table with a unique key, or `FileDecisionClaims`. See
 * docs/04-confirmation.md.
 */
export interface DecisionClaims {
  /**
   * Claims all of these ids (64 hex digits each), or none. Returns true for the first caller only; false, or an error, claims
   * nothing. Ids may be deleted after `expiresAt` (ISO 8601).
   */
  claim(ids: readonly string[], expiresAt: string): boolean | Promise<boolean>;
  /** Whether the id was claimed. Without this method, errors can't say why a decision came too late. */
  has?(id: string): boolean | Promise<boolean>;
}

/** How long claims are kept after their expiry, in milliseconds: the clocks of those who decide may differ. */
export const claimGrace = 86_400_000;

/**
 * The claims of an application, whose answer must be true or false: what a database gives for "nothing inserted" is often an object, which
 * would count as yes. Throws `TypeError` for another answer, and nothing runs.
 */
export function strictClaims(claims: DecisionClaims): DecisionClaims {
  if (claims instanceof MemoryDecisionClaims) return claims;
  return {
    ...(claims.has !== undefined && { has: (id: string) => claims.has?.(id) ?? false }),
    claim: async (ids, expiresAt) => {
      const answer: unknown = await claims.claim(ids, expiresAt);
      if (typeof answer === "boolean") return answer;
      throw new TypeError(
        `claims: claim(ids, expiresAt) must return true for the first who asks and false for all others, got ${answer === null ? "null" : typeof answer}.`,
      );
    },
  };
}

/** Throws `TypeError` for what can claim nothing. `owner` begins the message. */
export function checkClaims(claims: unknown, owner: string): void {
  if (claims === undefined || typeof (claims as Partial<DecisionClaims> | null)?.claim === "function") return;
  throw new TypeError(`${owner}: claims must be an object with claim(ids, expiresAt), such as new FileDecisionClaims(directory).`);
}

/**
 * Records decisions in this process. Expired ones are deleted, because they can't be approved any more. See
 * docs/04-confirmation.md.
 */
export class MemoryDecisionClaims implements DecisionClaims {
  readonly #claimed = new Map<string, number>();
  #nextSweep = 1_000;

  /** Claims all of these ids, or none. */
  claim(ids: readonly string[], expiresAt: string): boolean {
    if (ids.some((id) => this.#claimed.has(id))) return false;
    for (const id of ids) this.#claimed.set(id, Date.parse(expiresAt));
    if (this.#claimed.size >= this.#nextSweep) this.#sweep();
    return true;
  }

  has(id: string): boolean {
    return this.#claimed.has(id);
  }

  #sweep(): void {
    const now = Date.now();
    for (const [id, expiry] of this.#claimed) if (expiry < now) this.#claimed.delete(id);
    this.#nextSweep = this.#claimed.size * 2 + 1_000;
  }
}

/** The default. Another copy of the package knows the same decisions. */
export const processClaims = sharedByCopies<DecisionClaims>("decisionClaims.1", () => new MemoryDecisionClaims());
