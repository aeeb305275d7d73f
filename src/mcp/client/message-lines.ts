import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { largestMessage, tooLarge } from "./limit-body.js";
import type { Sdk } from "./load-sdk.js";
import { readMessages } from "./message-intake.js";

const lineFeed = 0x0a;

/** The messages of a process, one a line: in place of the SDK's `ReadBuffer`, which drops what it can't read. */
export class MessageLines {
  readonly #sdk: Sdk;
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

  /** The next message, or null if there is none yet. Lines that are no JSON are passed over. Throws for JSON that is no message. */
  readMessage(): JSONRPCMessage | null {
    while (this.#messages.length === 0) {
      const line = this.#lines.shift();
      if (line === undefined) return null;
      this.#messages = messagesOf(line, this.#sdk);
    }
    const [message, ...others] = this.#messages;
    this.#messages = others;
    return this.#sdk.parseJSONRPCMessage(message);
  }

  clear(): void {
    this.#held = [];
    this.#bytes = 0;
  }
}

function messagesOf(line: string, sdk: Sdk): readonly unknown[] {
  try {
    return readMessages(line, sdk).messages;
  } catch {
    return [];
  }
}
