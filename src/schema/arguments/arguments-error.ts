/** Why arguments are refused before any schema is looked at. */
export type ArgumentsErrorCode =
  | "too_large"
  | "too_large_to_repair"
  | "too_deep"
  | "truncated"
  | "malformed_json"
  | "not_an_object"
  | "forbidden_key"
  | "inherited_member"
  | "unsafe_integer";

export interface ArgumentsError {
  readonly code: ArgumentsErrorCode;
  /** For the model: what is wrong, where, and what to send instead. */
  readonly message: string;
}

/** More bytes of arguments than this are not read. */
export const maxArgumentsBytes = 256 * 1024;

/** Longer texts are parsed, but never repaired. */
export const maxRepairableLength = 16 * 1024;

/** Arguments nested deeper than this are refused. */
export const maxArgumentsDepth = 100;

export const tooDeep: ArgumentsError = {
  code: "too_deep",
  message: `The arguments are nested more than ${maxArgumentsDepth} levels deep. Send a flatter object.`,
};

export const tooLarge: ArgumentsError = {
  code: "too_large",
  message: `The arguments are larger than ${maxArgumentsBytes / 1024} KB. Send less, or send it in several calls.`,
};

export const forbiddenKey = (key: string): ArgumentsError => ({
  code: "forbidden_key",
  message: `The arguments hold the key "${key}", which is not allowed. Leave it out.`,
});

export const inheritedMember = (key: string): ArgumentsError => ({
  code: "inherited_member",
  message: `The arguments inherit the member "${key}", but only members of their own count. Pass a plain object, such as { ...input }.`,
});

export const unsafeInteger = (number: string): ArgumentsError => ({
  code: "unsafe_integer",
  message: `The number ${number.length > 40 ? `${number.slice(0, 40)}...` : number} is too large to be kept exactly. Send it as a string, or send a smaller number.`,
});
