/** A word that needs no quotes, as identifier, label, key, tag or value. */
export const symbolPattern = /^[a-zA-Z_][0-9a-zA-Z_.\-@]*$/;

const integerPattern = /^-?(?:0|[1-9]\d*)$/;

/** An identifier, in backticks if it is no symbol and no integer. */
export function writeIdentifier(identifier: string): string {
  return integerPattern.test(identifier) ? identifier : writeName(identifier);
}

/** A label, in backticks if it is no symbol. */
export function writeName(name: string): string {
  return symbolPattern.test(name) ? name : quote(name, "`");
}

/** A key, in double quotes if it is no symbol. */
export function writeKey(key: string): string {
  return symbolPattern.test(key) ? key : quote(key, '"');
}

const escapes: Readonly<Record<string, string>> = { "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\" };

export function quote(text: string, mark: '"' | "`"): string {
  const escaped = text.replace(/[\b\f\n\r\t\\"`]/g, (character) => escapes[character] ?? (character === mark ? `\\${mark}` : character));
  return mark + escaped + mark;
}
