import type { ErrorForm } from "../error-form.js";
import type { FarCall, FarMessage, NearMessage } from "../messages.js";

/** A call, or a message to it. The number tells it from calls that the same process ran before. */
export type ToChild =
  | { readonly id: number; readonly call: FarCall; readonly message?: undefined }
  | { readonly id: number; readonly call?: undefined; readonly message: NearMessage };

export type FromChild =
  | { readonly isReady: true }
  /** Code threw outside of a call, and the process ends. */
  | { readonly stray: ErrorForm }
  | { readonly id: number; readonly message: FarMessage };
