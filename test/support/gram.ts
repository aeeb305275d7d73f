import type {
  GramAnnotated,
  GramArrow,
  GramDocument,
  GramPatternElement,
  GramSubject,
  GramValue,
} from "../../src/specification/gram/index.js";

/** A tree as one made by hand would be, without the places in a text. */
export function withoutSpans<Tree>(tree: Tree): Tree {
  return JSON.parse(JSON.stringify(tree, (key, value) => (key === "span" ? undefined : value)));
}

/**
 * The tree in the notation of gram's reference grammar for tree-sitter, without comments, quotes and the contents of strings:
 * `(gram_pattern (node_pattern labels: (labels (name))))`.
 */
export function treeSitterShape({ header, patterns }: GramDocument): string {
  const parts = [...(header === undefined ? [] : [`root: ${recordShape(header)}`]), ...patterns.map(elementShape)];
  return parts.length === 0 ? "(gram_pattern)" : `(gram_pattern ${parts.join(" ")})`;
}

function elementShape(element: GramAnnotated | GramPatternElement): string {
  switch (element.kind) {
    case "reference":
      return "(pattern_reference identifier: (name))";
    case "node":
      return shape("node_pattern", ...subjectShape(element));
    case "path":
      return element.steps.reduceRight<(left: string) => string>(
        (right, { arrow, node }) =>
          (left) =>
            `(relationship_pattern left: ${left} kind: ${arrowShape(arrow)} right: ${right(elementShape(node))})`,
        (last) => last,
      )(elementShape(element.start));
    case "pattern": {
      const elements = element.elements.map(elementShape);
      const parts = elements.length === 0 ? [] : [`elements: (subject_pattern_elements ${elements.join(" ")})`];
      return shape("subject_pattern", ...subjectShape(element), ...parts);
    }
    case "annotated": {
      const about = subjectShape(element);
      const annotations = [
        ...(about.length === 0 ? [] : [shape("identified_annotation", ...about)]),
        ...element.annotations.map(({ value }) => `(property_annotation key: (name) value: ${valueShape(value)})`),
      ];
      return `(annotated_pattern annotations: (annotations ${annotations.join(" ")}) elements: ${elementShape(element.element)})`;
    }
  }
}

const arrowNames = { right: "right_arrow", left: "left_arrow", both: "bidirectional_arrow", none: "undirected_arrow" };

const arrowShape = (arrow: GramArrow): string => shape(arrowNames[arrow.direction], ...subjectShape(arrow));

function subjectShape({ identifier, labels, record }: GramSubject): readonly string[] {
  return [
    ...(identifier === undefined ? [] : ["identifier: (name)"]),
    ...(labels === undefined ? [] : [`labels: (labels ${labels.map(() => "(name)").join(" ")})`]),
    ...(record === undefined ? [] : [`record: ${recordShape(record)}`]),
  ];
}

const recordShape = (record: NonNullable<GramSubject["record"]>): string =>
  shape("record", ...record.map(({ value }) => `(record_property key: (name) value: ${valueShape(value)})`));

function valueShape(value: GramValue): string {
  switch (value.kind) {
    case "string":
      return "(string_literal)";
    case "tagged":
      return "(tagged_string tag: (symbol))";
    case "boolean":
      return "(boolean_literal)";
    case "number":
      return value.text.startsWith("0x")
        ? "(hexadecimal)"
        : value.text.includes(".")
          ? "(decimal)"
          : /^0./.test(value.text)
            ? "(octal)"
            : "(integer)";
    case "range": {
      const { lower, upper } = value;
      const ends = [...(lower ? [`lower: ${valueShape(lower)}`] : []), ...(upper ? [`upper: ${valueShape(upper)}`] : [])];
      return shape("range", ...ends);
    }
    case "array":
      return shape("array", ...value.items.map(valueShape));
    case "map":
      return shape("map", ...value.entries.map((entry) => `(map_entry key: (name) value: ${valueShape(entry.value)})`));
    default:
      return `(${value.kind})`;
  }
}

const shape = (name: string, ...parts: readonly string[]): string => `(${[name, ...parts].join(" ")})`;
