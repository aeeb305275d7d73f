import { JsonWeight, mostLevels, mostValues } from "../json-weight.js";

/** Bytes of one message: a text or an image may have millions. */
export const largestMessage = 5 * 1024 * 1024;

export const tooLarge = (): RangeError => new RangeError(`A message of the server is larger than ${largestMessage} bytes.`);

const tooHeavy = (): RangeError =>
  new RangeError(`A message of the server holds more than ${mostValues} values, or is nested more than ${mostLevels} levels deep.`);

/**
 * The response with a body that fails if one message is too large, or holds too much, counted after unpacking: the SDK would collect it
 * whole, and parse it. A stream of events may be longer; an empty line ends a message there.
 */
export function limitBody(response: Response): Response {
  if (response.body === null) return response;
  const message = new MessageSize(isEventStream(response));
  const limited = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        message.add(chunk);
        controller.enqueue(chunk);
      },
    }),
  );
  const { status, statusText, headers } = response;
  return new Response(limited, { status, statusText, headers });
}

export const isEventStream = ({ headers }: Response): boolean => /^text\/event-stream\b/i.test(headers.get("content-type") ?? "");

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * Takes one chunk after the other, and throws `RangeError` once the message that isn't complete yet is too much. In a stream of events a
 * line ends by CR, LF, or both (HTML, "Server-sent events"), which two chunks may share.
 */
class MessageSize {
  readonly #isStream: boolean;
  readonly #weight = new JsonWeight();
  #bytes = 0;
  #isLineEmpty = true;
  #previous: number | undefined;

  constructor(isStream: boolean) {
    this.#isStream = isStream;
  }

  add(chunk: Uint8Array): void {
    // By index, which is several times faster.
    for (let index = 0; index < chunk.length; index += 1) this.#addByte(chunk[index] as number);
    this.#check();
  }

  #check(): void {
    if (this.#bytes > largestMessage) throw tooLarge();
    if (this.#weight.isTooHeavy) throw tooHeavy();
  }

  #addByte(byte: number): void {
    this.#bytes += 1;
    this.#weight.add(byte);
    if (!this.#isStream) return;
    const isSecondOfTwo = byte === lineFeed && this.#previous === carriageReturn;
    const endsLine = byte === lineFeed || byte === carriageReturn;
    this.#previous = byte;
    if (isSecondOfTwo) return;
    if (endsLine && this.#isLineEmpty) this.#end();
    this.#isLineEmpty = endsLine;
  }

  #end(): void {
    this.#check();
    this.#bytes = 0;
    this.#weight.reset();
  }
}
