/**
 * The tree of a gram text, as plain data. It keeps what a reader of the text would see (which arrow, `:` or `::`, `0xFF`, a fenced
 * string) and drops blanks, comments and the choice of quotes. `parseGram` makes it, `printGram` writes it; a tree made by hand needs
 * no spans.
 */

/** Where something stands in the text it was read from, in UTF-16 code units: `text.slice(start, end)`. */
export interface GramSpan {
  readonly start: number;
  readonly end: number;
}

interface Placed {
  /** Absent in trees made by hand. */
  readonly span?: GramSpan;
}

/** A whole text: `{kind: "tools"} (a)-->(b) [s | a, b]`. */
export interface GramDocument extends Placed {
  readonly kind: "document";
  /** The record that a text may begin with; it is about the text, not about a pattern. */
  readonly header?: readonly GramProperty[];
  readonly patterns: readonly (GramAnnotated | GramElement)[];
}

/** What may stand in a pattern: a pattern, a node or path, or the identifier of a pattern that is defined elsewhere. */
export type GramPatternElement = GramElement | GramReference;

export type GramElement = GramPattern | GramNode | GramPath;

/** Who or what something is: at least one of an identifier, labels and a record, or nothing at all. */
export interface GramSubject extends Placed {
  /** A symbol, a name in backticks, or an integer: its text. */
  readonly identifier?: string;
  readonly labels?: readonly GramLabel[];
  readonly record?: readonly GramProperty[];
}

/** `:Person` or `::Person`, which mean the same; `::` is the custom where types are meant. */
export interface GramLabel extends Placed {
  readonly separator: ":" | "::";
  readonly name: string;
}

/** `[sayHello:Tool {description: "Greets"} | (::Text)==>(::String)]` */
export interface GramPattern extends GramSubject {
  readonly kind: "pattern";
  readonly elements: readonly GramPatternElement[];
}

/** `(name::Text {default:"world"})` */
export interface GramNode extends GramSubject {
  readonly kind: "node";
}

/** `(a)-[:KNOWS]->(b)<--(c)`, as its first node and the steps from there, in the order of the text. */
export interface GramPath extends Placed {
  readonly kind: "path";
  readonly start: GramNode;
  readonly steps: readonly [GramStep, ...GramStep[]];
}

export interface GramStep {
  readonly arrow: GramArrow;
  readonly node: GramNode;
}

/** `-->`, `<==`, `~[r:Likes]~>`: the three families mean the same, as do `--` and a right arrow's order of elements. */
export interface GramArrow extends GramSubject {
  readonly family: "-" | "=" | "~";
  readonly direction: "right" | "left" | "both" | "none";
}

/** `graphistas` in `[g | graphistas]` */
export interface GramReference extends Placed {
  readonly kind: "reference";
  readonly identifier: string;
}

/** `@@t1:Tool @version(2) [sayHello:Tool]`: an identifier or labels, or at least one annotation, and what they are about. */
export interface GramAnnotated extends Placed {
  readonly kind: "annotated";
  readonly identifier?: string;
  readonly labels?: readonly GramLabel[];
  readonly annotations: readonly GramAnnotation[];
  readonly element: GramElement;
}

/** `@version(2)` */
export interface GramAnnotation extends Placed {
  /** A symbol. */
  readonly key: string;
  readonly value: GramValue;
}

/** `description: "Greets"`, an entry of a record or of a map; maps know `:` alone. */
export interface GramProperty extends Placed {
  readonly key: string;
  readonly separator: ":" | "::";
  readonly value: GramValue;
}

export type GramValue = GramString | GramTagged | GramSymbol | GramBoolean | GramNumber | GramMeasurement | GramRange | GramArray | GramMap;

/** `"text"`, `'text'`, `` `text` ``, or between fences of three backticks on lines of their own. */
export interface GramString extends Placed {
  readonly kind: "string";
  readonly value: string;
  /** Written between fences. The line of the closing fence isn't part of the value. */
  readonly fenced?: boolean;
}

/** `` date`2024-01-15` ``, or between fences with the tag behind the first one. */
export interface GramTagged extends Placed {
  readonly kind: "tagged";
  /** A symbol. */
  readonly tag: string;
  readonly value: string;
  readonly fenced?: boolean;
}

/** A bare word. Gram has no null: `null` is a word like others. */
export interface GramSymbol extends Placed {
  readonly kind: "symbol";
  readonly name: string;
}

export interface GramBoolean extends Placed {
  readonly kind: "boolean";
  readonly value: boolean;
}

/** A number as it is written, so that `0xFF`, `1.50` and integers beyond 2^53 stay what they are: `-7`, `0.5`, `0xFF`, octal `017`. */
export interface GramNumber extends Placed {
  readonly kind: "number";
  readonly text: string;
}

/** An integer with a unit, as it is written: `5kg`. */
export interface GramMeasurement extends Placed {
  readonly kind: "measurement";
  readonly text: string;
}

/** `1..10`, `1...` (no upper end), `...10` (no lower end): at least one end. */
export interface GramRange extends Placed {
  readonly kind: "range";
  readonly lower?: GramNumber | GramMeasurement;
  readonly upper?: GramNumber | GramMeasurement;
}

/** `["a", "b"]`. Gram has no empty array and none that holds arrays or maps; type signatures may (see `parseGram`). */
export interface GramArray extends Placed {
  readonly kind: "array";
  readonly items: readonly GramValue[];
}

/** `{street: "Main St", city: "Anytown"}` as a value. In gram it holds neither arrays nor maps; in type signatures it may. */
export interface GramMap extends Placed {
  readonly kind: "map";
  readonly entries: readonly GramProperty[];
}
