import { type ArgumentsError, forbiddenKey, maxArgumentsDepth, tooDeep, unsafeInteger } from "./arguments-error.js";
import { isForbidden } from "./arguments-value.js";

/** Thrown inside the parser; callers get the error as a value. */
class LenientError extends Error {
  constructor(readonly error: ArgumentsError) {
    super(error.message);
  }
}

/** Both spellings of the words that JSON and Python share. */
const words: ReadonlyMap<string, boolean | null> = new Map<string, boolean | null>([
  ["true", true],
  ["True", true],
  ["false", false],
  ["False", false],
  ["null", null],
  ["None", null],
]);

const escapes: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

const fence = /^```[A-Za-z0-9]*[ \t]*\r?\n([\s\S]*?)(?:\r?\n[ \t]*)?(?:```\s*)?$/;
const blanks = /[ \t\r\n]*/y;
const bareKey = /[A-Za-z_$][\w$-]*/y;
const wordCharacters = /[A-Za-z]+/y;
const numberCharacters = /[-+.\w]+/y;
const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const plainDouble = /[^"\\]+/y;
const plainSingle = /[^'\\]+/y;

/**
 * Reads text that isn't quite JSON, as models write it, if its meaning is clear. It accepts a Markdown fence, a byte order mark, single
 * quotes, bare keys, trailing commas, line breaks inside strings, Python's `True`, `False` and `None`, and surplus closing brackets.
 * It never closes a text that ends early (a shorter path or number could be another one), and guesses nothing.
 */
export function parseLenientJson(text: string): { readonly value: unknown } | { readonly error: ArgumentsError } {
  const trimmed = text.replace(/^\uFEFF/, "").trim();
  const inner = fence.exec(trimmed)?.[1] ?? trimmed;
  try {
    return { value: new LenientParser(inner).document() };
  } catch (error) {
    if (error instanceof LenientError) return { error: error.error };
    throw error;
  }
}

class LenientParser {
  private position = 0;

  constructor(private readonly text: string) {}

  document(): unknown {
    this.skipBlanks();
    const value = this.value(0);
    this.skipBlanks();
    while (this.text[this.position] === "}" || this.text[this.position] === "]") {
      this.position++;
      this.skipBlanks();
    }
    if (this.position < this.text.length) this.malformed("the end of the text");
    return value;
  }

  private value(depth: number): unknown {
    const character = this.text[this.position];
    if (character === undefined) return this.truncated();
    if (character === "{" || character === "[") {
      if (depth >= maxArgumentsDepth) throw new LenientError(tooDeep);
      return character === "{" ? this.object(depth + 1) : this.array(depth + 1);
    }
    if (character === '"' || character === "'") return this.string(character);
    if (character === "-" || (character >= "0" && character <= "9")) return this.number();
    return this.word();
  }

  private object(depth: number): unknown {
    const result: Record<string, unknown> = {};
    this.position++;
    for (;;) {
      this.skipBlanks();
      if (this.take("}")) return result;
      const key = this.key();
      this.skipBlanks();
      if (!this.take(":")) this.unexpected('":"');
      this.skipBlanks();
      const value = this.value(depth);
      if (isForbidden(key, value)) throw new LenientError(forbiddenKey(key));
      result[key] = value;
      this.skipBlanks();
      if (!this.take(",") && this.text[this.position] !== "}") this.unexpected('"," or "}"');
    }
  }

  private array(depth: number): unknown {
    const result: unknown[] = [];
    this.position++;
    for (;;) {
      this.skipBlanks();
      if (this.take("]")) return result;
      result.push(this.value(depth));
      this.skipBlanks();
      if (!this.take(",") && this.text[this.position] !== "]") this.unexpected('"," or "]"');
    }
  }

  private key(): string {
    const character = this.text[this.position];
    if (character === '"' || character === "'") return this.string(character);
    return this.match(bareKey) ?? this.unexpected("a key in double quotes");
  }

  private string(quote: '"' | "'"): string {
    const plain = quote === '"' ? plainDouble : plainSingle;
    const parts: string[] = [];
    this.position++;
    for (;;) {
      const part = this.match(plain);
      if (part !== undefined) parts.push(part);
      if (this.take(quote)) return parts.join("");
      if (!this.take("\\")) return this.truncated();
      parts.push(this.escape());
    }
  }

  private escape(): string {
    const character = this.text[this.position];
    if (character === undefined) return this.truncated();
    if (character === "u") {
      const digits = this.text.slice(this.position + 1, this.position + 5);
      if (/^[0-9A-Fa-f]{4}$/.test(digits)) {
        this.position += 5;
        return String.fromCharCode(Number.parseInt(digits, 16));
      }
      return this.position + 5 > this.text.length ? this.truncated() : this.malformed("four hexadecimal digits after \\u");
    }
    const meaning = /["'\\/]/.test(character) ? character : escapes[character];
    if (meaning === undefined) return this.malformed('a legal escape (write a backslash as "\\\\")');
    this.position++;
    return meaning;
  }

  private number(): number {
    const start = this.position;
    const text = this.match(numberCharacters) ?? "";
    if (this.position >= this.text.length) return this.truncated();
    if (!jsonNumber.test(text)) {
      this.position = start;
      return this.malformed("a number as JSON writes it");
    }
    const number = Number(text);
    if (!isKept(text)) throw new LenientError(unsafeInteger(text));
    return number;
  }

  private word(): boolean | null {
    const start = this.position;
    const text = this.match(wordCharacters) ?? "";
    const value = words.get(text);
    if (value !== undefined) return value;
    if (text !== "" && this.position >= this.text.length && [...words.keys()].some((word) => word.startsWith(text)))
      return this.truncated();
    this.position = start;
    return this.malformed("a value");
  }

  private skipBlanks(): void {
    this.match(blanks);
  }

  private match(expression: RegExp): string | undefined {
    expression.lastIndex = this.position;
    const [found] = expression.exec(this.text) ?? [];
    if (found !== undefined) this.position += found.length;
    return found;
  }

  private take(character: string): boolean {
    if (this.text[this.position] !== character) return false;
    this.position++;
    return true;
  }

  private unexpected(expected: string): never {
    return this.position >= this.text.length ? this.truncated() : this.malformed(expected);
  }

  private truncated(): never {
    const end = JSON.stringify(this.text.slice(-20));
    const message = `The arguments end too early, after ${end} (character ${this.text.length}). Send the whole JSON object again, shorter if need be.`;
    throw new LenientError({ code: "truncated", message });
  }

  private malformed(expected: string): never {
    const near = JSON.stringify(this.text.slice(this.position, this.position + 20));
    const found = this.position >= this.text.length ? "the text ends" : `there is ${near}`;
    const message = `The arguments are not valid JSON: expected ${expected} at character ${this.position}, but ${found}. Send one JSON object such as {"name": "value"}.`;
    throw new LenientError({ code: "malformed_json", message });
  }
}

/** Whether a number in JSON text is read without loss: no integer beyond 2^53 - 1, nothing beyond the range of doubles. */
export function isKept(text: string): boolean {
  const number = Number(text);
  return Number.isFinite(number) && (/[.eE]/.test(text) || Number.isSafeInteger(number));
}
