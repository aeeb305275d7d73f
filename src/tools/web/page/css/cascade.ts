import type { PageElement } from "../page-node.js";
import type { Steps } from "../../../../timing/index.js";
import type { Declaration } from "./css-declarations.js";
import { classesOf, type Matching, matches, type Selector, tooComplicated } from "./matching.js";
import type { StyleRule } from "./style-sheet.js";

interface Candidate {
  readonly selector: Selector;
  readonly rule: StyleRule;
}

/** Rules whose selectors end with the same name; more would have to be compared with each element that has it. */
const mostOfOneName = 1_000;

/** What is uncertain may hide, and shows nothing. */
const shows = ({ property, value }: Declaration): boolean =>
  (property === "display" && value !== "none") ||
  (property === "visibility" && value === "visible") ||
  (/^(?:opacity|font-size|width|height|max-width|max-height)$/.test(property) && !/^0(?:\D|$)/.test(value));

/** Finds what rules say of an element, by the names that their selectors end with. */
export class Cascade {
  readonly #byName = new Map<string, Candidate[]>();

  /** Adds rules. Throws `WebError` if too many end with one name. */
  *add(rules: readonly StyleRule[]): Steps<void> {
    for (const rule of rules) {
      for (const selector of rule.selectors) this.#add({ selector, rule });
      yield;
    }
  }

  get isEmpty(): boolean {
    return this.#byName.size === 0;
  }

  #add(candidate: Candidate): void {
    const { id, classes, tag } = candidate.selector.last;
    const names = id !== undefined ? [`#${id}`] : classes.length > 0 ? classes.map((name) => `.${name}`) : [tag ?? "*"];
    const sizeOf = (name: string): number => this.#byName.get(name)?.length ?? 0;
    const rarest = names.reduce((one, other) => (sizeOf(other) < sizeOf(one) ? other : one));
    const candidates = this.#byName.get(rarest) ?? [];
    this.#byName.set(rarest, candidates);
    if (candidates.push(candidate) > mostOfOneName) throw tooComplicated();
  }

  /** What rules and the style attribute declare for an element: by property, the last one that wins. */
  declared(element: PageElement, own: readonly Declaration[], matching: Matching): ReadonlyMap<string, string> {
    const found: Candidate[] = [];
    const look = (name: string): void => {
      for (const candidate of this.#byName.get(name) ?? []) if (matches(candidate.selector, element, matching)) found.push(candidate);
    };
    if (!this.isEmpty) {
      look("*");
      look(element.name.toLowerCase());
      if (element.attribs.id !== undefined) look(`#${element.attribs.id}`);
      if (element.attribs.class !== undefined) for (const name of classesOf(element)) look(`.${name}`);
    }
    const winning = new Map<string, string>();
    const apply = (declarations: readonly Declaration[], important: boolean, uncertain: boolean): void => {
      for (const declaration of declarations) {
        if (declaration.important !== important || (uncertain && shows(declaration))) continue;
        winning.delete(declaration.property);
        winning.set(declaration.property, declaration.value);
      }
    };
    found.sort(byPrecedence(1));
    for (const { selector, rule } of found) apply(rule.declarations, false, selector.uncertain);
    apply(own, false, false);
    // Of important ones, earlier layers win (CSS Cascade 5, "Cascade Sorting Order").
    found.sort(byPrecedence(-1));
    for (const { selector, rule } of found) apply(rule.declarations, true, selector.uncertain);
    apply(own, true, false);
    return winning;
  }
}

const byPrecedence =
  (direction: 1 | -1) =>
  (one: Candidate, other: Candidate): number =>
    (one.rule.layer === other.rule.layer ? 0 : one.rule.layer < other.rule.layer ? -direction : direction) ||
    one.selector.specificity - other.selector.specificity ||
    one.rule.order - other.rule.order;
