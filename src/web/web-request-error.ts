/**
 * An invalid request. Respond with `status`, `headers` and `message`; the message says what to send instead. See
 * docs/14-web-applications.md.
 */
export class WebRequestError extends Error {
  override readonly name = "WebRequestError";
  /** The HTTP status of the response. */
  readonly status: number;
  /** Headers of the response. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}
