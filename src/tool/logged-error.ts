import { redactText } from "./redact.js";

/** An error as the application's own log is told of it: with its stack, which finds the place, and without secrets. */
export const loggedError = (error: unknown): string => redactText(error instanceof Error ? (error.stack ?? error.message) : String(error));
