import type { ErrorForm } from "../error-form.js";
import type { FarCall, FromCall, ToCall } from "../messages.js";

export type ToChild =
  | { readonly id: number; readonly call: FarCall; readonly message?: undefined }
  | (ToCall & { readonly call?: undefined });

export type FromChild =
  | { readonly isReady: true }
  /** Code threw outside of a call, and the process ends. */
  | { readonly stray: ErrorForm }
  | FromCall;
