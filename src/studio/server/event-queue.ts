import { hideSecrets, redactText } from "../../redaction/index.js";
import { eventHeaders, frameBody } from "../../web/internal.js";

/** The events that are written at once. */
const mostAtOnce = 100;

/** Events that one side adds and a response sends, in their order. */
export class EventQueue {
  readonly #frames: string[] = [];
  #isEnded = false;
  #wake: (() => void) | undefined;

  /** Adds an event: JSON, sent without the values that `addSecret` registered. */
  push(event: object): void {
    if (this.#isEnded) return;
    this.#frames.push(`data: ${hideSecrets(JSON.stringify(event))}\n\n`);
    this.#wake?.();
  }

  end(): void {
    this.#isEnded = true;
    this.#wake?.();
  }

  async next(): Promise<string | undefined> {
    for (;;) {
      if (this.#frames.length > 0) return this.#frames.splice(0, mostAtOnce).join("");
      if (this.#isEnded) return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

/** The events of some work as server-sent events. If the reader leaves, the signal is aborted. */
export function eventResponse(work: (queue: EventQueue, signal: AbortSignal) => Promise<void>): Response {
  const queue = new EventQueue();
  const leaving = new AbortController();
  void work(queue, leaving.signal)
    .catch((error: unknown) => queue.push({ type: "failed", message: messageOf(error) }))
    .finally(() => queue.end());
  const body = frameBody({
    opening: ": open\n\n",
    closing: "",
    heartbeat: 15_000,
    next: () => queue.next(),
    leave: () => {
      leaving.abort("The page was closed, or the call was cancelled.");
      queue.end();
    },
  });
  return new Response(body, { headers: eventHeaders });
}

/** What the developer reads of an error, without secrets. */
export const messageOf = (error: unknown): string => redactText(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
