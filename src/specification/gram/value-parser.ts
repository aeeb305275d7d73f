import type { Lexer } from "./lexer.js";
import { takeMaybe } from "./signature/type-expression.js";
import type { GramArray, GramMap, GramMeasurement, GramNumber, GramProperty, GramRange, GramValue } from "./tree.js";

const scalars = ["a string", "a number", "a range", "a word", "true", "false"];

/** Reads records and the values in them. */
export class ValueParser {
  constructor(
    private readonly lexer: Lexer,
    /** Whether arrays and maps may be empty and hold arrays and maps. */
    private readonly nestedValues: boolean,
  ) {}

  /** `{name: "Ann", age :: integer}`, from the brace on. */
  record(): readonly GramProperty[] {
    return this.properties(true, () => this.value());
  }

  /** Any value. */
  value(): GramValue {
    switch (this.lexer.peek()) {
      case "[":
        return this.lexer.nested(() => this.array());
      case "{":
        return this.lexer.nested(() => this.map());
      default:
        return this.scalar([...scalars, "an array", "a map"]);
    }
  }

  private array(): GramArray {
    const start = this.lexer.position;
    const items: GramValue[] = [];
    this.lexer.require("[");
    if (!(this.nestedValues && this.lexer.take("]"))) {
      do items.push(this.member());
      while (this.lexer.take(","));
      this.lexer.require("]", '","');
    }
    return { kind: "array", items, span: this.lexer.spanFrom(start) };
  }

  private map(): GramMap {
    const start = this.lexer.position;
    const entries = this.properties(this.nestedValues, () => this.member());
    return { kind: "map", entries, span: this.lexer.spanFrom(start) };
  }

  private member(): GramValue {
    return this.nestedValues ? this.value() : this.scalar(scalars);
  }

  private properties(doubleColons: boolean, value: () => GramValue): readonly GramProperty[] {
    const properties: GramProperty[] = [];
    this.lexer.require("{");
    if (this.lexer.take("}")) return properties;
    do {
      const character = this.lexer.peek();
      const start = this.lexer.position;
      const key =
        character === '"' || character === "`"
          ? this.lexer.quoted(character)
          : (this.lexer.takeSymbol() ?? this.lexer.fail(["a key", ...(properties.length === 0 ? ['"}"'] : [])]));
      const separator = this.lexer.takeSeparator();
      if (separator === undefined) this.lexer.fail(doubleColons ? ['":"', '"::"'] : ['":"']);
      if (separator === "::" && !doubleColons) {
        this.lexer.position -= 2;
        this.lexer.fail(['":"'], 'A map that is a value can\'t contain "::".');
      }
      properties.push({ key, separator, value: value(), span: this.lexer.spanFrom(start) });
    } while (this.lexer.take(","));
    this.lexer.require("}", '","');
    return properties;
  }

  private scalar(expected: readonly string[]): GramValue {
    const { lexer } = this;
    const character = lexer.peek();
    const start = lexer.position;
    const fenced = lexer.takeFenced();
    if (fenced !== undefined) {
      const { tag, value } = fenced;
      const span = lexer.spanFrom(start);
      return tag === undefined ? { kind: "string", value, fenced: true, span } : { kind: "tagged", tag, value, fenced: true, span };
    }
    if (character === '"' || character === "'" || character === "`") {
      return { kind: "string", value: lexer.quoted(character), span: lexer.spanFrom(start) };
    }
    if (lexer.take("...")) {
      const upper = this.number() ?? lexer.fail(["a number"]);
      return { kind: "range", upper, span: lexer.spanFrom(start) };
    }
    // A type in a record, {age: Maybe Int}: as gram has it, a tagged text.
    const optional = this.nestedValues ? takeMaybe(lexer) : undefined;
    if (optional !== undefined) return { kind: "tagged", tag: "Maybe", value: optional, span: lexer.spanFrom(start) };
    const word = lexer.takeSymbol();
    if (word !== undefined) return this.word(word, start);
    const number = this.number();
    if (number === undefined) return lexer.fail(expected);
    return this.range(number, start) ?? number;
  }

  private word(word: string, start: number): GramValue {
    if (this.lexer.peek() === "`" && !this.lexer.text.startsWith("```", this.lexer.position)) {
      return { kind: "tagged", tag: word, value: this.lexer.quoted("`"), span: this.lexer.spanFrom(start) };
    }
    const span = this.lexer.spanFrom(start);
    return word === "true" || word === "false" ? { kind: "boolean", value: word === "true", span } : { kind: "symbol", name: word, span };
  }

  private number(): GramNumber | GramMeasurement | undefined {
    this.lexer.peek();
    const start = this.lexer.position;
    const text = this.lexer.takeNumber();
    if (text === undefined) return undefined;
    return { kind: isMeasurement(text) ? "measurement" : "number", text, span: this.lexer.spanFrom(start) };
  }

  private range(lower: GramNumber | GramMeasurement, start: number): GramRange | undefined {
    if (this.lexer.take("...")) return { kind: "range", lower, span: this.lexer.spanFrom(start) };
    if (!this.lexer.take("..")) return undefined;
    const upper = this.number() ?? this.lexer.fail(["a number"]);
    return { kind: "range", lower, upper, span: this.lexer.spanFrom(start) };
  }
}

/** Letters behind digits are a unit, but for the `x` of hexadecimal numbers. */
function isMeasurement(text: string): boolean {
  return /[a-zA-Z]$/.test(text) && !/^0x[0-9a-fA-F]+$/.test(text);
}
