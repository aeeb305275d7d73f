export type ArgumentsErrorCode =
  | "too_large"
  | "too_large_to_repair"
  | "too_deep"
  | "truncated"
  | "malformed_json"
  | "not_an_object"
  | "forbidden_key"
  | "unsafe_integer";

export interface ArgumentsError {
  readonly code: ArgumentsErrorCode;
  readonly message: string;
}

export type ParsedArguments =
  | { readonly ok: true; readonly value: unknown; readonly repaired: boolean }
  | { readonly ok: false; readonly error: ArgumentsError };

/** Reads the argument text of a tool call. */
export function parseArgumentsText(text: string): ParsedArguments {
  if (text.trim() === "") return { ok: true, value: {}, repaired: false };
  try {
    return { ok: true, value: JSON.parse(text), repaired: false };
  } catch {
    return { ok: false, error: { code: "malformed_json", message: "The arguments are not valid JSON. Send one JSON object." } };
  }
}

/** The limits of `parseArgumentsText` for arguments that come as an object from outside. */
export function checkArgumentsValue(_value: unknown): ArgumentsError | undefined {
  return undefined;
}
