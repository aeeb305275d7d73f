import { GramSyntaxError } from "./gram-error.js";
import { Lexer } from "./lexer.js";
import type {
  GramAnnotated,
  GramAnnotation,
  GramArrow,
  GramDocument,
  GramElement,
  GramLabel,
  GramNode,
  GramPath,
  GramPattern,
  GramPatternElement,
  GramProperty,
  GramStep,
} from "./tree.js";
import { readTypeExpression, takeMaybe } from "./signature/type-expression.js";
import { ValueParser } from "./value-parser.js";
import { checkOptionNames, type OptionNames } from "../../tool/internal.js";

/** Options of `parseGram`. */
export interface GramOptions {
  /**
   * Also reads what type signatures contain beyond gram: records with nested or empty arrays and maps
   * (`fields:[{name:"age", type:"Int"}]`), and types as labels (`::Maybe Int`, `::[Text]`, `::{name: Text}`). Default: false.
   */
  readonly typeSignatures?: boolean;
}

/** Characters. Ten times the largest file known; what is longer would block the event loop for longer than a stranger's text may. */
const longestText = 40_000;

/**
 * Reads a gram text of at most 40,000 characters and returns its tree. Patterns and values may be nested 250 levels deep.
 *
 * ```ts
 * const { patterns } = parseGram('[sayHello:Tool {description: "Greets"} | (::Text)==>(::String)]');
 * console.log(patterns.length); // prints: 1
 * ```
 *
 * Throws `GramSyntaxError` with the place and what was expected. See docs/10-specifications-and-gram.md.
 */
export function parseGram(text: string, options: GramOptions = {}): GramDocument {
  checkOptionNames(options, { typeSignatures: true } satisfies OptionNames<GramOptions>, "parseGram");
  if (text.length > longestText) {
    const hint = "Split it into several texts, and parse each.";
    throw new GramSyntaxError(text, longestText, [`at most ${longestText} characters`], `a text of ${text.length}`, hint);
  }
  return new Parser(text, options.typeSignatures ?? false).document();
}

type Subject = Pick<GramNode, "identifier" | "labels" | "record">;

class Parser {
  private readonly lexer: Lexer;
  private readonly values: ValueParser;

  constructor(
    text: string,
    private readonly typeSignatures: boolean,
  ) {
    this.lexer = new Lexer(text);
    this.values = new ValueParser(this.lexer, typeSignatures);
  }

  document(): GramDocument {
    const header = this.lexer.peek() === "{" ? this.values.record() : undefined;
    const patterns: (GramAnnotated | GramElement)[] = [];
    while (this.lexer.peek() !== "") patterns.push(this.topLevelPattern());
    const span = { start: 0, end: this.lexer.text.length };
    return { kind: "document", ...(header === undefined ? {} : { header }), patterns, span };
  }

  private topLevelPattern(): GramAnnotated | GramElement {
    const character = this.lexer.peek();
    if (character === "@") return this.annotated();
    if (character === "[" || character === "(") return this.element();
    const hint = character === "," ? "Patterns at the top follow each other without commas." : undefined;
    return this.lexer.fail(['"("', '"["', '"@"', "the end of the text"], hint);
  }

  private annotated(): GramAnnotated {
    const start = this.lexer.position;
    const about = this.lexer.take("@@") ? this.identifierAndLabels() : {};
    const annotations: GramAnnotation[] = [];
    while (this.lexer.peek() === "@") annotations.push(this.annotation());
    const element = this.element("an annotation");
    return { kind: "annotated", ...about, annotations, element, span: this.lexer.spanFrom(start) };
  }

  private annotation(): GramAnnotation {
    const start = this.lexer.position;
    this.lexer.require("@");
    const key = this.lexer.takeSymbol() ?? this.lexer.fail(["the name of an annotation"]);
    this.lexer.require("(");
    const value = this.values.value();
    this.lexer.require(")");
    return { key, value, span: this.lexer.spanFrom(start) };
  }

  private identifierAndLabels(): Subject {
    const identifier = this.lexer.takeIdentifier();
    const labels = this.labels();
    if (identifier === undefined && labels === undefined) this.lexer.fail(["an identifier", "a label"]);
    return { ...(identifier === undefined ? {} : { identifier }), ...(labels === undefined ? {} : { labels }) };
  }

