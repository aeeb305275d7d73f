import { symbolPattern, writeIdentifier, writeName } from "./write-names.js";
import { checked, printProperty, printRecord, printValue, type RecordStyle } from "./print-value.js";
import type { GramAnnotated, GramArrow, GramDocument, GramPath, GramPattern, GramPatternElement, GramSubject } from "./tree.js";

/** A pattern that is longer than this is written over several lines. */
const lineLength = 100;

/**
 * Writes a tree as gram text, which `parseGram` reads as the same tree. Patterns longer than 100 characters are written over
 * several lines.
 *
 * ```ts
 * const tree = parseGram("[ greeting:Tool|(::Text) ==> (::String) ]");
 * console.log(printGram(tree)); // prints: [greeting:Tool | (::Text)==>(::String)]
 * ```
 *
 * Throws `TypeError` if a handmade tree contains something that gram can't express, such as a tag with a space. See
 * docs/10-specifications-and-gram.md.
 */
export function printGram(tree: GramDocument | GramAnnotated | GramPatternElement): string {
  return new Printer().print(tree);
}

class Printer {
  private readonly lines = new Map<GramPatternElement, string | undefined>();

  print(tree: GramDocument | GramAnnotated | GramPatternElement): string {
    switch (tree.kind) {
      case "document": {
        const header = tree.header === undefined ? [] : [recordOf(tree.header, "")];
        return [...header, ...tree.patterns.map((pattern) => this.print(pattern))].join("\n");
      }
      case "annotated":
        return this.annotated(tree);
      default:
        return this.element(tree, "");
    }
  }

  private annotated({ annotations, element, ...about }: GramAnnotated): string {
    const head = headOf(about);
    const notes = annotations.map(({ key, value }) => {
      const name = checked(key, symbolPattern, "the name of an annotation");
      return `@${name}(${printValue(value, { colonBlank: " ", indent: "" })})`;
    });
    const parts = [...(head === "" ? [] : [`@@${head}`]), ...notes];
    const line = short([...parts, this.line(element) ?? tooLong].join(" "));
    return line ?? [...parts, this.element(element, "")].join("\n");
  }

  private element(element: GramPatternElement, indent: string): string {
    if (element.kind === "reference" || element.kind === "node") return printFlat(element, indent);
    const line = this.line(element);
    if (line !== undefined && indent.length + line.length <= lineLength) return line;

    const inner = deeper(indent);
    // A path that stands alone is one line, so that a type signature is.
    if (element.kind === "path") return indent === "" ? printFlat(element, indent) : pathParts(element, inner).join(`\n${inner}`);
    const head = headOf(element);
    const record = element.record === undefined ? "" : brokenRecord(element.record, indent);
    const subject = [head, record].filter((part) => part !== "").join(" ");
    if (element.elements.length === 0) return `[${subject}]`;
    const elements = element.elements.map((each) => inner + this.element(each, inner)).join(",\n");
    return `[${subject}${subject === "" ? "|" : " |"}\n${elements}\n${indent}]`;
  }

  /** The element on one line, if it fits. Each element is written once. */
  private line(element: GramPatternElement): string | undefined {
    if (this.lines.has(element)) return this.lines.get(element);
    const line = short(element.kind === "pattern" ? this.patternLine(element) : printFlat(element, ""));
    this.lines.set(element, line);
    return line;
  }

  private patternLine(pattern: GramPattern): string {
    const subject = subjectOf(pattern, { colonBlank: " ", indent: "" });
    if (pattern.elements.length === 0) return `[${subject}]`;
    const elements: string[] = [];
    for (const element of pattern.elements) {
      const line = this.line(element);
      if (line === undefined) return tooLong;
      elements.push(line);
    }
    return `[${subject}${subject === "" ? "" : " "}| ${elements.join(", ")}]`;
  }
}

/** References and nodes, and paths on one line. */
function printFlat(element: Exclude<GramPatternElement, { kind: "pattern" }>, indent: string): string {
  const style = { colonBlank: "", indent } as const;
  switch (element.kind) {
    case "reference":
      return writeIdentifier(element.identifier);
    case "node":
      return `(${subjectOf(element, style)})`;
    case "path":
      return pathParts(element, indent).join("");
  }
}

/** The first node of a path, and its steps. */
function pathParts({ start, steps }: GramPath, indent: string): readonly string[] {
  const style = { colonBlank: "", indent } as const;
  return [`(${subjectOf(start, style)})`, ...steps.map(({ arrow, node }) => `${arrowOf(arrow, style)}(${subjectOf(node, style)})`)];
}

function arrowOf(arrow: GramArrow, style: RecordStyle): string {
  const { family, direction } = arrow;
  const subject = subjectOf(arrow, style);
  const left = direction === "left" || direction === "both" ? "<" : "";
  const right = direction === "right" || direction === "both" ? ">" : "";
  return `${left}${family}${subject === "" ? "" : `[${subject}]`}${family}${right}`;
}

function subjectOf(subject: GramSubject, style: RecordStyle): string {
  const head = headOf(subject);
  if (subject.record === undefined) return head;
  return `${head}${head === "" ? "" : " "}${printRecord(subject.record, style)}`;
}

function headOf({ identifier, labels = [] }: GramSubject): string {
  const written = labels.map(({ separator, name }) => separator + writeName(name)).join("");
  return (identifier === undefined ? "" : writeIdentifier(identifier)) + written;
}

function recordOf(record: NonNullable<GramSubject["record"]>, indent: string): string {
  return short(printRecord(record, { colonBlank: " ", indent })) ?? brokenRecord(record, indent);
}

function brokenRecord(record: NonNullable<GramSubject["record"]>, indent: string): string {
  if (record.length === 0) return "{}";
  const inner = deeper(indent);
  const properties = record.map((property) => inner + printProperty(property, { colonBlank: " ", indent: inner }));
  return `{\n${properties.join(",\n")}\n${indent}}`;
}

/** Levels beyond the 20th aren't indented further, so that no nesting makes a text much longer than what it was read from. */
const deeper = (indent: string): string => (indent.length < 40 ? `${indent}  ` : indent);

const tooLong = "\n";

function short(line: string): string | undefined {
  return line.length <= lineLength && !line.includes("\n") ? line : undefined;
}
