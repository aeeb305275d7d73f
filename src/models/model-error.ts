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

/** A model call failed: refused, overloaded, unreachable, cut off. `retryable` tells the loop whether to try again. */
export class ModelError extends Error {
  override readonly name = "ModelError";
  readonly modelId: string;
  /** HTTP status, where the provider answered. */
  readonly status?: number;
  readonly retryable: boolean;
  /** Milliseconds that the provider asked to wait (`Retry-After`, `retry-after-ms`). */
  readonly retryAfter?: number;
  /**
   * What the application must set is missing: a key, a package, the right name of a model. The provider wasn't asked, and
   * a run throws the error in place of ending with an outcome.
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

  /**
   * What somebody outside is told of it, such as a browser or another model: the message has the words of the provider,
   * which name accounts, hosts and keys.
   */
  get [outsideText](): string {
    return this.retryable ? "The model is not available right now. Try again later." : "The model failed on the server.";
  }

  get [modelErrorMark](): true {
    return true;
  }

  /** Holds for errors of another copy of the package (ESM beside CommonJS) too: an application's own model may throw one. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    if (this !== ModelError) return Function.prototype[Symbol.hasInstance].call(this, value);
    return typeof value === "object" && value !== null && (value as Record<symbol, unknown>)[modelErrorMark] === true;
  }
}
