/**
 * The tree of a gram text, as plain data. It keeps the notation (the arrow, `:` or `::`, `0xFF`, a fenced string), and drops blanks,
 * comments and the choice of quotes. `parseGram` makes it, `printGram` writes it; a tree made by hand needs
 * no spans.
 */

/** The place of a part in the source text, in UTF-16 code units: `text.slice(start, end)`. */
export interface GramSpan {
  readonly start: number;
  readonly end: number;
}

interface Placed {
  /** The place in the source text; absent in handmade trees. */
  readonly span?: GramSpan;
}

/**
 * A whole gram text: `{kind: "tools"} (a)-->(b) [s | a, b]`. Made by `parseGram`, written by `printGram`. See
 * docs/10-specifications-and-gram.md.
 */
export interface GramDocument extends Placed {
  readonly kind: "document";
  /** The record at the start of the text, about the text as a whole. */
  readonly header?: readonly GramProperty[];
  /** The patterns, nodes and paths of the text, in order. */
  readonly patterns: readonly (GramAnnotated | GramElement)[];
}

/** An element of a pattern: a pattern, node or path, or a reference to a pattern that is defined elsewhere. */
export type GramPatternElement = GramElement | GramReference;

/** A pattern, node or path. */
export type GramElement = GramPattern | GramNode | GramPath;

/** The identifier, labels and record of an element; each may be absent. */
export interface GramSubject extends Placed {
  /** The text of a symbol, a name in backticks, or an integer. */
  readonly identifier?: string;
  readonly labels?: readonly GramLabel[];
  readonly record?: readonly GramProperty[];
}

/** A label, `:Person` or `::Person`. Both mean the same; `::` is usual for types. */
export interface GramLabel extends Placed {
  readonly separator: ":" | "::";
  readonly name: string;
}

/** A pattern: `[sayHello:Tool {description: "Greets"} | (::Text)==>(::String)]`. */
export interface GramPattern extends GramSubject {
  readonly kind: "pattern";
  /** The elements after `|`. */
  readonly elements: readonly GramPatternElement[];
}

/** A node: `(name::Text {default:"world"})`. */
export interface GramNode extends GramSubject {
  readonly kind: "node";
}

/** A path: `(a)-[:KNOWS]->(b)<--(c)`, as its first node and its steps in order. */
export interface GramPath extends Placed {
  readonly kind: "path";
  /** The first node. */
  readonly start: GramNode;
  /** The steps from there, in order. */
  readonly steps: readonly [GramStep, ...GramStep[]];
}

/** A step of a path: an arrow and the node after it. */
export interface GramStep {
  readonly arrow: GramArrow;
  readonly node: GramNode;
}

/** An arrow of a path: `-->`, `<==`, `~[r:Likes]~>`. The three families mean the same. */
export interface GramArrow extends GramSubject {
  readonly family: "-" | "=" | "~";
  readonly direction: "right" | "left" | "both" | "none";
}

/** A reference to a pattern by its identifier: `graphistas` in `[g | graphistas]`. */
export interface GramReference extends Placed {
  readonly kind: "reference";
  readonly identifier: string;
}

/** An element with an identifier and labels (`@@t1:Tool [sayHello:Tool]`) or with annotations (`@version(2) [sayHello:Tool]`). */
export interface GramAnnotated extends Placed {
  readonly kind: "annotated";
  readonly identifier?: string;
  readonly labels?: readonly GramLabel[];
  readonly annotations: readonly GramAnnotation[];
  readonly element: GramElement;
}

/** An annotation: `@version(2)`. */
export interface GramAnnotation extends Placed {
  /** The symbol after `@`. */
  readonly key: string;
  readonly value: GramValue;
}

/** An entry of a record or map: `description: "Greets"`. Maps use only `:`. */
export interface GramProperty extends Placed {
  readonly key: string;
  readonly separator: ":" | "::";
  readonly value: GramValue;
}

/** Any value of a record, array or annotation. */
export type GramValue = GramString | GramTagged | GramSymbol | GramBoolean | GramNumber | GramMeasurement | GramRange | GramArray | GramMap;

/** A string: `"text"`, `'text'`, `` `text` ``, or a block between fences of three backticks. */
export interface GramString extends Placed {
  readonly kind: "string";
  readonly value: string;
  /** True if it is written between fences. The line break before the closing fence isn't part of the value. */
  readonly fenced?: boolean;
}

/** A tagged string: `` date`2024-01-15` ``, or a block between fences with the tag after the first fence. */
export interface GramTagged extends Placed {
  readonly kind: "tagged";
  /** The symbol before the text. */
  readonly tag: string;
  readonly value: string;
  readonly fenced?: boolean;
}

/** A bare word. Gram has no null: `null` is a word. */
export interface GramSymbol extends Placed {
  readonly kind: "symbol";
  readonly name: string;
}

/** `true` or `false`. */
export interface GramBoolean extends Placed {
  readonly kind: "boolean";
  readonly value: boolean;
}

/** A number as it is written: `-7`, `0.5`, `0xFF`, octal `017`. The text keeps `1.50` and integers beyond 2^53 exact. */
export interface GramNumber extends Placed {
  readonly kind: "number";
  readonly text: string;
}

/** An integer with a unit: `5kg`. */
export interface GramMeasurement extends Placed {
  readonly kind: "measurement";
  readonly text: string;
}

/** A range: `1..10`, `1...` (no upper end) or `...10` (no lower end). */
export interface GramRange extends Placed {
  readonly kind: "range";
  readonly lower?: GramNumber | GramMeasurement;
  readonly upper?: GramNumber | GramMeasurement;
}

/** An array: `["a", "b"]`. Empty and nested arrays are allowed only in type signatures (see `GramOptions`). */
export interface GramArray extends Placed {
  readonly kind: "array";
  readonly items: readonly GramValue[];
}

/**
 * A map as a value: `{street: "Main St", city: "Anytown"}`. Nested arrays and maps are allowed only in type signatures (see
 * `GramOptions`).
 */
export interface GramMap extends Placed {
  readonly kind: "map";
  readonly entries: readonly GramProperty[];
}
