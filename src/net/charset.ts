import { TextDecoder } from "node:util";

/** Where HTML may declare its charset (WHATWG HTML, "prescan a byte stream to determine its encoding"). */
const prescanned = 1_024;

/**
 * Decodes a text of the web: by its byte order mark, else the charset of its content type, else the one that HTML or XML
 * declares in its first bytes. Without any of these: UTF-8 if it is valid, Shift_JIS or EUC-JP if it is Japanese, or windows-1252,
 * which is what browsers assume.
 *
 * ```ts
 * decodeText(Uint8Array.of(99, 97, 102, 233), "text/html; charset=iso-8859-1"); // "café"
 * ```
 */
export function decodeText(bytes: Uint8Array, contentType = ""): string {
  const marked = charsetOfMark(bytes);
  const named = marked ?? charsetOfType(contentType) ?? (/html|xml/i.test(contentType) ? declaredCharset(bytes) : undefined);
  const decoder = decoderFor(named);
  return decoder === undefined ? decodeGuessing(bytes) : decodeWith(decoder, bytes);
}

/** At one go, Node 20 to 23 take windows-1252 for Latin-1, which has no quotes, dashes or euro sign. */
const decodeWith = (decoder: TextDecoder, bytes: Uint8Array): string =>
  decoder.encoding === "windows-1252" ? decoder.decode(bytes, { stream: true }) + decoder.decode() : decoder.decode(bytes);

function decodeGuessing(bytes: Uint8Array): string {
  return decodeStrictly("utf-8", bytes) ?? decodeJapanese(bytes) ?? decodeWith(new TextDecoder("windows-1252"), bytes);
}

/** `undefined` for bytes that aren't a text in that charset, and for charsets that this build of Node doesn't know. */
function decodeStrictly(charset: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Old pages of Japan often say no charset, and browsers find out. A text in windows-1252 is next to never valid in these. */
function decodeJapanese(bytes: Uint8Array): string | undefined {
  return ["shift_jis", "euc-jp"].map((charset) => decodeStrictly(charset, bytes)).find((text) => text !== undefined && isJapanese(text));
}

/** Japanese isn't written without kana; what was decoded wrongly has few, among half-width ones and symbols. */
function isJapanese(text: string): boolean {
  let foreign = 0;
  let japanese = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x80) continue;
    foreign++;
    if ((code >= 0x3000 && code <= 0x30ff) || (code >= 0x4e00 && code <= 0x9fff) || (code >= 0xff01 && code <= 0xff5e)) japanese++;
  }
  return /[\u3041-\u3096\u30a1-\u30fa]/.test(text) && japanese > foreign * 0.9;
}

function charsetOfMark(bytes: Uint8Array): string | undefined {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : undefined;
}

/** JSON has no charset but UTF-8 (RFC 8259, section 8.1). */
function charsetOfType(contentType: string): string | undefined {
  if (/^[^;]*[/+]json\s*(;|$)/i.test(contentType)) return "utf-8";
  return /;\s*charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType)?.[1];
}

function declaredCharset(bytes: Uint8Array): string | undefined {
  const beginning = new TextDecoder("windows-1252").decode(bytes.subarray(0, prescanned));
  const declared =
    /<meta\s[^>]{0,500}charset\s*=\s*(?:["']\s*)?([\w.:-]+)/i.exec(beginning)?.[1] ??
    /^\s*<\?xml\s[^>]{0,200}encoding\s*=\s*["']([\w.:-]+)/i.exec(beginning)?.[1];
  // A text that could be read up to here isn't UTF-16, whatever it declares.
  return declared !== undefined && /^utf-16/i.test(declared) ? "utf-8" : declared;
}

/** `undefined` also for charsets that don't exist, or that this build of Node doesn't support. */
function decoderFor(charset: string | undefined): TextDecoder | undefined {
  if (charset === undefined) return undefined;
  try {
    return new TextDecoder(charset);
  } catch {
    return undefined;
  }
}