  private element(...others: readonly string[]): GramElement {
    const character = this.lexer.peek();
    if (character === "[") return this.lexer.nested(() => this.pattern());
    if (character === "(") return this.nodeOrPath();
    const hint =
      character === "@" ? "Annotations stand at the top alone, before a whole pattern. A comment may stand here: // ..." : undefined;
    return this.lexer.fail([...others, '"("', '"["'], hint);
  }

  private pattern(): GramPattern {
    const start = this.lexer.position;
    this.lexer.require("[");
    const subject = this.subject();
    const elements: GramPatternElement[] = [];
    if (this.lexer.take("|")) {
      do elements.push(this.patternElement());
      while (this.lexer.take(","));
      this.lexer.require("]", '","');
    } else {
      this.lexer.require("]", ...this.furtherPartsOf(subject), '"|"');
    }
    return { kind: "pattern", ...subject, elements, span: this.lexer.spanFrom(start) };
  }

  private patternElement(): GramPatternElement {
    this.lexer.peek();
    const start = this.lexer.position;
    const identifier = this.lexer.takeIdentifier();
    if (identifier !== undefined) return { kind: "reference", identifier, span: this.lexer.spanFrom(start) };
    return this.element("the identifier of a pattern");
  }

  private nodeOrPath(): GramNode | GramPath {
    const from = this.lexer.position;
    const start = this.node();
    const steps: GramStep[] = [];
    while (/[-=~<]/.test(this.lexer.peek())) steps.push({ arrow: this.arrow(), node: this.node() });
    const [first, ...others] = steps;
    return first === undefined ? start : { kind: "path", start, steps: [first, ...others], span: this.lexer.spanFrom(from) };
  }

  private node(): GramNode {
    this.lexer.peek();
    const start = this.lexer.position;
    this.lexer.require("(");
    const subject = this.subject();
    this.lexer.require(")", ...this.furtherPartsOf(subject));
    return { kind: "node", ...subject, span: this.lexer.spanFrom(start) };
  }

  private arrow(): GramArrow {
    const start = this.lexer.position;
    const left = this.lexer.take("<");
    const family = this.lexer.text.charAt(this.lexer.position);
    if (family !== "-" && family !== "=" && family !== "~") return this.lexer.fail(['"-"', '"="', '"~"']);
    this.lexer.position++;
    let subject: Subject = {};
    if (this.lexer.take("[")) {
      subject = this.subject();
      this.lexer.require("]", ...this.furtherPartsOf(subject));
    }
    const right = this.lexer.take(`${family}>`);
    if (!right) this.lexer.require(family, `"${family}>"`);
    const direction = left ? (right ? "both" : "left") : right ? "right" : "none";
    return { ...subject, family, direction, span: this.lexer.spanFrom(start) };
  }

  private subject(): Subject {
    const identifier = this.lexer.takeIdentifier();
    const labels = this.labels();
    const record: readonly GramProperty[] | undefined = this.lexer.peek() === "{" ? this.values.record() : undefined;
    return {
      ...(identifier === undefined ? {} : { identifier }),
      ...(labels === undefined ? {} : { labels }),
      ...(record === undefined ? {} : { record }),
    };
  }

  /** What could have followed a subject, for errors. */
  private furtherPartsOf({ identifier, labels, record }: Subject): readonly string[] {
    if (record !== undefined) return [];
    return identifier === undefined && labels === undefined ? ["an identifier", "a label", "a record"] : ["a label", "a record"];
  }

  private labels(): readonly GramLabel[] | undefined {
    const labels: GramLabel[] = [];
    for (;;) {
      this.lexer.peek();
      const start = this.lexer.position;
      const separator = this.lexer.takeSeparator();
      if (separator === undefined) return labels.length === 0 ? undefined : labels;
      labels.push({ separator, name: this.labelName(), span: this.lexer.spanFrom(start) });
    }
  }

  private labelName(): string {
    const character = this.lexer.peek();
    if (character === "`") return this.lexer.quoted("`");
    const start = this.lexer.position;
    if (this.typeSignatures && (character === "[" || character === "{")) {
      readTypeExpression(this.lexer);
      return this.lexer.text.slice(start, this.lexer.position);
    }
    if (this.typeSignatures && takeMaybe(this.lexer) !== undefined) return this.lexer.text.slice(start, this.lexer.position);
    return this.lexer.takeSymbol() ?? this.lexer.fail(["a label"]);
  }
}
