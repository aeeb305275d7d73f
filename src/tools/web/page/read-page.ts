import { withoutHidden } from "../../../redaction/internal.js";
import { WebError } from "../web-error.js";
import { chooseElements, shownSelector } from "./choose-elements.js";
import { parsePage } from "./parse-page.js";
import { readableText, titleOf } from "./readable-text.js";
import { type Steps, inTurns } from "../../../timing/index.js";
import { findHidden } from "./visibility.js";

/** What the scraper gives of a page. */
export interface Page {
  readonly text: string;
  readonly title: string;
}

/**
 * Title and readable text of HTML (`xml`: of XHTML), or the text of the elements that a CSS selector chooses. The event loop is never
 * kept for long, whatever the page holds.
 *
 * Throws `WebError` if the selector is invalid, if there is nothing to read, or if page or selector would take too long.
 */
export async function readPage(html: string, xml: boolean, selector: string | undefined, signal: AbortSignal): Promise<Page> {
  const page = await inTurns(readSteps(html, xml, selector), signal);
  if (page.text === "") throw nothingToRead(selector);
  return page;
}

function* readSteps(html: string, xml: boolean, selector: string | undefined): Steps<Page> {
  const root = yield* parsePage(html, xml);
  const chosen = selector === undefined ? undefined : yield* chooseElements(root, xml, selector);
  if (chosen?.size === 0) return { text: "", title: "" };
  const hidden = yield* findHidden(root, html.length);
  const text = yield* visibleSteps(yield* readableText(root, hidden, chosen));
  return { text: text.trim(), title: withoutHidden(yield* titleOf(root)).trim() };
}

/** Characters that are filtered at one go. */
const sliceLength = 65_536;

/** Takes out hidden characters, piece by piece. */
function* visibleSteps(text: string): Steps<string> {
  const parts: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = cutAfter(text, start + sliceLength);
    parts.push(withoutHidden(text.slice(start, end)));
    start = end;
    yield;
  }
  return parts.join("");
}

/** Two of these beside each other belong to no sequence that is seen as one. */
const seam = /[\n\x20-\x7e]{2}/;

/** The next place at which a text can be cut; without a good one, between any two characters. */
function cutAfter(text: string, place: number): number {
  if (place >= text.length) return text.length;
  const near = text.slice(place, place + 2_000).search(seam);
  if (near !== -1) return place + near + 1;
  return place + (/[\udc00-\udfff]/.test(text[place] ?? "") ? 1 : 0);
}

const nothingToRead = (selector: string | undefined): WebError =>
  new WebError(
    selector === undefined
      ? "The page has no text that can be read: scripts may make it, which aren't run. Use another page."
      : `Nothing on the page that can be read matches the selector ${shownSelector(selector)}. Leave it out to read the whole page.`,
  );
