/** Bytes of one message. */
export const largestMessage = 10 * 1024 * 1024;

export const tooLarge = (): RangeError => new RangeError(`A message of the server is larger than ${largestMessage} bytes.`);

/**
 * The response with a body that fails where one message is too large, counted after unpacking: the SDK would collect it whole. A
 * stream of events may be longer; there an empty line ends a message.
 */
export function limitBody(response: Response): Response {
  if (response.body === null) return response;
  const sizeOf = isEventStream(response) ? sizeOfEvent() : sizeOfAll();
  const limited = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        if (sizeOf(chunk) > largestMessage) throw tooLarge();
        controller.enqueue(chunk);
      },
    }),
  );
  const { status, statusText, headers } = response;
  return new Response(limited, { status, statusText, headers });
}

const isEventStream = ({ headers }: Response): boolean => /^text\/event-stream\b/i.test(headers.get("content-type") ?? "");

/** Takes one chunk after the other, and gives the bytes so far. */
function sizeOfAll(): (chunk: Uint8Array) => number {
  let bytes = 0;
  return ({ length }) => {
    bytes += length;
    return bytes;
  };
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * Takes one chunk after the other, and gives the bytes of the event that isn't complete yet. A line ends by CR, LF, or both (HTML,
 * "Server-sent events"), which two chunks may share.
 */
function sizeOfEvent(): (chunk: Uint8Array) => number {
  let bytes = 0;
  let isLineEmpty = true;
  let previous: number | undefined;
  return (chunk) => {
    // By index, which is several times faster.
    for (let index = 0; index < chunk.length; index += 1) {
      const byte = chunk[index];
      const isSecondOfTwo = byte === lineFeed && previous === carriageReturn;
      const endsLine = byte === lineFeed || byte === carriageReturn;
      previous = byte;
      bytes += 1;
      if (isSecondOfTwo) continue;
      if (endsLine && isLineEmpty) bytes = 0;
      isLineEmpty = endsLine;
    }
    return bytes;
  };
}
