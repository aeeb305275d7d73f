/** How many characters of a text's start and end are read. */
const longestEdge = 300;

const idFirst =
  /^\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d{1,15}|"[^"\\]{1,100}")\s*,\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"(?:result|error)"/;
const outcomeFirst = /^\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"(?:result|error)"/;
const idLast = /"id"\s*:\s*(\d{1,15}|"[^"\\]{1,100}")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}$/;

/** A response that isn't JSON, such as one with `NaN` in it, or one that was cut off. */
export interface BrokenResponse {
  /** `undefined` if it can't be known: SDKs write the id before the result, or at the end, which a cut leaves out. */
  readonly id: number | string | undefined;
}

/** `undefined` for other texts: servers write lines to their output that are no messages. */
export function brokenResponse(text: string): BrokenResponse | undefined {
  const start = text.slice(0, longestEdge).trimStart();
  const isResponse = outcomeFirst.test(start);
  const found = idFirst.exec(start) ?? (isResponse ? idLast.exec(text.slice(-longestEdge).trimEnd()) : null);
  if (found?.[1] !== undefined) return { id: JSON.parse(found[1]) as number | string };
  return isResponse ? { id: undefined } : undefined;
}
