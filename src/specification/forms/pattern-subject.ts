import { nearestName } from "../../tool/internal.js";
import { type GramAnnotated, type GramPattern, type GramPatternElement, type GramProperty, printGram } from "../gram/index.js";
import { repeatedIn } from "../gram/repeated-entry.js";
import { wrongAt } from "./gram-fault.js";

/** What a pattern says of itself, and its elements. */
export type Subject = Pick<GramPattern, "identifier" | "labels" | "record" | "elements">;

/**
 * What a pattern with one of the labels says. One of a single element may be written as annotations of it, which mean the same:
 * `@@sayHello:Tool @description("...") (a)==>(b)`. Refuses annotations before a pattern that has the label itself: they would be
 * lost. `what` is the pattern in words.
 */
export function labelledPattern(
  pattern: GramPatternElement | GramAnnotated,
  labels: readonly string[],
  what: string,
  text: string,
): Subject {
  const subject = subjectOf(pattern);
  if (pattern.kind === "annotated" && hasLabel(subjectOf(pattern.element), labels)) {
    return wrongAt(text, pattern, `annotations before ${what} would be lost. Say it in a comment in their place: // version 2`);
  }
  if (!hasLabel(subject, labels)) {
    const [given] = subject.labels ?? [];
    const meant = given && nearestName(given.name, labels);
    const fix = meant === undefined ? `as in [name:${labels.at(-1)} {...} | ...]` : `but "${given?.name}". Did you mean "${meant}"?`;
    return wrongAt(text, pattern, `${shown(pattern)} isn't ${what}: it has no label ${labels.join(" or ")}, ${fix}`);
  }
  const repeated = repeatedIn(subject.record ?? []);
  if (repeated !== undefined) return wrongAt(text, repeated, `"${repeated.key}" is given twice. Keep one.`);
  return subject;
}

function subjectOf(pattern: GramPatternElement | GramAnnotated): Subject {
  switch (pattern.kind) {
    case "pattern":
      return pattern;
    case "annotated": {
      const { annotations, element, ...subject } = pattern;
      const record = annotations.map((annotation): GramProperty => ({ ...annotation, separator: ":" }));
      return { ...subject, record, elements: [element] };
    }
    default:
      return { elements: [] };
  }
}

const hasLabel = ({ labels = [] }: Subject, wanted: readonly string[]): boolean => labels.some(({ name }) => wanted.includes(name));

const mostShown = 60;

/** The beginning of a pattern, for messages. */
export function shown(pattern: GramPatternElement | GramAnnotated): string {
  const text = printGram(pattern).replaceAll(/\s+/g, " ");
  return text.length <= mostShown ? text : `${text.slice(0, mostShown)}...`;
}
