/**
 * Characters that a terminal obeys or a reader can't see: control characters and escape sequences, line breaks, changes of direction,
 * characters without width, and lone surrogates.
 */
const unseen = /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800]/gu;

/** Most texts are plain, and cost one look. */
const plain = /^[\u0020-\u007e]*$/;

/** A line break of a stack trace: the next line is indented, so it can't pass for an entry of its own. */
const frames = /\n(?= {4}at )/;

/**
 * A text from outside (an id, a name, an error's message) for a log or a terminal: one line, with each invisible character escaped as in
 * JSON. In a text that is JSON the escapes keep its meaning.
 *
 * `printable("id\u001b[2J\n")` gives `id\u001b[2J\n`, with the backslashes as characters.
 */
export const printable = (text: string): string => (plain.test(text) ? text : text.replace(unseen, escaped));

/**
 * As `printable`, with the line breaks and tabs of the text itself kept: for an error's message, which quotes what it names in one line.
 */
export const printableLines = (text: string): string => (plain.test(text) ? text : text.replace(/[^\n\t]+/g, printable));

/** As `printable`, with the lines of a stack trace below each other. */
export const printableStack = (stack: string): string => stack.split(frames).map(printable).join("\n");

/** The units of a character above U+FFFF are escaped one by one, as JSON does. */
const escaped = (character: string): string => (character === "\n" ? "\\n" : unitsOf(character));

const unitsOf = (character: string): string =>
  [...Array(character.length).keys()].map((unit) => `\\u${character.charCodeAt(unit).toString(16).padStart(4, "0")}`).join("");
