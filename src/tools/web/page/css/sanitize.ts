import type { Steps } from "../../../../timing/index.js";

/** Longer strings stand in no selector. */
const longestString = 500;

const escape = (character: string): string => `\\${(character.codePointAt(0) ?? 0).toString(16)} `;

/**
 * CSS without comments and without what URLs say, in which every character of a string that means something elsewhere is escaped.
 * What comes after can look for braces and semicolons alone.
 */
export function* sanitized(css: string): Steps<string> {
  const parts: string[] = [];
  const special = /["'\\]|\/\*|\burl\(\s*(?!["'\s])/gi;
  let copied = 0;
  for (let found = special.exec(css); found !== null; found = special.exec(css)) {
    yield;
    parts.push(css.slice(copied, found.index));
    const [mark] = found;
    let end: number;
    if (mark === "\\") {
      const hexadecimal = /[\da-f]{1,6}\s?/iy;
      hexadecimal.lastIndex = found.index + 1;
      const code = hexadecimal.exec(css)?.[0];
      const character = String.fromCodePoint(css.codePointAt(found.index + 1) ?? 0xfffd);
      parts.push(code === undefined ? escape(character) : `\\${code.trim()} `);
      end = found.index + 1 + (code ?? character).length;
    } else if (mark === "/*") {
      parts.push(" ");
      end = after(css, "*/", found.index + 2);
    } else if (mark === '"' || mark === "'") {
      end = endOfString(css, mark, found.index + 1);
      const content = css.slice(found.index + 1, end - 1);
      parts.push(`"${content.length > longestString ? "" : content.replace(/\\(?:\n|([\s\S]))|[^\w .#:-]/gu, encoded)}"`);
    } else {
      parts.push("url()");
      end = after(css, ")", found.index + mark.length);
    }
    copied = end;
    special.lastIndex = end;
  }
  parts.push(css.slice(copied));
  return parts.join("");
}

/** An escape of a string may be a number, which stays; anything else is escaped by its number. */
const encoded = (whole: string, character: string | undefined): string =>
  whole === "\\\n" ? "" : character === undefined ? escape(whole) : /[\da-f]/i.test(character) ? whole : escape(character);

function after(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  return found === -1 ? text.length : found + mark.length;
}

/** Behind the quote that ends a string; a line that isn't continued ends a broken one. */
function endOfString(css: string, quote: string, from: number): number {
  const marks = /["'\n]|\\[\s\S]/g;
  marks.lastIndex = from;
  for (let found = marks.exec(css); found !== null; found = marks.exec(css)) {
    if (found[0] === quote || found[0] === "\n") return found.index + 1;
  }
  return css.length + 1;
}
