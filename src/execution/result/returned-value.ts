import type { Attachment } from "../../tool/index.js";
import { keepReturned, takeAttachments, type TakenAttachments, textWithNotes, valueBeside } from "./attachments.js";
import { capText } from "./cap.js";
import { dataText } from "./model-text.js";
import { NoJsonError } from "./no-json.js";
import { normaliseResult } from "./normalise.js";
import { outline } from "./outline.js";
import { plainSize, textSize } from "./plain-size.js";
import { type WorkLimit, workLimit } from "./result-work.js";

/** Returned data as JSON, with an upper bound of its size in bytes. */
export interface JsonData {
  readonly data: unknown;
  readonly size: number;
}

/** What a tool returned, as JSON, and its images and files apart. */
export interface ReturnedData extends JsonData {
  readonly attachments?: readonly Attachment[];
  /** Whether there is nothing beside the images and files: an output schema has nothing to check. */
  readonly isBare?: boolean;
  /** What is wrong with images and files. */
  readonly faults?: readonly string[];
}

/** As `toJson`, for a value that may be or hold images and files. `hasSchema`: an output schema is for what stands beside them. */
export function readReturned(value: unknown, maxBytes: number, tool: string, hasSchema: boolean): ReturnedData {
  // Most results are texts, which need no walk.
  if (typeof value === "string" && value.isWellFormed()) return { data: value, size: textSize(value) };
  const limit = workLimit(maxBytes);
  const size = readableSize(value, limit);
  if (size !== undefined && size !== Number.POSITIVE_INFINITY) return { data: value, size };
  const taken = takeAttachments(value);
  if (taken === undefined) return writtenAsJson(value, size, limit, tool);
  if (taken.faults.length > 0) return { data: null, size: 0, faults: taken.faults };
  const read = readTaken(taken, maxBytes, tool, hasSchema);
  keepReturned(taken, read.data);
  return read;
}

function readTaken(taken: TakenAttachments, maxBytes: number, tool: string, hasSchema: boolean): ReturnedData {
  const { items, attachments } = taken;
  const found = attachments.length === 0 ? {} : { attachments };
  const isBare = attachments.length === items.length;
  if (hasSchema && !isBare) return { ...toJson(valueBeside(taken), maxBytes, tool), ...found };
  const text = textWithNotes(taken, (item) => dataText(toJson(item, maxBytes, tool).data)).toWellFormed();
  return { data: text, size: textSize(text), isBare, ...found };
}

/**
 * The value as JSON, with an upper bound of its size in bytes. A value far larger than `maxBytes` becomes its outline.
 * Throws `TypeError` for a value without a form in JSON (bytes, a stream, an iterator), at any depth.
 */
export function toJson(value: unknown, maxBytes: number, tool: string): JsonData {
  if (typeof value === "string" && value.isWellFormed()) return { data: value, size: textSize(value) };
  const limit = workLimit(maxBytes);
  const size = readableSize(value, limit);
  if (size !== undefined && size !== Number.POSITIVE_INFINITY) return { data: value, size };
  return writtenAsJson(value, size, limit, tool);
}

/** `size`: `undefined` for a value that isn't plain JSON, Infinity for one that is too large. */
function writtenAsJson(value: unknown, size: number | undefined, limit: WorkLimit, tool: string): JsonData {
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
