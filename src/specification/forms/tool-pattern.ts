import { nearestName } from "../../tool/internal.js";
import {
  type GramAnnotated,
  type GramDocument,
  type GramElement,
  type GramLabel,
  type GramPattern,
  type GramPatternElement,
  GramError,
  parseGram,
  plainRecord,
  printGram,
  readTypeSignature,
  type TypeSignature,
} from "../gram/index.js";
import { specify, type ToolSpecification } from "../tool-specification.js";
import { faultAt, readAt, wrongAt } from "./gram-fault.js";
import { labelledPattern, shown } from "./pattern-subject.js";

/** The first label is written; the second is read as well, because later versions of the format write it. */
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

/** The tool of a pattern. Throws `SpecificationError` if it is none, with the place in `text`, which the pattern was read from. */
export function toolOfPattern(pattern: GramPatternElement | GramAnnotated, text: string): ToolSpecification {
  const { identifier, record = [], elements } = labelledPattern(pattern, toolLabels, "a tool specification", text);
  if (identifier === undefined) {
    return wrongAt(text, pattern, `${shown(pattern)} has no name. It stands before the label: [sayHello:ToolSpecification ...].`);
  }
  const [signature, second] = elements;
  if (signature === undefined || second !== undefined) {
    const reason = `the specification "${identifier}" has ${elements.length} type signatures, but a tool has one: [${identifier}:ToolSpecification {...} | (::Text)==>(::String)].`;
    return wrongAt(text, second ?? pattern, reason);
  }
  const unknown = record.find(({ key }) => key !== "description");
  if (unknown !== undefined) {
    const { key } = unknown;
    const fix =
      nearestName(key, ["description"]) === undefined
        ? `A tool's record has its description alone; the rest stands in a comment: // ${key}`
        : 'Did you mean "description"?';
    return wrongAt(text, unknown, `the specification "${identifier}" has the unknown member "${key}", which would be ignored. ${fix}`);
  }
  const { description } = plainRecord(record);
  const described = record.find(({ key }) => key === "description") ?? pattern;
  if (description === undefined) return wrongAt(text, described, `the specification "${identifier}" has no description in its record.`);
  if (typeof description !== "string") {
    return wrongAt(text, described, `the specification "${identifier}": description must be a string, got ${JSON.stringify(description)}.`);
  }
  return readAt(text, description.trim() === "" ? described : pattern, () =>
    specify(identifier, description, printGram(signature), () => signatureOf(identifier, signature, text)),
  );
}

function signatureOf(tool: string, element: GramPatternElement, text: string): TypeSignature {
  try {
    return readTypeSignature(element, text);
  } catch (error) {
    if (!(error instanceof GramError)) throw error;
    throw faultAt(error, `the type signature of "${tool}" can't be read: ${error.fault}`);
  }
}

/** The one pattern of a text. */
export function onlyPattern({ patterns }: GramDocument, what: string, text: string): GramElement | GramAnnotated {
  const [only, second] = patterns;
  if (only !== undefined && second === undefined) return only;
  return wrongAt(text, second ?? {}, `the text holds ${patterns.length} patterns, but must hold one, of ${what}.`);
}
