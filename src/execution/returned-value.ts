import { capText } from "./cap.js";
import { dataText } from "./model-text.js";
import { normalise } from "./normalise.js";
import { outline } from "./outline.js";
import { plainSize } from "./plain-size.js";
import { type WorkLimit, workLimit } from "./result-work.js";

/** Things that hold a value only for who reads them on; as JSON they would be an empty object. */
const unread: Readonly<Record<string, string>> = {
  "[object Generator]": "Collect what it yields and return an array.",
  "[object AsyncGenerator]": "Collect what it yields and return an array.",
  "[object Response]": "Return `await response.json()` or `await response.text()`.",
  "[object ReadableStream]": "Read it to its end and return what it held.",
};

/**
 * What a tool gave as JSON, with an upper bound of its size. What can't fit `maxBytes` by far is outlined. Throws for
 * what holds no value yet (a generator, a stream, a response).
 */
export function toJson(value: unknown, maxBytes: number): { readonly data: unknown; readonly size: number } {
  const limit = workLimit(maxBytes);
  const size = readableSize(value, limit);
  if (size === Number.POSITIVE_INFINITY) return { data: outline(value), size };
  if (size !== undefined) return { data: value, size };
  const kind = Object.prototype.toString.call(value);
  if (unread[kind] !== undefined) throw new TypeError(`The tool returned ${kind}, which is not a result yet. ${unread[kind]}`);
  return { data: normalise(value, limit), size: Number.POSITIVE_INFINITY };
}

/** A getter that throws is for `normalise` to note. */
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
