import { WebError } from "../../web-error.js";
import { isElement, type PageElement, type PageNode } from "../page-node.js";

/** What matching may cost: comparisons for each character of the page, besides what every page may. */
const comparisonsPerCharacter = 1.5;
const comparisonsAnyway = 1_000_000;

export const tooComplicated = (): WebError =>
  new WebError("The page's style sheets are too complicated to find out what the page hides. Use another page.");

/** What selectors are matched with: how much it cost so far, and the places of elements among their siblings. */
export class Matching {
  #left: number;
  /** From 1; of all elements that were visited. */
  readonly places = new Map<PageNode, { readonly index: number; readonly ofType: number }>();

  constructor(pageLength: number) {
    this.#left = comparisonsAnyway + pageLength * comparisonsPerCharacter;
  }

  /** Throws `WebError` when the page has cost what a page may. */
  spend(): void {
    if (--this.#left < 0) throw tooComplicated();
  }
}

export type ElementTest = (element: PageElement, matching: Matching) => boolean;

/** A selector without commas, read from its end. */
export interface Selector {
  readonly last: Compound;
  readonly specificity: number;
  /** It holds what isn't known without more of a browser, and counts as matched there. */
  readonly uncertain: boolean;
}

export interface Compound {
  readonly tag: string | undefined;
  readonly id: string | undefined;
  readonly classes: readonly string[];
  readonly tests: readonly ElementTest[];
  /** What must stand before it, and how. */
  readonly before: { readonly combinator: string; readonly compound: Compound } | undefined;
}

/** What a compound is made of while it is read. */
export interface Draft {
  tag: string | undefined;
  id: string | undefined;
  readonly classes: string[];
  readonly tests: ElementTest[];
  specificity: number;
  uncertain: boolean;
}

/** Whether a selector matches an element; what isn't known counts as matched. */
export const matches = ({ last }: Selector, element: PageElement, matching: Matching): boolean => matchesFrom(last, element, matching);

function matchesFrom(compound: Compound, element: PageElement, matching: Matching): boolean {
  matching.spend();
  const { tag, id, classes, tests, before } = compound;
  if (tag !== undefined && element.name.toLowerCase() !== tag) return false;
  if (id !== undefined && element.attribs.id !== id) return false;
  if (classes.length > 0 && !classes.every((one) => classesOf(element).has(one))) return false;
  if (!tests.every((test) => test(element, matching))) return false;
  if (before === undefined) return true;
  const next = before.combinator === ">" || before.combinator === " " ? parentOf : previousOf;
  const once = before.combinator === ">" || before.combinator === "+";
  for (let other = next(element); other !== undefined; other = next(other)) {
    if (matchesFrom(before.compound, other, matching)) return true;
    if (once) return false;
  }
  return false;
}

/** Characters of a class attribute. */
const longestClass = 20_000;

const classNames = new WeakMap<PageElement, ReadonlySet<string>>();

export function classesOf(element: PageElement): ReadonlySet<string> {
  let classes = classNames.get(element);
  if (classes === undefined) {
    if ((element.attribs.class ?? "").length > longestClass) throw tooComplicated();
    classes = new Set((element.attribs.class ?? "").split(/\s+/));
    classNames.set(element, classes);
  }
  return classes;
}

export const parentOf = ({ parent }: PageNode): PageElement | undefined => (isElement(parent) ? parent : undefined);

function previousOf({ prev }: PageNode): PageElement | undefined {
  let node = prev;
  while (node && !isElement(node)) node = node.prev;
  return node ?? undefined;
}
