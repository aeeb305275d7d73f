import fc from "fast-check";
import { hidesCharacters, withoutHidden } from "../../../../src/interop/mcp/client/without-hidden.js";

describe("withoutHidden", () => {
  it.each([
    ["zero width", "re\u200bad\u200c\u2060", "read"],
    ["direction", "\u202efdp.exe\u202c\u2066x\u2069", "fdp.exex"],
    ["tags that spell a text", "ok\u{e0049}\u{e0067}\u{e006e}", "ok"],
    ["variation selectors that carry bytes", "ok\ufe01\u{e0101}\u{e0102}", "ok"],
    ["controls", "a\u0000b\u001b[31mc\u0085", "ab[31mc"],
    ["blank letters", "a\u3164b\u115fc\u2800d\u00ade", "abcde"],
    ["other ends of lines", "a\u2028b\u2029c\rd", "abcd"],
  ])("takes out %s", (_, text, seen) => {
    expect(withoutHidden(text)).toBe(seen);
    expect(hidesCharacters(text)).toBe(true);
  });

  it.each([
    "two\n\tlines",
    "Café ½ 日本語 العربية",
    "I \u2764\ufe0f it",
    "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}",
    "\u2764\ufe0f\u200d\u{1f525}",
  ])("leaves %j", (text) => {
    expect(withoutHidden(text)).toBe(text);
  });

  it("takes out no more the second time, and adds nothing", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const seen = withoutHidden(text);
        expect(seen.length).toBeLessThanOrEqual(text.length);
        expect(withoutHidden(seen)).toBe(seen);
      }),
    );
  });
});
