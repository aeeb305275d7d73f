import fc from "fast-check";
import { visibleJson, visibleText } from "../../src/confirmation/handlers/visible-text.js";

const unseen = /(?![\n\t])(?:[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u2800]|\u034f|\u115f|\u3164|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}])/u;

describe("a text that a stranger wrote", () => {
  it("has nothing in it that can't be seen", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(visibleText(text)).not.toMatch(unseen);
      }),
    );
  });

  it("stays as it is where all of it can be seen", () => {
    fc.assert(fc.property(fc.string({ unit: "grapheme-ascii" }), (text) => visibleText(text) === text));
  });

  it("means the same as JSON, with nothing in it that can't be seen", () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: "binary" }), (value) => {
        const text = visibleJson(value);
        expect(text).not.toMatch(unseen);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it.each([
    ["a soft hyphen", "pay\u00adpal", "pay<U+00AD>pal"],
    ["an empty Hangul letter", "a\u3164b", "a<U+3164>b"],
    ["an empty Braille pattern", "a\u2800b", "a<U+2800>b"],
    ["a variation selector that carries data", "a\u{e0150}", "a<U+E0150>"],
    ["a separator of lines", "a\u2028b", "a<U+2028>b"],
    ["a character for private use", "a\ue000", "a<U+E000>"],
    ["a carriage return", "safe\rrm -rf", "safe<U+000D>rm -rf"],
  ])("shows %s", (_what, text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });
});
