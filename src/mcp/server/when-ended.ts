/** The response, with `ended` called when its body was read to the end, or is read no more. */
export function whenEnded(response: Response, ended: () => void): Response {
  if (response.body === null) {
    ended();
    return response;
  }
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  // It ends by an error where the reader left: the source is told so too.
  response.body.pipeTo(writable).then(ended, ended);
  return new Response(readable, response);
}
