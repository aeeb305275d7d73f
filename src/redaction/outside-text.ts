/**
 * The member of an error with the text that a browser or a model gets in place of its message.
 * Registered, so that errors of another copy of the package say it too.
 */
export const outsideText = Symbol.for("toolwright.outsideText");

/** The error's text for outsiders; `undefined` if they may read its message. Never throws, whatever was thrown. */
export function outsideTextOf(error: unknown): string | undefined {
  try {
    const text = (error as { readonly [outsideText]?: unknown } | null | undefined)?.[outsideText];
    return typeof text === "string" ? text : undefined;
  } catch {
    return undefined;
  }
}
