import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { isRecord } from "../../schema/internal.js";
import type { BrokenResponse } from "./broken-response.js";
import { largestMessage, tooLarge } from "./limit-body.js";
import type { Sdk } from "./load-sdk.js";
import { brokenAnswer, readMessages } from "./message-intake.js";

const lineFeed = 0x0a;

/** A broken answer that doesn't say its id, and the requests that it may answer: those that waited when it came. */
interface BrokenLine {
  readonly line: string;
  readonly candidates: Set<number | string>;
}

/** The messages of a process, one a line: in place of the SDK's `ReadBuffer`, which drops what it can't read. */
export class MessageLines {
  readonly #sdk: Sdk;
  /** The ids of requests without an answer. */
  readonly #open = new Set<number | string>();
  readonly #lines: string[] = [];
  /** Of the line that was read last. */
  #messages: readonly unknown[] = [];
  #broken: BrokenLine[] = [];
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

  /** Remembers which requests wait for an answer. */
  sent(message: JSONRPCMessage): void {
    if (!("method" in message)) return;
    if ("id" in message) this.#open.add(message.id);
    else if (message.method === "notifications/cancelled") this.#settle(message.params?.requestId as number | string);
  }

  /** Whether broken answers are kept until it is known whose they are. */
  get hasBroken(): boolean {
    return this.#broken.length > 0;
  }

  /** The next message, or null if there is none yet. Lines that are no JSON are passed over. Throws for JSON that is no message. */
  readMessage(): JSONRPCMessage | null {
    while (this.#messages.length === 0) {
      this.#messages = this.#brokenAnswers();
      if (this.#messages.length > 0) break;
      const line = this.#lines.shift();
      if (line === undefined) return null;
      this.#messages = this.#messagesOf(line);
    }
    const [message, ...others] = this.#messages;
    this.#messages = others;
    const parsed = this.#sdk.parseJSONRPCMessage(message);
    if (!("method" in parsed) && parsed.id !== undefined) this.#settle(parsed.id);
    return parsed;
  }

  #messagesOf(line: string): readonly unknown[] {
    let isBroken = false;
    const idOf = ({ id }: BrokenResponse): number | string | undefined => {
      isBroken = id === undefined;
      return id;
    };
    try {
      const { messages } = readMessages(line, this.#sdk, idOf);
      isBroken = messages.some(isOutcomeOfNone);
      if (!isBroken) return messages;
    } catch {
      // Servers write lines to their output that are no messages.
    }
    if (isBroken && this.#open.size > 0) this.#broken.push({ line, candidates: new Set(this.#open) });
    return [];
  }

  /**
   * Answers for the requests whose own answer was broken. They are known once every other request that waited has got its own answer or
   * was cancelled.
   */
  #brokenAnswers(): readonly unknown[] {
    if (this.#broken.length === 0) return [];
    const waiting = new Set(this.#broken.flatMap(({ candidates }) => [...candidates]));
    if (waiting.size > this.#broken.length) {
      const known = this.#broken.find(({ candidates }) => candidates.size === 1);
      const [id] = known?.candidates ?? [];
      if (known === undefined || id === undefined) return [];
      this.#broken = this.#broken.filter((one) => one !== known);
      return [brokenAnswer(id, known.line)];
    }
    const answers = [...waiting].map((id) => brokenAnswer(id, this.#broken.find(({ candidates }) => candidates.has(id))?.line ?? ""));
    this.#broken = [];
    return answers;
  }

  /** A request waits no more. */
  #settle(id: number | string): void {
    this.#open.delete(id);
    for (const { candidates } of this.#broken) candidates.delete(id);
    this.#broken = this.#broken.filter(({ candidates }) => candidates.size > 0);
  }

  clear(): void {
    this.#held = [];
    this.#bytes = 0;
  }
}

/** A result or an error whose id names no request: JSON-RPC has it for requests that the server couldn't read. */
function isOutcomeOfNone(message: unknown): boolean {
  if (!isRecord(message) || "method" in message || !("result" in message || "error" in message)) return false;
  return typeof message.id !== "string" && typeof message.id !== "number";
}
