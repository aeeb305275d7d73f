import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { largestMessage, tooLarge } from "./limit-body.js";
import type { Sdk } from "./load-sdk.js";
import { readMessages } from "./message-intake.js";

const lineFeed = 0x0a;

/** The messages of a process, one a line: in place of the SDK's `ReadBuffer`, which drops what it can't read. */
export class MessageLines {
  readonly #sdk: Sdk;
  /** The ids of requests without an answer. */
  readonly #open = new Set<number | string>();
  readonly #lines: string[] = [];
  /** Of the line that was read last. */
  #messages: readonly unknown[] = [];
  #held: Buffer[] = [];
  #bytes = 0;

  constructor(sdk: Sdk) {
    this.#sdk = sdk;
  }

  /** Throws `RangeError` once a line that isn't complete yet is too long. */
  append(chunk: Buffer): void {
    const end = chunk.lastIndexOf(lineFeed) + 1;
    if (end > 0) {
      const whole = Buffer.concat([...this.#held, chunk.subarray(0, end)]);
      this.#lines.push(...whole.toString().split("\n").slice(0, -1));
      this.clear();
    }
    this.#held.push(chunk.subarray(end));
    this.#bytes += chunk.length - end;
    if (this.#bytes <= largestMessage) return;
    this.clear();
    throw tooLarge();
  }

  /** Remembers which requests wait for an answer: a broken one that doesn't say its id can only be that of the only request. */
  sent(message: JSONRPCMessage): void {
    if (!("method" in message)) return;
    if ("id" in message) this.#open.add(message.id);
    else if (message.method === "notifications/cancelled") this.#open.delete(message.params?.requestId as number | string);
  }

  /** The next message, or null if there is none yet. Lines that are no JSON are passed over. Throws for JSON that is no message. */
  readMessage(): JSONRPCMessage | null {
    while (this.#messages.length === 0) {
      const line = this.#lines.shift();
      if (line === undefined) return null;
      this.#messages = this.#messagesOf(line);
    }
    const [message, ...others] = this.#messages;
    this.#messages = others;
    const parsed = this.#sdk.parseJSONRPCMessage(message);
    if (!("method" in parsed) && parsed.id !== undefined) this.#open.delete(parsed.id);
    return parsed;
  }

  #messagesOf(line: string): readonly unknown[] {
    try {
      return readMessages(line, this.#sdk, ({ id }) => id ?? this.#onlyOpen).messages;
    } catch {
      return [];
    }
  }

  get #onlyOpen(): number | string | undefined {
    const [id, ...others] = this.#open;
    return others.length === 0 ? id : undefined;
  }

  clear(): void {
    this.#held = [];
    this.#bytes = 0;
  }
}
