/** As the library's `printable`: what a reader can't see, or what changes the direction of a text. */
export const unseen = /([\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800])/gu;

export const codeOf = (character: string): string => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;

/** A text with each such character as its code, for places that hold a text alone, such as an option. */
export const visibleText = (text: string): string => text.replace(unseen, codeOf);

/** A value as JSON to edit: characters that can't be seen are escaped, and so they can be read and stay what they are. */
export const editableJson = (value: unknown): string =>
  JSON.stringify(value, undefined, 2).replace(unseen, (character) => (character === "\n" ? character : escapeOf(character)));

const escapeOf = (character: string): string =>
  Array.from({ length: character.length }, (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`).join("");
