/** A set of ASCII characters as bits 0 to 127; bit 128 stands for every other character. */
export type CharacterMask = bigint;

const otherCharacters = 1n << 128n;

/** Literals, and classes that can't hold a character outside ASCII. */
const asciiOnly =
  /^(?:\\[dwtrnvf]|\\[^A-Za-z0-9\u0080-\uffff]|[^\\.[\u0080-\uffff]|\[(?!\^)(?:\\[dwtrnvfb]|\\[^A-Za-z0-9\u0080-\uffff]|[^\\\u0080-\uffff])*\])$/;

/** The characters that one atom of a regular expression stands for: `a`, `\d`, `[^"]`, `.`, `\p{L}`. */
export class CharacterSet {
  /** The ASCII members; with the bit for the others set unless the atom surely holds none of them. */
  readonly mask: CharacterMask;
  private readonly expression: RegExp;
  private readonly ascii = new Uint8Array(128);

  constructor(source: string, flags: string) {
    this.expression = new RegExp(`^(?:${source})$`, flags);
    let mask = asciiOnly.test(source) ? 0n : otherCharacters;
    for (let code = 0; code < 128; code++) {
      if (!this.expression.test(String.fromCharCode(code))) continue;
      this.ascii[code] = 1;
      mask |= 1n << BigInt(code);
    }
    this.mask = mask;
  }

  /** Whether the set contains a character. The platform's own engine decides, so `\p{L}` and `\w` mean what they mean there. */
  has(code: number): boolean {
    return code < 128 ? this.ascii[code] === 1 : this.expression.test(String.fromCodePoint(code));
  }
}
