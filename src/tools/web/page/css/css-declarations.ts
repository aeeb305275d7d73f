/** What a rule or a style attribute says of one property. Names and values in lower case, escapes undone. */
export interface Declaration {
  readonly property: string;
  readonly value: string;
  readonly important: boolean;
}

/** What can hide a text, or undo it. */
const telling: ReadonlySet<string> = new Set([
  ...["display", "visibility", "opacity", "content-visibility", "font", "font-size", "color", "-webkit-text-fill-color", "text-indent"],
  ...["background", "background-color", "background-image", "background-clip", "-webkit-background-clip", "position", "clip", "clip-path"],
  ...["left", "right", "top", "bottom", "inset", "inset-inline-start", "inset-inline-end", "inset-block-start", "inset-block-end"],
  ...["inset-inline", "inset-block", "margin", "margin-left", "margin-top", "margin-inline-start", "margin-block-start", "transform"],
  ...["translate", "scale", "filter", "width", "height", "max-width", "max-height", "inline-size", "block-size", "max-inline-size"],
  ...["max-block-size", "overflow", "overflow-x", "overflow-y", "padding", "padding-bottom", "-webkit-clip-path"],
]);

/** No hand-written page has as many. */
export const mostDeclarations = 5_000;

/** The declarations of a block that can hide text; `sanitized` has already made its strings and comments harmless. */
export function readDeclarations(block: string): readonly Declaration[] {
  if (block === "") return [];
  return block
    .split(";", mostDeclarations + 1)
    .map(readDeclaration)
    .filter((declaration) => declaration !== undefined);
}

export function readDeclaration(text: string): Declaration | undefined {
  const colon = text.indexOf(":");
  if (colon === -1) return undefined;
  const name = unescaped(text.slice(0, colon)).trim();
  const property = name.startsWith("--") ? name : name.toLowerCase();
  if (!property.startsWith("--") && !telling.has(property)) return undefined;
  const written = unescaped(text.slice(colon + 1))
    .trim()
    .toLowerCase();
  const bare = written.replace(/!\s*important$/, "");
  return { property, value: bare.trim(), important: bare !== written };
}

/** CSS Syntax, "Consume an escaped code point". */
export const unescaped = (text: string): string =>
  text.includes("\\")
    ? text.replace(/\\(?:([\da-f]{1,6})\s?|([\s\S]))/gi, (_, code: string | undefined, character: string) => {
        if (code === undefined) return character;
        const point = Number.parseInt(code, 16);
        return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : "\ufffd";
      })
    : text;
