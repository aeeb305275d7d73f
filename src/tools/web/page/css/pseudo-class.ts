import { isElement, type PageElement, type PageNode } from "../page-node.js";
import { type Draft, type ElementTest, type Matching, matches, parentOf, type Selector } from "./matching.js";

/** Reads the selectors of a list in brackets, without those that can't be read. */
export type ReadInner = (text: string) => readonly Selector[];

/** What a page that was just opened has none of. */
const untrue: ReadonlySet<string> = new Set([
  ...["hover", "focus", "focus-within", "focus-visible", "active", "visited", "target", "target-within", "fullscreen", "autofill", "host"],
  ...["popover-open", "modal", "picture-in-picture", "playing", "future", "current", "user-invalid", "user-valid"],
]);

const place = (test: (index: number, ofType: number) => boolean): ElementTest => {
  return (element, { places }) => {
    const { index, ofType } = places.get(element) ?? { index: 1, ofType: 1 };
    return test(index, ofType);
  };
};

const hasNext = (element: PageElement): boolean => {
  for (let { next } = element as PageNode; next; next = next.next) if (isElement(next)) return true;
  return false;
};

const first = place((index) => index === 1);
const last: ElementTest = (element) => !hasNext(element);

const simple: Readonly<Record<string, ElementTest>> = {
  root: (element) => parentOf(element) === undefined && element.name === "html",
  scope: (element) => parentOf(element) === undefined && element.name === "html",
  "first-child": first,
  "last-child": last,
  "only-child": (element, matching) => first(element, matching) && last(element, matching),
  "first-of-type": place((_, ofType) => ofType === 1),
  empty: ({ children = [] }) => children.every(({ type }) => type === "comment"),
  link: ({ name, attribs }) => name === "a" && attribs.href !== undefined,
  "any-link": ({ name, attribs }) => name === "a" && attribs.href !== undefined,
  defined: () => true,
  enabled: ({ attribs }) => attribs.disabled === undefined,
  disabled: ({ attribs }) => attribs.disabled !== undefined,
  checked: ({ attribs }) => attribs.checked !== undefined || attribs.selected !== undefined,
  required: ({ attribs }) => attribs.required !== undefined,
  optional: ({ attribs }) => attribs.required === undefined,
};

/** Reads a pseudo-class at a place of a selector into a draft, and returns its end; `undefined` if nothing can match. */
export function readPseudoClass(text: string, start: number, draft: Draft, readInner: ReadInner): number | undefined {
  const pattern = /::?((?:[-\w])+)/y;
  pattern.lastIndex = start;
  const found = pattern.exec(text);
  // Pseudo-elements hold no text of the page.
  if (found === null || found[0].startsWith("::")) return undefined;
  const pseudo = (found[1] ?? "").toLowerCase();
  let end = start + found[0].length;
  let argument: string | undefined;
  if (text[end] === "(") {
    const close = closingOf(text, end);
    if (close === -1) return undefined;
    argument = text.slice(end + 1, close).trim();
    end = close + 1;
  }
  const test = argument === undefined ? simple[pseudo] : functional(pseudo, argument, draft, readInner);
  if (pseudo === "before" || pseudo === "after" || pseudo === "first-letter" || pseudo === "first-line") return undefined;
  if (test !== undefined) draft.tests.push(test);
  else if (untrue.has(pseudo)) draft.tests.push(() => false);
  else draft.uncertain = true;
  if (argument === undefined || pseudo.startsWith("nth")) draft.specificity += 1_000;
  return end;
}

function functional(pseudo: string, argument: string, draft: Draft, readInner: ReadInner): ElementTest | undefined {
  if (["not", "is", "where", "matches", "any", "-webkit-any", "-moz-any"].includes(pseudo)) {
    const selectors = readInner(argument);
    if (selectors.some(({ uncertain }) => uncertain)) draft.uncertain = true;
    if (pseudo !== "where") draft.specificity += Math.max(0, ...selectors.slice(0, 1_000).map(({ specificity }) => specificity));
    const any = (element: PageElement, matching: Matching) => selectors.some((selector) => matches(selector, element, matching));
    if (pseudo !== "not") return any;
    // What counts as matched because it isn't known excludes nothing.
    const known = selectors.filter(({ uncertain }) => !uncertain);
    return (element, matching) => !known.some((selector) => matches(selector, element, matching));
  }
  const [step, offset] = readNth(argument) ?? [];
  if (step === undefined || offset === undefined) return undefined;
  const fits = (index: number): boolean => (step === 0 ? index === offset : (index - offset) / step >= 0 && (index - offset) % step === 0);
  if (pseudo === "nth-child") return place((index) => fits(index));
  if (pseudo === "nth-of-type") return place((_, ofType) => fits(ofType));
  return undefined;
}

/** `2n+1` as step and offset. */
function readNth(text: string): readonly [step: number, offset: number] | undefined {
  const plain = text.replace(/\s/g, "").toLowerCase();
  if (plain === "odd") return [2, 1];
  if (plain === "even") return [2, 0];
  if (/^[+-]?\d{1,9}$/.test(plain)) return [0, Number(plain)];
  const found = /^([+-]?\d{0,9})n([+-]\d{1,9})?$/.exec(plain);
  if (found === null) return undefined;
  const [, step = "", offset = "0"] = found;
  return [step === "" || step === "+" ? 1 : step === "-" ? -1 : Number(step), Number(offset)];
}

function closingOf(text: string, open: number): number {
  let depth = 0;
  const brackets = /[()]/g;
  brackets.lastIndex = open;
  for (let found = brackets.exec(text); found !== null; found = brackets.exec(text)) {
    depth += found[0] === "(" ? 1 : -1;
    if (depth === 0) return found.index;
  }
  return -1;
}
