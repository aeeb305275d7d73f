/**
 * What people don't see, and models read: controls, characters of format and direction (bidi), tags, variation selectors,
 * blanks without width. What joins and colours emoji counts where it follows one.
 */
const hidden =
  /(?!(?<=\p{Extended_Pictographic}\uFE0F?)[\uFE0F\u200D])(?![\n\t])[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800]/gu;

/** The text as people see it. */
export const withoutHidden = (text: string): string => text.replace(hidden, "");

export const hidesCharacters = (text: string): boolean => withoutHidden(text) !== text;
