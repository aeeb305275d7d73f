import { GramSyntaxError } from "./gram-error.js";
import type { GramSpan } from "./tree.js";

const blanks = /\s*/y;
const symbolCharacters = /[a-zA-Z_][0-9a-zA-Z_.\-@]*/y;
const integer = /-?(?:0|[1-9]\d*)/y;
// Hexadecimal digits that a letter follows are the unit of a measurement: 0xFG.
const number = /0x[0-9a-fA-F]+(?![a-zA-Z])|0[0-7]+|-?(?:0|[1-9]\d*)(?:\.\d+|[a-zA-Z]+)?/y;
const fence = /```[^\S\n]*(?:([a-zA-Z_][0-9a-zA-Z_.\-@]*)[^\S\n]*)?\n/y;
const shownAsFound = /[0-9a-zA-Z_.\-@]{1,30}|::|[\s\S]/uy;

const escapes: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", "/": "/", "\\": "\\" };

/** How deep patterns and values may be nested. Gram sets no limit; a text from a stranger must not exhaust the stack. */
const maxDepth = 250;

/** An error of its own would cost as much as the text is long, for each attempt. */
const failedAttempt = new Error("What was attempted doesn't stand here.");

/** The tokens of a gram text. What a token is depends on the place (`12px` is a measurement, but no identifier), so the parser asks. */
export class Lexer {
  position = 0;
  private depth = 0;
  private isAttempt = false;
  /** The blanks and comments that were gone past last: a token that ends where they begin isn't longer for them. */
  private gap = { start: 0, end: -1 };

  constructor(readonly text: string) {}

  /** Skips blanks and comments, and returns the next character, or an empty string at the end. */
  peek(): string {
    const start = this.position;
    for (;;) {
      blanks.lastIndex = this.position;
      blanks.test(this.text);
      this.position = blanks.lastIndex;
      if (!this.text.startsWith("//", this.position)) break;
      const lineEnd = this.text.indexOf("\n", this.position);
      this.position = lineEnd === -1 ? this.text.length : lineEnd;
    }
    if (this.position > start) this.gap = { start, end: this.position };
    return this.text.charAt(this.position);
  }

  /** Goes past the token if it is the next one. */
  take(token: string): boolean {
    this.peek();
    if (!this.text.startsWith(token, this.position)) return false;
    this.position += token.length;
    return true;
  }

  /** Goes past the token, or fails; `others` could have stood there as well. */
  require(token: string, ...others: readonly string[]): void {
    if (!this.take(token)) this.fail([...others, JSON.stringify(token)]);
  }

  /** `:` or `::` */
  takeSeparator(): ":" | "::" | undefined {
    return this.take("::") ? "::" : this.take(":") ? ":" : undefined;
  }

  takeSymbol(): string | undefined {
    return this.match(symbolCharacters);
  }

  /** A symbol, a name in backticks or an integer. */
  takeIdentifier(): string | undefined {
    return this.peek() === "`" ? this.quoted("`") : (this.match(symbolCharacters) ?? this.match(integer));
  }

  /** A number or a measurement, as written. */
  takeNumber(): string | undefined {
    return this.match(number);
  }

  /** The text between quotes of one kind, from the opening quote on, with its escapes resolved. */
  quoted(quote: '"' | "'" | "`"): string {
    const start = this.position;
    const parts: string[] = [];
    for (let from = start + 1; ; ) {
      const end = this.endOfPlainText(from, quote);
      parts.push(this.text.slice(from, end));
      const character = this.text.charAt(end);
      if (character === quote) {
        this.position = end + 1;
        return parts.join("");
      }
      if (character !== "\\") return this.unclosed(start, end);
      parts.push(this.escape(end, quote));
      from = end + 2;
    }
  }

  /** A text between fences, from the opening fence on: its tag and the text; nothing if there is no fence. */
  takeFenced(): { readonly tag?: string; readonly value: string } | undefined {
    if (!this.text.startsWith("```", this.position)) return undefined;
    fence.lastIndex = this.position;
    const opening = fence.exec(this.text);
    if (opening === null) {
      this.position += 3;
      this.fail(["a line break", "a tag and a line break"], "What stands between fences begins on a line of its own.");
    }
    const from = this.position + opening[0].length;
    const end = this.text.indexOf("```", from);
    if (end === -1) this.fail(["a text that is closed by ``` in the end"]);
    this.position = end + 3;
    // As in a template literal, so that a text says the same wherever it was checked out.
    const value = withoutClosingLine(this.text.slice(from, end).replace(/\r\n?/g, "\n"));
    return opening[1] === undefined ? { value } : { tag: opening[1], value };
  }

  /** Reads something that may hold its like. */
  nested<T>(read: () => T): T {
    if (this.depth >= maxDepth) this.fail([`at most ${maxDepth} levels of nesting`]);
    this.depth++;
    const result = read();
    this.depth--;
    return result;
  }

  /** Reads what may be something else: then nothing is read. */
  attempt<T>(read: () => T): T | undefined {
    const { position, depth } = this;
    this.isAttempt = true;
    try {
      return read();
    } catch (error) {
      if (error !== failedAttempt) throw error;
      this.position = position;
      this.depth = depth;
      return undefined;
    } finally {
      this.isAttempt = false;
    }
  }

  /** From a place to the end of the last token. */
  spanFrom(start: number): GramSpan {
    return { start, end: this.position === this.gap.end ? this.gap.start : this.position };
  }

  fail(expected: readonly string[], hint?: string): never {
    if (this.isAttempt) throw failedAttempt;
    throw new GramSyntaxError(this.text, this.position, expected, this.found(), hint);
  }

  private match(expression: RegExp): string | undefined {
    this.peek();
    expression.lastIndex = this.position;
    const [found] = expression.exec(this.text) ?? [];
    if (found !== undefined) this.position += found.length;
    return found;
  }

  private endOfPlainText(from: number, quote: string): number {
    for (let at = from; at < this.text.length; at++) {
      const character = this.text.charAt(at);
      if (character === quote || character === "\\" || character === "\n") return at;
    }
    return this.text.length;
  }

  private escape(backslash: number, quote: string): string {
    const character = this.text.charAt(backslash + 1);
    const meaning = character === quote ? quote : escapes[character];
    if (meaning !== undefined) return meaning;
    this.position = backslash;
    const hint = character === "u" ? "Gram has no \\u: write the character itself." : 'A backslash itself is written "\\\\".';
    return this.fail([`one of the escapes \\${quote} \\b \\f \\n \\r \\t \\/ \\\\`], hint);
  }

  private unclosed(start: number, end: number): never {
    const found = end >= this.text.length ? "the end of the text" : "the end of the line";
    const hint = "A text of several lines stands between fences: ```.";
    throw new GramSyntaxError(this.text, start, [`a text that is closed by ${this.text.charAt(start)} on its line`], found, hint);
  }

  private found(): string {
    if (this.position >= this.text.length) return "the end of the text";
    shownAsFound.lastIndex = this.position;
    return JSON.stringify(shownAsFound.exec(this.text)?.[0] ?? "");
  }
}

/** The closing fence may be indented: a last line of blanks alone belongs to it, and so does the line break before it. */
function withoutClosingLine(text: string): string {
  let end = text.length;
  while (end > 0 && (text.charAt(end - 1) === " " || text.charAt(end - 1) === "\t")) end--;
  if (end === 0) return "";
  return text.charAt(end - 1) === "\n" ? text.slice(0, end - 1) : text;
}
