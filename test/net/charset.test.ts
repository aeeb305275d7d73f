import fc from "fast-check";
import { decodeText } from "../../src/net/charset.js";
import { atOnce, processorTimeOf } from "../support/processor-time.js";

const html = (text: string): Buffer => Buffer.from(text, "latin1");
const sentence = {
  text: "<p>日本語のページです。</p>",
  shiftJis: "<p>\x93\xfa\x96\x7b\x8c\xea\x82\xcc\x83\x79\x81\x5b\x83\x57\x82\xc5\x82\xb7\x81\x42</p>",
  eucJp: "<p>\xc6\xfc\xcb\xdc\xb8\xec\xa4\xce\xa5\xda\xa1\xbc\xa5\xb8\xa4\xc7\xa4\xb9\xa1\xa3</p>",
};
/** "日本語" in Shift_JIS. */
const japanese = "\x93\xfa\x96\x7b\x8c\xea";

describe("the charset of a text", () => {
  it.each<[string, Uint8Array, string, string]>([
    ["is that of the content type", html(japanese), "text/plain; charset=Shift_JIS", "日本語"],
    ["may be quoted there", html("caf\xe9"), 'text/plain; charset="ISO-8859-1"', "café"],
    ["is that of the byte order mark, before any other", Buffer.from("\ufeffkäse", "utf8"), "text/plain; charset=iso-8859-1", "käse"],
    ["may be UTF-16 by its mark", Buffer.from("\ufeffkäse", "utf16le"), "text/html", "käse"],
    ["may be UTF-16, high byte first, by its mark", Buffer.from("\ufeffkäse", "utf16le").swap16(), "text/html", "käse"],
    ["is declared by HTML", html(`<meta charset="shift_jis"><p>${japanese}`), "text/html", '<meta charset="shift_jis"><p>日本語'],
    [
      "is declared by HTML in the old way",
      html(`<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">\xcf`),
      "text/html",
      '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">П',
    ],
    [
      "is declared by XML",
      html('<?xml version="1.0" encoding="iso-8859-15"?>\xa4'),
      "application/rss+xml",
      '<?xml version="1.0" encoding="iso-8859-15"?>€',
    ],
    ["isn't declared by a text that is no HTML", html('<meta charset="shift_jis">\xe9'), "text/plain", '<meta charset="shift_jis">é'],
    ["is UTF-8 where nothing is said and it is UTF-8", Buffer.from("käse €"), "text/html", "käse €"],
    ["is windows-1252 where nothing is said and it isn't UTF-8", html("caf\xe9 \x80"), "text/html", "café €"],
    ["is found out where nothing is said: Shift_JIS", html(sentence.shiftJis), "text/html", sentence.text],
    ["is found out where nothing is said: EUC-JP", html(sentence.eucJp), "text/html", sentence.text],
    ["isn't taken for Japanese for a quote and an accent", html("\x82\xc4pfel, \x83\xe9tudes"), "text/html", "‚Äpfel, ƒétudes"],
    ["is guessed where a name is unknown", html("caf\xe9"), "text/html; charset=klingon", "café"],
    ["is never UTF-16 by declaration", Buffer.from('<meta charset="utf-16">ä'), "text/html", '<meta charset="utf-16">ä'],
    ["of JSON is UTF-8, whatever it says", Buffer.from('"ä"'), "application/json; charset=iso-8859-1", '"ä"'],
    ["of an empty text is no matter", new Uint8Array(), "", ""],
  ])("%s", (_, bytes, contentType, expected) => {
    expect(decodeText(bytes, contentType)).toBe(expected);
  });

  it("is that of the text for whatever Europe writes in windows-1252, if nothing is said", () => {
    const words = fc.array(fc.stringMatching(/^[a-zA-Z]{0,8}[\u00c0-\u00ff][a-z]{0,6}[ ,.]$/), { minLength: 3 });
    fc.assert(
      fc.property(words, (parts) => {
        expect(decodeText(html(parts.join("")), "text/html")).toBe(parts.join(""));
      }),
    );
  });

  it("is found in time that grows with nothing but the text", () => {
    const hostile = html(`<meta ${"charset <meta ".repeat(200_000)}`);
    expect(processorTimeOf(() => decodeText(hostile, "text/html"))).toBeLessThan(atOnce);
  });
});
