import { checkOptionNames, type OptionNames } from "../tool/internal.js";
import { outsideText } from "../redaction/internal.js";

const modelErrorMark = Symbol.for("toolwright.modelError");

interface ModelErrorOptions {
  readonly cause?: unknown;
  readonly retryable: boolean;
  readonly status?: number;
  readonly retryAfter?: number;
  readonly misconfigured?: boolean;
}

const optionNames: OptionNames<ModelErrorOptions> = { cause: true, retryable: true, status: true, retryAfter: true, misconfigured: true };

/** A model call failed: rejected, overloaded, unreachable or cut off. See docs/errors.md. */
export class ModelError extends Error {
  override readonly name = "ModelError";
  /** The model that failed. */
  readonly modelId: string;
  /** The HTTP status, if the provider responded. */
  readonly status?: number;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** Milliseconds that the provider asked to wait (`Retry-After`, `retry-after-ms`). */
  readonly retryAfter?: number;
  /**
   * True if the application has to set something: a key, a package, a correct model name. The provider wasn't called. `generate`
   * throws such an error instead of returning an outcome.
   */
  readonly misconfigured: boolean;

  constructor(modelId: string, message: string, options: ModelErrorOptions) {
    super(message, options);
    checkOptionNames(options, optionNames, "ModelError");
    this.modelId = modelId;
    this.retryable = options.retryable;
    this.misconfigured = options.misconfigured === true;
    if (options.status !== undefined) this.status = options.status;
    if (options.retryAfter !== undefined) this.retryAfter = options.retryAfter;
  }

  /** The message for browsers and other models: the provider's own message may contain names of accounts, hosts and keys. */
  get [outsideText](): string {
    return this.retryable ? "The model is not available right now. Try again later." : "The model failed on the server.";
  }

  get [modelErrorMark](): true {
    return true;
  }

  /** `error instanceof ModelError` also accepts errors of another copy of the package (ESM and CommonJS). */
  static override [Symbol.hasInstance](value: unknown): boolean {
    if (this !== ModelError) return Function.prototype[Symbol.hasInstance].call(this, value);
    return typeof value === "object" && value !== null && (value as Record<symbol, unknown>)[modelErrorMark] === true;
  }
}
