import { createContext, Script } from "node:vm";
import type { CheerioAPI } from "cheerio/slim";
import { withoutHidden } from "../../tool/internal.js";
import { loadCheerio } from "./load-cheerio.js";
import { type PageNode, readableText, titleOf } from "./readable-text.js";
import { WebError } from "./web-error.js";

/** What the scraper gives of a page. */
export interface Page {
  readonly text: string;
  readonly title: string;
}

/** Milliseconds. A page of 2 MB takes a third of it. */
const timeLimit = 2_000;

/** A selector is written by a model, for a page that a stranger wrote: both together can keep a parser busy for hours. */
const limited = new Script("work()");

/**
 * Title and readable text of HTML (`xml`: of XHTML), or the text of the elements that a CSS selector chooses.
 *
 * Throws `WebError` where the selector is invalid or there is nothing to read, and where reading takes too long.
 */
export function readPage(html: string, xml: boolean, selector: string | undefined): Page {
  const { load } = loadCheerio();
  const read = (): Page => {
    const $ = load(html, { xml });
    const [root] = $.root();
    const chosen = selector === undefined ? undefined : new Set<PageNode>(select($, selector));
    if (root === undefined || chosen?.size === 0) return { text: "", title: "" };
    return { text: withoutHidden(readableText(root, chosen)), title: withoutHidden(titleOf(root)) };
  };
  const page = withinLimit(read, selector);
  if (page.text === "") throw nothingToRead(selector);
  return page;
}

function select($: CheerioAPI, selector: string): Iterable<PageNode> {
  try {
    return $.root().find(selector);
  } catch {
    throw new WebError(
      `The selector ${shownSelector(selector)} isn't a CSS selector that can be used. Write a simple one, such as main, .class or #id.`,
    );
  }
}

/** Runs synchronous work and stops it at the time limit, which nothing but the `vm` module can do within a thread. */
function withinLimit<Value>(work: () => Value, selector: string | undefined): Value {
  try {
    return limited.runInContext(createContext({ work }), { timeout: timeLimit });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    throw new WebError(
      selector === undefined
        ? "The page is too large, or nested too deeply, to be read. Use another page."
        : "The selector takes too long on this page. Use a simpler one, such as a tag, .class or #id.",
    );
  }
}

const nothingToRead = (selector: string | undefined): WebError =>
  new WebError(
    selector === undefined
      ? "The page has no text that can be read: scripts may make it, which aren't run. Use another page."
      : `Nothing on the page that can be read matches the selector ${shownSelector(selector)}. Leave it out to read the whole page.`,
  );

const shownSelector = (selector: string): string => JSON.stringify(selector.length > 100 ? `${selector.slice(0, 100)}...` : selector);
