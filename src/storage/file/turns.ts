/** Work with the same key runs in the order in which it was asked for, one piece at a time. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  take<Value>(key: string, work: () => Promise<Value>): Promise<Value> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const turn = before.then(work, work);
    this.#last.set(key, turn);
    const forget = () => {
      if (this.#last.get(key) === turn) this.#last.delete(key);
    };
    turn.then(forget, forget);
    return turn;
  }

  /** Waits for all work that was asked for. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#last.values());
  }
}
