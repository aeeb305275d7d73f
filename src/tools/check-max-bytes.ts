import { ToolDefinitionError } from "../tool/index.js";

/** Throws `ToolDefinitionError` for a limit that would let nothing, or everything, pass. */
export function checkMaxBytes(maxBytes: number, place: string): void {
  if (!Number.isSafeInteger(maxBytes) || maxBytes < 1) {
    throw new ToolDefinitionError(`${place}: maxBytes must be a whole number of bytes from 1, got ${maxBytes}.`);
  }
}
