import { isMethodOverride } from "../operation/forbidden-names.js";

/** As many layers of percent-encoding as proxies and frameworks undo one after the other, and one more. */
const mostLayers = 4;

// biome-ignore lint/suspicious/noControlCharactersInRegex: the URL parser drops some of them without a word
const unwritable = /[\u0000-\u0020\u007f-\u00a0\p{C}\p{Zl}\p{Zp}\\]/u;

/**
 * Why a document's path is refused; `undefined` if it isn't. The path must stay below the path of the base URL for every reader: the URL
 * parser, a proxy that decodes it once more, and a server that drops `;parameters`.
 */
export function pathProblem(path: string): string | undefined {
  const [withQuery = ""] = path.split("#", 1);
  const at = withQuery.indexOf("?");
  const [own, query] = at === -1 ? [withQuery, ""] : [withQuery.slice(0, at), withQuery.slice(at + 1)];
  if (unwritable.test(withQuery)) return "holds a backslash, a space or a character that can't be seen";
  if (own.includes("//")) return "holds an empty segment (//), which some servers read as another host or path";
  if (own.split("/").some(isStep)) return "holds a step (. or ..), in one way of writing or another, which leads to another path";
  const names = query.split("&").map((pair) => fullyDecoded(pair.split("=", 1)[0] ?? ""));
  if (names.some((name) => name === undefined || isMethodOverride(name))) return "names another method in its query";
  return undefined;
}

/** Whether a segment is, or can become, `.` or `..`. */
function isStep(segment: string): boolean {
  const decoded = fullyDecoded(segment);
  if (decoded === undefined) return true;
  return decoded.split(/[\\/]/).some((part) => /^\.{1,2}$/.test(part.replace(/;.*$/s, "").trim()) || /^\.{1,2}\{/.test(part));
}

/** The text without its percent-encoding, however many times it was encoded; `undefined` beyond some layers. */
function fullyDecoded(text: string): string | undefined {
  let decoded = text;
  for (let layer = 0; layer <= mostLayers; layer += 1) {
    const next = decoded.replace(/%[\da-f]{2}/gi, (escape) => String.fromCharCode(Number.parseInt(escape.slice(1), 16)));
    if (next === decoded) return decoded.normalize("NFKC");
    decoded = next;
  }
  return undefined;
}

/** Whether a URL is at its base or below it, as the URL's own parser reads both. */
export function isInsideBase(url: string, base: string): boolean {
  const { origin, pathname } = new URL(url);
  const from = new URL(base);
  const folder = from.pathname.replace(/(?<!\/)\/*$/, "/");
  return origin === from.origin && (pathname.startsWith(folder) || `${pathname}/` === folder);
}
