import { WaitingLine } from "./waiting-line.js";

/** The places of one key. */
interface Key {
  taken: number;
  readonly line: WaitingLine;
}

/** Places that calls or runs of this process take, so many of each key at once. Nothing is kept of a key without any. */
export class Places {
  readonly #keys = new Map<string, Key>();

  /** Whether the key has a free place. */
  isFree(key: string, most: number): boolean {
    return (this.#keys.get(key)?.taken ?? 0) < most;
  }

  /** Takes one of the key's places, once one is free. `false` if the signal is aborted first: then none is taken. */
  take(key: string, most: number, signal: AbortSignal | undefined): boolean | Promise<boolean> {
    const known = this.#keys.get(key);
    if (known === undefined) {
      this.#keys.set(key, { taken: 1, line: new WaitingLine() });
      return true;
    }
    if (known.taken >= most) return known.line.stand(signal, () => undefined);
    known.taken += 1;
    return true;
  }

  /** Gives a place to the first one that waits for it. */
  leave(key: string): void {
    const known = this.#keys.get(key);
    if (known === undefined) return;
    if (!known.line.isEmpty) known.line.next();
    else if (known.taken > 1) known.taken -= 1;
    else this.#keys.delete(key);
  }
}
