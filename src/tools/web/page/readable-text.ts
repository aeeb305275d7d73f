import { isElement, type PageNode } from "./page-node.js";
import { TextLayout } from "./text-layout.js";
import type { Steps } from "../../../timing/index.js";
import type { HiddenNodes } from "./visibility.js";

/** What a person doesn't see as text. */
const skipped: ReadonlySet<string> = new Set([
  ...["audio", "canvas", "datalist", "head", "iframe", "link", "math", "meta", "meter", "noembed", "noframes", "noscript", "object"],
  ...["progress", "rp", "script", "select", "style", "svg", "template", "title", "video"],
]);

const paragraphs: ReadonlySet<string> = new Set([
  ...["article", "aside", "blockquote", "dl", "fieldset", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr"],
  ...["main", "nav", "ol", "p", "pre", "section", "table", "ul"],
]);

const lines: ReadonlySet<string> = new Set([
  ...["address", "br", "caption", "dd", "details", "div", "dt", "figcaption", "legend", "li", "option", "summary", "tr"],
]);

const cells: ReadonlySet<string> = new Set(["td", "th"]);

/** Nodes that are read between two steps. */
const nodesOfStep = 200;

/**
 * The text of a page as a person reads it: separate paragraphs, list items with dashes, cells between bars, and no hidden text, scripts or
 * styles. With `chosen`, of these elements alone.
 *
 * It walks without recursion, however deep a page is nested.
 */
export function* readableText(root: PageNode, hidden: HiddenNodes, chosen?: ReadonlySet<PageNode>): Steps<string> {
  const layout = new TextLayout();
  const layoutCells = yield* cellsWithTables(root, hidden);
  let read = 0;
  let inside = chosen === undefined ? 1 : 0;
  let inCell = 0;
  let inPreformatted = 0;
  let rowBegan = false;
  for (const { node, entering } of walk(root, skipped, hidden)) {
    if (++read % nodesOfStep === 0) yield;
    const { name = "" } = node;
    const step = entering ? 1 : -1;
    if (chosen?.has(node)) {
      inside += step;
      layout.break(2);
      rowBegan = false;
    }
    if (inside === 0) continue;
    if (name === "pre") inPreformatted += step;
    const isBlock = paragraphs.has(name) || lines.has(name);
    if (node.type === "text") {
      if (hidden.texts.has(node)) continue;
      if (inPreformatted > 0 && inCell === 0) layout.addExactly(node.data ?? "");
      else layout.add(node.data ?? "");
    } else if (cells.has(name) && !layoutCells.has(node)) {
      inCell += step;
      layout.space();
      if (entering && rowBegan) layout.add("| ");
      rowBegan = true;
    } else if (isBlock && inCell > 0) {
      // In a row of data a block is words apart from the next, not lines.
      layout.space();
    } else if (isBlock || cells.has(name)) {
      layout.break(paragraphs.has(name) ? 2 : 1);
      rowBegan = false;
      if (entering && name === "li") layout.add("- ");
    }
  }
  return layout.toString();
}

/** The text of the title; empty if there is none. */
export function* titleOf(root: PageNode): Steps<string> {
  let read = 0;
  for (const { node } of walk(root, new Set(["svg", "math", "body"]))) {
    if (++read % nodesOfStep === 0) yield;
    if (node.name !== "title") continue;
    return (node.children ?? [])
      .map(({ data = "" }) => data)
      .join("")
      .replace(/\s+/g, " ")
      .trim();
  }
  return "";
}

interface Visit {
  readonly node: PageNode;
  /** False if its children were visited; nodes that can't have any are entered only. */
  readonly entering: boolean;
}

function* walk(root: PageNode, passedOver: ReadonlySet<string>, hidden?: HiddenNodes): Iterable<Visit> {
  const stack: Visit[] = [{ node: root, entering: true }];
  for (let visit = stack.pop(); visit !== undefined; visit = stack.pop()) {
    yield visit;
    const { node, entering } = visit;
    if (!entering || node.children === undefined) continue;
    stack.push({ node, entering: false });
    for (let index = node.children.length - 1; index >= 0; index--) {
      const child = node.children[index];
      if (child !== undefined && !passedOver.has(child.name ?? "") && !isLeftOut(child, hidden))
        stack.push({ node: child, entering: true });
    }
  }
}

const isLeftOut = (node: PageNode, hidden: HiddenNodes | undefined): boolean =>
  node.type === "comment" || node.type === "directive" || (isElement(node) && hidden?.elements.has(node) === true);

/** Cells that hold tables lay out a page, and are no cells of data. */
function* cellsWithTables(root: PageNode, hidden: HiddenNodes): Steps<ReadonlySet<PageNode>> {
  const found = new Set<PageNode>();
  let read = 0;
  for (const { node, entering } of walk(root, skipped, hidden)) {
    if (++read % nodesOfStep === 0) yield;
    if (!entering || node.name !== "table") continue;
    for (let above = node.parent; above && !found.has(above); above = above.parent) found.add(above);
  }
  return found;
}
