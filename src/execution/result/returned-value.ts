import { capText } from "./cap.js";
import { dataText } from "./model-text.js";
import { NoJsonError } from "./no-json.js";
import { normaliseResult } from "./normalise.js";
import { outline } from "./outline.js";
import { plainSize, textSize } from "./plain-size.js";
import { type WorkLimit, workLimit } from "./result-work.js";

/**
 * The returned value as JSON, with an upper bound of its size in bytes. A value far larger than `maxBytes` becomes its outline.
 * Throws `TypeError` for a value without a form in JSON (bytes, a stream, an iterator), at any depth.
 */
export function toJson(value: unknown, maxBytes: number, tool: string): { readonly data: unknown; readonly size: number } {
  // Most results are texts, which need no walk.
  if (typeof value === "string" && value.isWellFormed()) return { data: value, size: textSize(value) };
  const limit = workLimit(maxBytes);
  const size = readableSize(value, limit);
  if (size !== undefined && size !== Number.POSITIVE_INFINITY) return { data: value, size };
  try {
    const data = size === undefined ? normaliseResult(value, limit) : outline(value, undefined, true);
    return { data, size: Number.POSITIVE_INFINITY };
  } catch (error) {
    throw error instanceof NoJsonError ? error.in(tool) : error;
  }
}

/** `normalise` writes a note for a getter that throws. */
function readableSize(value: unknown, limit: WorkLimit): number | undefined {
  try {
    return plainSize(value, limit);
  } catch {
    return undefined;
  }
}

/** Data whose text is too large becomes that text with its middle left out; data that fits stays as it is. */
export function capData(data: unknown, size: number, maxBytes: number): unknown {
  if (size <= maxBytes) return data;
  const text = dataText(data);
  const capped = capText(text, maxBytes);
  return capped === text ? data : capped;
}
