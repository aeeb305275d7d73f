import { Cascade } from "./css/cascade.js";
import { type ComputedStyle, computeStyle, hidesText, initialStyle } from "./css/computed-style.js";
import { mostDeclarations, readDeclarations } from "./css/css-declarations.js";
import { Matching } from "./css/matching.js";
import { mediaHolds } from "./css/media.js";
import { sanitized } from "./css/sanitize.js";
import { StyleSheets } from "./css/style-sheet.js";
import { isElement, type PageElement, type PageNode } from "./page-node.js";
import type { Steps } from "../../../timing/index.js";

/** What a person doesn't see of a page. */
export interface HiddenNodes {
  /** Elements that are invisible with all their content. */
  readonly elements: ReadonlySet<PageNode>;
  /** Invisible texts in elements that may have visible ones. */
  readonly texts: ReadonlySet<PageNode>;
}

/** An element whose children are being visited. */
interface Level {
  readonly children: readonly PageNode[];
  readonly style: ComputedStyle;
  next: number;
  /** Elements so far, and those of each name. */
  elements: number;
  readonly ofName: Map<string, number>;
}

/**
 * Finds what styles, attributes and the page's own style sheets hide. Sheets of other addresses aren't fetched, and scripts aren't
 * run. Throws `WebError` if the sheets are too complicated to be applied.
 */
export function* findHidden(root: PageNode, pageLength: number): Steps<HiddenNodes> {
  const matching = new Matching(pageLength);
  const cascade = new Cascade();
  yield* cascade.add((yield* readSheets(root)).rules);
  const elements = new Set<PageNode>();
  const texts = new Set<PageNode>();
  const open: Level[] = [levelOf(root, initialStyle)];
  for (let level = open.at(-1); level !== undefined; level = open.at(-1)) {
    const node = level.children[level.next++];
    if (node === undefined) {
      open.pop();
      continue;
    }
    if (node.type === "text") {
      if (hidesText(level.style)) texts.add(node);
      continue;
    }
    if (!isElement(node)) continue;
    yield;
    if (!cascade.isEmpty) count(node, level, matching);
    const style = isClosed(node) ? undefined : yield* styleOf(node, level.style, cascade, matching);
    if (style === undefined) elements.add(node);
    else open.push(levelOf(node, style));
  }
  return { elements, texts };
}

const levelOf = ({ children = [] }: PageNode, style: ComputedStyle): Level => ({
  children,
  style,
  next: 0,
  elements: 0,
  ofName: new Map(),
});

function count(element: PageElement, level: Level, { places }: Matching): void {
  const ofType = (level.ofName.get(element.name) ?? 0) + 1;
  level.ofName.set(element.name, ofType);
  places.set(element, { index: ++level.elements, ofType });
}

/** Elements that are hidden by what they are. What a click on its own summary opens (`details`) isn't. */
const isClosed = ({ name, attribs }: PageElement): boolean =>
  attribs.hidden !== undefined ||
  attribs["aria-hidden"]?.trim().toLowerCase() === "true" ||
  attribs.popover !== undefined ||
  (name.toLowerCase() === "dialog" && attribs.open === undefined);

function* styleOf(element: PageElement, parent: ComputedStyle, cascade: Cascade, matching: Matching): Steps<ComputedStyle | undefined> {
  const { style } = element.attribs;
  const own = style === undefined ? [] : readDeclarations(yield* sanitized(style));
  // Unusual styles hide text that people aren't meant to read.
  if (own.length > mostDeclarations) return undefined;
  const declared = cascade.declared(element, own, matching);
  const hints = hintsOf(element);
  if (hints.length === 0) return computeStyle(parent, declared);
  return computeStyle(parent, new Map([...hints, ...declared]));
}

/** What attributes say of colors and sizes (HTML, "Presentational hints"), and what browsers do of themselves. */
function hintsOf({ name, attribs }: PageElement): readonly (readonly [property: string, value: string])[] {
  const { bgcolor, text, color, size, href } = attribs;
  const hints: (readonly [string, string])[] = [];
  if (bgcolor !== undefined) hints.push(["background-color", bgcolor.trim().toLowerCase()]);
  if (name === "body" && text !== undefined) hints.push(["color", text.trim().toLowerCase()]);
  if (name === "font" && color !== undefined) hints.push(["color", color.trim().toLowerCase()]);
  if (name === "font" && size !== undefined) hints.push(["font-size", "medium"]);
  if (name === "a" && href !== undefined) hints.push(["color", "blue"]);
  if (name === "mark") hints.push(["background-color", "yellow"], ["color", "black"]);
  if (name === "button" || name === "textarea") hints.push(["background-color", "silver"], ["color", "black"]);
  return hints;
}

/** Style elements outside of what is never shown. */
const inert: ReadonlySet<string> = new Set(["noscript", "template", "iframe", "noembed", "noframes"]);

function* readSheets(root: PageNode): Steps<StyleSheets> {
  const sheets = new StyleSheets();
  const stack: PageNode[] = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    yield;
    const name = node.name?.toLowerCase() ?? "";
    if (inert.has(name)) continue;
    if (name === "style" && isSheet(node.attribs ?? {})) {
      yield* sheets.read((node.children ?? []).map(({ data = "" }) => data).join(""));
      continue;
    }
    for (let index = (node.children?.length ?? 0) - 1; index >= 0; index--) stack.push(node.children?.[index] as PageNode);
  }
  return sheets;
}

const isSheet = ({ type = "", media = "" }: Readonly<Record<string, string>>): boolean =>
  (type.trim() === "" || /^\s*text\/css\s*(?:;|$)/i.test(type)) && mediaHolds(media);
