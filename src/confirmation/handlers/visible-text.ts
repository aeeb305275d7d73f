/**
 * Characters that a reader can't see, or that change how other text looks: control characters and escape sequences, changes of direction,
 * characters without width, lone surrogates, and combining marks that pile up over other lines.
 */
const unseen = /(?![\n\t])[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800]|(?<=\p{M}{3})\p{M}/gu;

/**
 * A text that a stranger may have written, as a person can judge it: each unseen character is named in its place. Line
 * breaks and tabs stay.
 *
 * ```ts
 * visibleText("invoice\u202efdp.exe"); // "invoice<U+202E>fdp.exe"
 * ```
 */
export const visibleText = (text: string): string => text.replace(unseen, (character) => `<U+${hexOf(character.codePointAt(0) ?? 0)}>`);

/** As JSON, which means the same when it is read back, with each unseen character escaped. */
export const visibleJson = (value: unknown): string =>
  JSON.stringify(value).replace(unseen, (character) =>
    [...Array(character.length).keys()].map((unit) => `\\u${hexOf(character.charCodeAt(unit))}`).join(""),
  );

const hexOf = (code: number): string => code.toString(16).toUpperCase().padStart(4, "0");
