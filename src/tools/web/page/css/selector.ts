import type { PageElement } from "../page-node.js";
import { unescaped } from "./css-declarations.js";
import { type Compound, type Draft, type ElementTest, type Matching, matches, type Selector, tooComplicated } from "./matching.js";
import { readPseudoClass } from "./pseudo-class.js";

/** In one selector. */
const mostCompounds = 50;
const mostNested = 8;

const name = /(?:[-\w\u0080-\uffff]|\\[\da-f]{1,6}\s?)+/iy;
const attribute =
  /\[\s*(?:[\w*-]*\|)?((?:[-\w\u0080-\uffff]|\\(?:[\da-f]{6}|[\da-f]{1,5}(?![\da-f]))\s?)+)\s*(?:([~|^$*]?=)\s*("[^"]*"|[^\]\s"]+)\s*(?:([is])\s*)?)?\]/iy;
const combinator = /\s*([>+~])\s*|\s+/y;

/**
 * The selectors of a rule; none if one of them can't be read, as browsers do it. `parents` are those of the rule around, for which
 * `&` stands. Throws `WebError` for endless ones.
 */
export function readSelectors(text: string, parents: readonly Selector[] | undefined, level = 0): readonly Selector[] {
  const selectors = readForgiving(text, parents, level);
  return selectors.every((selector) => selector !== undefined) ? selectors : [];
}

function readForgiving(text: string, parents: readonly Selector[] | undefined, level: number): readonly (Selector | undefined)[] {
  if (level > mostNested) throw tooComplicated();
  return splitAtCommas(text).map((part) => readSelector(part.trim(), parents, level));
}

function splitAtCommas(text: string): readonly string[] {
  if (!text.includes("(")) return text.split(",");
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (const found of text.matchAll(/[(),]/g)) {
    if (found[0] === "(") depth++;
    else if (found[0] === ")") depth--;
    else if (depth === 0) {
      parts.push(text.slice(start, found.index));
      start = found.index + 1;
    }
  }
  return [...parts, text.slice(start)];
}

function readSelector(text: string, parents: readonly Selector[] | undefined, level: number): Selector | undefined {
  let before: Compound["before"];
  let position = 0;
  let specificity = 0;
  let uncertain = false;
  const at = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = position;
    const found = pattern.exec(text) ?? undefined;
    if (found !== undefined) position += found[0].length;
    return found;
  };
  if (parents !== undefined && !text.includes("&")) {
    const draft = draftOf(parents);
    specificity += draft.specificity;
    uncertain ||= draft.uncertain;
    before = { combinator: at(/\s*([>+~])\s*/y)?.[1] ?? " ", compound: { ...draft, before: undefined } };
  }
  for (let count = 0; ; count++) {
    if (count === mostCompounds) throw tooComplicated();
    const draft = readCompound(
      text,
      () => position,
      at,
      (end) => (position = end),
      parents,
      level,
    );
    if (draft === undefined) return undefined;
    specificity += draft.specificity;
    uncertain ||= draft.uncertain;
    const compound: Compound = { ...draft, before };
    if (position === text.length) return { last: compound, specificity, uncertain };
    const found = at(combinator);
    if (found === undefined) return undefined;
    before = { combinator: found[1] ?? " ", compound };
  }
}

/** A compound that is one of these selectors. */
function draftOf(selectors: readonly Selector[]): Draft {
  const specificity = Math.max(0, ...selectors.slice(0, 1_000).map((selector) => selector.specificity));
  const tests = [(element: PageElement, matching: Matching) => selectors.some((selector) => matches(selector, element, matching))];
  return { tag: undefined, id: undefined, classes: [], tests, specificity, uncertain: selectors.some((selector) => selector.uncertain) };
}

function readCompound(
  text: string,
  position: () => number,
  at: (pattern: RegExp) => RegExpExecArray | undefined,
  moveTo: (end: number) => void,
  parents: readonly Selector[] | undefined,
  level: number,
): Draft | undefined {
  const draft: Draft = { tag: undefined, id: undefined, classes: [], tests: [], specificity: 0, uncertain: false };
  const start = position();
  const tag = at(/(?:[\w*-]*\|(?!=))?(\*|(?:[-\w\u0080-\uffff]|\\[\da-f]{1,6}\s?)+)/iy)?.[1];
  if (tag !== undefined && tag !== "*") {
    draft.tag = unescaped(tag).toLowerCase();
    draft.specificity += 1;
  }
  for (;;) {
    const mark = text[position()];
    if (mark === "." || mark === "#") {
      moveTo(position() + 1);
      const found = at(name)?.[0];
      if (found === undefined) return undefined;
      if (mark === ".") draft.classes.push(unescaped(found));
      else if (draft.id === undefined) draft.id = unescaped(found);
      else draft.tests.push(hasId(unescaped(found)));
      draft.specificity += mark === "." ? 1_000 : 1_000_000;
    } else if (mark === "[") {
      const found = at(attribute);
      if (found === undefined) return undefined;
      draft.tests.push(attributeTest(found));
      draft.specificity += 1_000;
    } else if (mark === "&") {
      moveTo(position() + 1);
      if (parents !== undefined) {
        const parent = draftOf(parents);
        draft.tests.push(...parent.tests);
        draft.specificity += parent.specificity;
        draft.uncertain ||= parent.uncertain;
      }
    } else if (mark === ":") {
      const end = readPseudoClass(text, position(), draft, (inner) =>
        readForgiving(inner, parents !== undefined && inner.includes("&") ? parents : undefined, level + 1).filter(
          (selector) => selector !== undefined,
        ),
      );
      if (end === undefined) return undefined;
      moveTo(end);
    } else return position() === start ? undefined : draft;
  }
}

const hasId =
  (id: string): ElementTest =>
  ({ attribs }) =>
    attribs.id === id;

function attributeTest([, written = "", operator, quoted = "", flag]: RegExpExecArray): ElementTest {
  const attributeName = unescaped(written).toLowerCase();
  const value = unescaped(quoted.replace(/^"|"$/g, ""));
  const fold = flag?.toLowerCase() === "i" ? (text: string) => text.toLowerCase() : (text: string) => text;
  const wanted = fold(value);
  return ({ attribs }) => {
    if (!Object.hasOwn(attribs, attributeName)) return false;
    const given = fold(attribs[attributeName] ?? "");
    switch (operator) {
      case undefined:
        return true;
      case "=":
        return given === wanted;
      case "~=":
        return wanted !== "" && ` ${given.replace(/\s/g, " ")} `.includes(` ${wanted} `);
      case "|=":
        return given === wanted || given.startsWith(`${wanted}-`);
      case "^=":
        return wanted !== "" && given.startsWith(wanted);
      case "$=":
        return wanted !== "" && given.endsWith(wanted);
      default:
        return wanted !== "" && given.includes(wanted);
    }
  };
}
