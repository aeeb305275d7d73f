import type { GramAnnotated, GramDocument, GramElement, GramLabel, GramPattern, GramPatternElement } from "../gram/index.js";
import { parseGram, plainRecord, printGram } from "../gram/index.js";
import { SpecificationError } from "../specification-error.js";
import { createToolSpecification, type ToolSpecification } from "../tool-specification.js";

/** What seed 001 writes, and what its later versions do. */
const toolLabels: readonly string[] = ["ToolSpecification", "Tool"];

/** The pattern of a tool: `[sayHello:ToolSpecification {description: "..."} | (::Text {paramName:"name"})==>(::String)]`. */
export function patternOfTool({ name, description, typeSignature }: ToolSpecification): GramPattern {
  return {
    kind: "pattern",
    identifier: name,
    labels: [label("ToolSpecification")],
    record: [{ key: "description", separator: ":", value: { kind: "string", value: description } }],
    // A signature that makes a specification is one path.
    elements: parseGram(typeSignature, { typeSignatures: true }).patterns as readonly GramElement[],
  };
}

export const label = (name: string): GramLabel => ({ separator: ":", name });

/** The tool of a pattern. Throws `SpecificationError` where it is none. */
export function toolOfPattern(pattern: GramPatternElement | GramAnnotated): ToolSpecification {
  const { identifier, labels = [], record, elements } = asPattern(pattern);
  if (!labels.some(({ name }) => toolLabels.includes(name))) {
    throw new SpecificationError(`${shown(pattern)} is no tool specification: it has no label ToolSpecification.`);
  }
  if (identifier === undefined) {
    throw new SpecificationError(`${shown(pattern)} has no name. It stands before the label: [sayHello:ToolSpecification ...].`);
  }
  const [signature, ...others] = elements;
  if (signature === undefined || others.length > 0) {
    throw new SpecificationError(
      `The specification "${identifier}" has ${elements.length} type signatures, but a tool has one: [${identifier}:ToolSpecification {...} | (::Text)==>(::String)].`,
    );
  }
  const { description } = plainRecord(record ?? []);
  if (typeof description !== "string") throw new SpecificationError(`The specification "${identifier}" has no description in its record.`);
  return createToolSpecification(identifier, description, printGram(signature));
}

/** A pattern of one element may be written as annotations of it: `@@sayHello:Tool @description("...") (a)==>(b)`. */
function asPattern(pattern: GramPatternElement | GramAnnotated): Pick<GramPattern, "identifier" | "labels" | "record" | "elements"> {
  switch (pattern.kind) {
    case "pattern":
      return pattern;
    case "annotated": {
      const { annotations, element, ...subject } = pattern;
      return { ...subject, record: annotations.map(({ key, value }) => ({ key, separator: ":", value })), elements: [element] };
    }
    default:
      return { elements: [] };
  }
}

/** The one pattern of a text. */
export function onlyPattern({ patterns }: GramDocument, what: string): GramElement | GramAnnotated {
  const [only, ...others] = patterns;
  if (only !== undefined && others.length === 0) return only;
  throw new SpecificationError(`The text holds ${patterns.length} patterns, but must hold one, of ${what}.`);
}

const mostShown = 60;

/** The beginning of a pattern, for messages. */
export function shown(pattern: GramPatternElement | GramAnnotated): string {
  const text = printGram(pattern).replaceAll(/\s+/g, " ");
  return text.length <= mostShown ? text : `${text.slice(0, mostShown)}...`;
}
