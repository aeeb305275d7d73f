import { createContext, Script } from "node:vm";
import type { Cheerio, CheerioAPI } from "cheerio/slim";
import { WebError } from "../web-error.js";
import { loadCheerio } from "./load-cheerio.js";
import { isElement, type PageNode } from "./page-node.js";
import type { Steps } from "../../../timing/index.js";

type Elements = Cheerio<never>;

/** Elements that are judged at one go. */
const sliceSize = 500;

/** For one slice, in milliseconds. */
const sliceLimit = 100;

/** For all of them, in milliseconds of processor time. */
const timeLimit = 2_000;

/** A longer one takes its time before it is applied. */
const longestSelector = 1_000;

/** A selector is written by a model, for a page that a stranger wrote: both together can keep an engine busy for hours. */
const limited = new Script("work()");

/** Pseudo-classes of cheerio that count what was found, and selectors that begin with a combinator: these need the page whole. */
const needsAll = /^\s*[>+~]|,\s*[>+~]|:(?:first|last|eq|nth|gt|lt|even|odd)(?![\w-])/;

/**
 * The elements that a CSS selector chooses. Throws `WebError` if it is no selector, or takes too long.
 *
 * Elements are judged slice by slice, and `vm` stops a slice that takes too long, which nothing else does within a thread.
 */
export function* chooseElements(root: PageNode, xml: boolean, selector: string): Steps<ReadonlySet<PageNode>> {
  if (selector.length > longestSelector) throw invalid(selector);
  // Cheerio's own types of nodes say more than the reader needs.
  const $ = loadCheerio().load(root as never, { xml }) as CheerioAPI;
  const context = createContext({});
  let spent = 0;
  const within = (find: () => Elements): readonly PageNode[] => {
    context.work = () => find().toArray();
    for (let used = 0; ; ) {
      const start = process.cpuUsage();
      let found: readonly PageNode[] | undefined;
      try {
        found = limited.runInContext(context, { timeout: sliceLimit });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw invalid(selector);
      }
      const time = millisecondsOf(process.cpuUsage(start));
      spent += time;
      used += time;
      // The limit of `vm` passes also while other processes have the processor; then the slice is judged again.
      if (spent > timeLimit || (found === undefined && used > 0.8 * sliceLimit)) throw tooSlow();
      if (found !== undefined) return found;
    }
  };
  // Here and below: `PageNode` is the part of cheerio's nodes that is used.
  if (needsAll.test(selector)) return new Set(within(() => $.root().find(selector) as unknown as Elements));
  const chosen = new Set<PageNode>();
  for (const slice of slicesOf(root)) {
    for (const element of within(() => ($(slice as never) as unknown as Elements).filter(selector) as unknown as Elements))
      chosen.add(element);
    yield;
  }
  return chosen;
}

const millisecondsOf = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1_000;

/** All elements of the page, in its order. */
function* slicesOf(root: PageNode): Iterable<readonly PageNode[]> {
  let slice: PageNode[] = [];
  const stack: PageNode[] = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (isElement(node) && slice.push(node) === sliceSize) {
      yield slice;
      slice = [];
    }
    for (let index = (node.children?.length ?? 0) - 1; index >= 0; index--) stack.push(node.children?.[index] as PageNode);
  }
  yield slice;
}

const tooSlow = (): WebError => new WebError("The selector takes too long on this page. Use a simpler one, such as a tag, .class or #id.");

const invalid = (selector: string): WebError =>
  new WebError(
    `The selector ${shownSelector(selector)} isn't a CSS selector that can be used. Write a simple one, such as main, .class or #id.`,
  );

export const shownSelector = (selector: string): string =>
  JSON.stringify(selector.length > 100 ? `${selector.slice(0, 100)}...` : selector);
