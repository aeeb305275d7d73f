/** A message with more values costs too much to be parsed and checked, however few its bytes. Arguments of the largest size hold fewer. */
export const mostValues = 150_000;

/** Levels. No schema and no result of use is deeper, and checks that call themselves would overflow the stack. */
export const mostLevels = 200;

const quote = 0x22;
const backslash = 0x5c;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const comma = 0x2c;
// A character code that differs from `{` and `}` in this bit alone is `[` or `]`.
const bracketBit = 0x20;
const opening = 0x7b;
const closing = 0x7d;

/**
 * Weighs JSON text by its bytes, in pieces, before it is parsed. Parsing time depends on the number of values and their depth, not on the
 * length of the text. Bytes inside of JSON strings count for nothing.
 */
export class JsonWeight {
  #values = 0;
  #level = 0;
  #deepest = 0;
  #isInString = false;
  #isEscaped = false;

  get isTooHeavy(): boolean {
    return this.#values > mostValues || this.#deepest > mostLevels;
  }

  /** Begins a new message. */
  reset(): void {
    this.#values = 0;
    this.#level = 0;
    this.#deepest = 0;
    this.#isInString = false;
    this.#isEscaped = false;
  }

  add(byte: number): void {
    if (this.#isInString) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === backslash) this.#isEscaped = true;
      // No JSON string goes on in the next line.
      else if (byte === quote || byte === lineFeed || byte === carriageReturn) this.#isInString = false;
      return;
    }
    if (byte === quote) this.#isInString = true;
    else if (byte === comma) this.#values += 1;
    else if ((byte | bracketBit) === opening) {
      this.#values += 1;
      this.#level += 1;
      if (this.#level > this.#deepest) this.#deepest = this.#level;
    } else if ((byte | bracketBit) === closing) this.#level -= 1;
  }
}
