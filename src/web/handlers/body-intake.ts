import { startDeadline } from "../../timing/index.js";
import { WebRequestError } from "../web-request-error.js";

/** What one sender may have on its way at a time, of whose bodies the end hasn't come. Bodies of a usual size are there at once. */
const mostOfOne = 100;
const mostBytesOfOne = 32 * 1024 * 1024;

/** What all of them may have together. */
const mostOfAll = 1_000;
const mostBytesOfAll = 256 * 1024 * 1024;

/** Milliseconds in which a body must be there, for each 4 MB that it may have. */
const patience = 30_000;
const bytesOfPatience = 4 * 1024 * 1024;

/** Bodies and bytes that are held. */
interface Share {
  bodies: number;
  bytes: number;
}

/**
 * Reads the bodies of a handler's requests. It bounds the memory of incomplete bodies: a client that stops halfway would otherwise keep its
 * part in memory as long as it likes.
 */
export class BodyIntake {
  readonly #limit: number;
  readonly #all: Share = { bodies: 0, bytes: 0 };
  readonly #ofOne = new Map<string, Share>();

  /** `limit`: the most bytes of one body. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * The body as text. `sender`: the user who sends it, for the user's own limit. Throws `WebRequestError`: 413 over the limit, 408 if the
   * body doesn't end in time, 400 if it breaks off or isn't UTF-8. 429 if this sender has too many unfinished bodies, 503 if all senders
   * together have.
   */
  async read(request: Request, sender?: string): Promise<string> {
    if (Number(request.headers.get("content-length")) > this.#limit) throw this.#tooLarge();
    if (request.body === null) return "";
    const body = new HeldBody(this.#limit, (bytes) => this.#count(sender, 0, bytes));
    const reader = request.body.getReader();
    let isLate = false;
    const cancel = startDeadline(this.#patience, () => {
      isLate = true;
      leave(reader);
    });
    this.#count(sender, 1, 0);
    try {
      this.#refuseMore(sender);
      for (let next = await readPiece(reader); !next.done; next = await readPiece(reader)) {
        if (!body.add(next.value)) throw this.#tooLarge();
        this.#refuseMore(sender);
      }
      if (isLate) throw tooLate(this.#patience);
      return body.text();
    } catch (error) {
      leave(reader);
      throw error;
    } finally {
      cancel();
      this.#count(sender, -1, -body.held);
    }
  }

  get #patience(): number {
    return patience * Math.max(1, Math.ceil(this.#limit / bytesOfPatience));
  }

  #refuseMore(sender: string | undefined): void {
    const own = sender === undefined ? undefined : this.#ofOne.get(sender);
    const most = Math.max(mostBytesOfOne, this.#limit);
    if (own !== undefined && (own.bodies > mostOfOne || own.bytes > most)) throw tooMany(429);
    if (this.#all.bodies > mostOfAll || this.#all.bytes > Math.max(mostBytesOfAll, 2 * this.#limit)) throw tooMany(503);
  }

  #count(sender: string | undefined, bodies: number, bytes: number): void {
    this.#all.bodies += bodies;
    this.#all.bytes += bytes;
    if (sender === undefined) return;
    const own = this.#ofOne.get(sender) ?? { bodies: 0, bytes: 0 };
    own.bodies += bodies;
    own.bytes += bytes;
    if (own.bodies === 0) this.#ofOne.delete(sender);
    else this.#ofOne.set(sender, own);
  }

  #tooLarge(): WebRequestError {
    return new WebRequestError(413, `The body has more than ${this.#limit} bytes, the most that is read here: send less.`);
  }
}

/** The bytes of one body. They are copied together: a piece of one byte by itself would take hundreds. */
class HeldBody {
  readonly #limit: number;
  readonly #count: (bytes: number) => void;
  #bytes: Uint8Array = new Uint8Array(0);
  #length = 0;

  constructor(limit: number, count: (bytes: number) => void) {
    this.#limit = limit;
    this.#count = count;
  }

  /** The bytes of memory that it takes. */
  get held(): number {
    return this.#bytes.length;
  }

  /** False for what is more than the limit. */
  add(piece: Uint8Array): boolean {
    const length = this.#length + piece.byteLength;
    if (length > this.#limit) return false;
    if (length > this.#bytes.length) this.#grow(length, piece);
    else this.#bytes.set(piece, this.#length);
    this.#length = length;
    return true;
  }

  text(): string {
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(this.#bytes.subarray(0, this.#length));
    } catch {
      throw new WebRequestError(400, "The body isn't UTF-8.");
    }
  }

  #grow(length: number, piece: Uint8Array): void {
    const before = this.#bytes;
    // Most bodies come in one piece, which needs no copy.
    if (this.#length === 0) this.#bytes = piece;
    else {
      this.#bytes = new Uint8Array(Math.min(this.#limit, Math.max(length, 2 * before.length)));
      this.#bytes.set(before.subarray(0, this.#length));
      this.#bytes.set(piece, this.#length);
    }
    this.#count(this.#bytes.length - before.length);
  }
}

type BodyReader = ReadableStreamDefaultReader<Uint8Array>;

/** Who leaves in the middle of a body is no failure of the server. */
const readPiece = (reader: BodyReader) =>
  reader.read().catch(() => {
    throw new WebRequestError(400, "The body broke off before its end.");
  });

/** Not awaited: the source may wait for a piece that never comes. */
function leave(reader: BodyReader): void {
  reader.cancel().catch(() => undefined);
}

// The rest of the body would hold the connection.
const closing = { connection: "close" };

const tooLate = (milliseconds: number): WebRequestError =>
  new WebRequestError(408, `The body wasn't there after ${milliseconds / 1_000} s. Send the request again, all of it at once.`, closing);

const tooMany = (status: 429 | 503): WebRequestError =>
  new WebRequestError(
    status,
    status === 429
      ? "Too many bodies of yours are on their way. Send them one after another, each at once."
      : "Too many bodies are on their way to this server. Send the request again later.",
    { ...closing, "retry-after": "1" },
  );
