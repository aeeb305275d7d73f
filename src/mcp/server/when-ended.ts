/** The response, with `ended` called when its body was read to the end, or is read no more. */
export function whenEnded(response: Response, ended: () => void): Response {
  if (response.body === null) {
    ended();
    return response;
  }
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  // If the reader left, it ends with an error, which the source gets too.
  response.body.pipeTo(writable).then(ended, ended);
  return new Response(readable, response);
}
