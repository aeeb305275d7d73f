/** A model call failed: refused, overloaded, unreachable, cut off. `retryable` tells the loop whether to try again. */
export class ModelError extends Error {
  override readonly name = "ModelError";
  readonly modelId: string;
  /** HTTP status, where the provider answered. */
  readonly status?: number;
  readonly retryable: boolean;
  /** Milliseconds that the provider asked to wait (`Retry-After`, `retry-after-ms`). */
  readonly retryAfter?: number;

  constructor(
    modelId: string,
    message: string,
    options: ErrorOptions & { readonly retryable: boolean; readonly status?: number; readonly retryAfter?: number },
  ) {
    super(message, options);
    this.modelId = modelId;
    this.retryable = options.retryable;
    if (options.status !== undefined) this.status = options.status;
    if (options.retryAfter !== undefined) this.retryAfter = options.retryAfter;
  }
}
