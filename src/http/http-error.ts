/**
 * An HTTP request of a tool failed. The message is for a model: it says what to do next and contains no header. See
 * docs/08-http-tools.md.
 */
export class HttpError extends Error {
  override readonly name = "HttpError";
  /** The status of the response; `undefined` if there was no response. */
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}
