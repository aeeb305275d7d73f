import { WebError } from "../web-error.js";
import { loadParser } from "./load-cheerio.js";
import type { PageNode } from "./page-node.js";
import type { Steps } from "../../../timing/index.js";

/** Characters that are parsed at one go. */
const sliceLength = 4_096;

/** No page of use is deeper. A tag that closes nothing is compared with all that are open, so that depth costs time. */
const mostLevels = 2_000;

/** More take more memory than a page is worth. */
const mostElements = 200_000;

/** Of one element. */
const mostAttributes = 10_000;

const tooLarge = (): WebError => new WebError("The page has too many elements or attributes to be read. Use another page.");

/** Parses HTML (`xml`: XHTML), slice by slice. Throws `WebError` for a page that is nested too deeply. */
export function* parsePage(html: string, xml: boolean): Steps<PageNode> {
  const { Parser, DomHandler } = loadParser();
  let depth = 0;
  let elements = 0;
  let attributes = 0;
  class BoundedTree extends DomHandler {
    override onopentag(name: string, attribs: Record<string, string>): void {
      if (++depth > mostLevels) throw new WebError("The page is nested too deeply to be read. Use another page.");
      if (++elements > mostElements) throw tooLarge();
      attributes = 0;
      super.onopentag(name, attribs);
    }
    onattribute(): void {
      if (++attributes > mostAttributes) throw tooLarge();
    }
    override onclosetag(): void {
      depth--;
      super.onclosetag();
    }
  }
  const tree = new BoundedTree();
  const parser = new Parser(tree, { xmlMode: xml });
  for (let start = 0; start < html.length; start += sliceLength) {
    parser.write(html.slice(start, start + sliceLength));
    yield;
  }
  parser.end();
  return tree.root;
}
