/** A request that can't be carried out: `status` is the HTTP status, `message` tells the sender what to do instead. */
export class WebRequestError extends Error {
  override readonly name = "WebRequestError";
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}
