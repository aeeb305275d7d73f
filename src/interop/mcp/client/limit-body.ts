/** Bytes of one message: what the SDK takes over a pipe as well. */
const largestMessage = 10 * 1024 * 1024;

/**
 * The response with a body that fails where one message is too large, counted after unpacking: the SDK would collect it whole. A
 * stream of events may be longer; there an empty line ends a message.
 */
export function limitBody(response: Response): Response {
  if (response.body === null) return response;
  let bytes = 0;
  const limited = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        const end = isEventStream(response) ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).lastIndexOf("\n\n") : -1;
        bytes = end === -1 ? bytes + chunk.length : chunk.length - end;
        if (bytes > largestMessage) throw new RangeError(`A message of the server is larger than ${largestMessage} bytes.`);
        controller.enqueue(chunk);
      },
    }),
  );
  const { status, statusText, headers } = response;
  return new Response(limited, { status, statusText, headers });
}

const isEventStream = ({ headers }: Response): boolean => /^text\/event-stream\b/i.test(headers.get("content-type") ?? "");
