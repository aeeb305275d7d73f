/** What went wrong with a request, in words for a model: what to do next, and no header. */
export class HttpError extends Error {
  override readonly name = "HttpError";
  /** The answer's status, where there was an answer. */
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}
