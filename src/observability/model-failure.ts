import { ModelError } from "../models/index.js";
import { redactText } from "../redaction/index.js";

/** How a model call failed: the status (`429`) if the provider sent one, else the error's name; and the message. */
export function modelFailure(error: unknown): { readonly type: string; readonly message: string } {
  if (error instanceof ModelError && error.status !== undefined) return { type: String(error.status), message: redactText(error.message) };
  if (error instanceof Error) return { type: error.name, message: redactText(error.message) };
  return { type: "_OTHER", message: redactText(String(error)) };
}
