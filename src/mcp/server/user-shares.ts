import { refusal } from "./refusal.js";

/** The most sessions, or subscriptions, that one user may hold open, so that no user can use up all of them. */
export const shareOfUser = 100;

/** Counts who listens for changes: clients of 2026-07-28 keep a stream open for it, and the SDK allows 1,024 streams. */
export class ListeningShares {
  readonly #open = new Map<string, number>();

  /** Answers by `listen`, unless the user listens too often already. A user who isn't known has no share, and no limit but the SDK's. */
  async serve(user: string, listen: () => Promise<Response>): Promise<Response> {
    if (user === "") return listen();
    if (this.#openOf(user) >= shareOfUser) return tooMany();
    this.#count(user, 1);
    let response: Response;
    try {
      response = await listen();
    } catch (error) {
      this.#count(user, -1);
      throw error;
    }
    return whenEnded(response, () => this.#count(user, -1));
  }

  #openOf(user: string): number {
    return this.#open.get(user) ?? 0;
  }

  #count(user: string, change: number): void {
    const open = this.#openOf(user) + change;
    if (open === 0) this.#open.delete(user);
    else this.#open.set(user, open);
  }
}

const tooMany = (): Response => refusal(429, -32_603, `Subscription limit reached: ${shareOfUser} for a user`);

/** The response, with `ended` called when its body was read to the end, or is read no more. */
export function whenEnded(response: Response, ended: () => void): Response {
  if (response.body === null) {
    ended();
    return response;
  }
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  // If the reader left, it ends with an error, which the source gets too.
  response.body.pipeTo(writable).then(ended, ended);
  return new Response(readable, response);
}
