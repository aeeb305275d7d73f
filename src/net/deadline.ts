import { NetworkError } from "./network-error.js";

/** Ends an exchange when its time is over or its caller aborts it: one signal for both. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #caller: AbortSignal | undefined;

  /** `timeout` in milliseconds. */
  constructor(timeout: number, host: string, caller: AbortSignal | undefined) {
    this.#caller = caller;
    this.#timer = setTimeout(() => {
      this.#controller.abort(new NetworkError("timeout", `${host} didn't answer in full within ${timeout} ms. Try again later.`));
    }, timeout);
    caller?.addEventListener("abort", this);
  }

  /** Aborted with a `NetworkError`, or with the reason of the caller. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  handleEvent(): void {
    this.#controller.abort(this.#caller?.reason);
  }

  /** The exchange is over. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener("abort", this);
  }
}
