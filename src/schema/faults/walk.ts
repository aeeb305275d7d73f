import type { Fault } from "./fault.js";
import type { Place } from "../place.js";
import type { SchemaDocument } from "../schema-document.js";
import type { WorkBudget } from "../work-budget.js";
import type { Evaluated } from "./evaluated.js";

/** What all walks of one validation share. */
export interface WalkSession {
  readonly document: SchemaDocument;
  readonly budget: WorkBudget;
  /** What texts were read as, because each branch of a union may read the same one. */
  readonly readings: Map<string, unknown>;
  /** The resources that the walk has entered, the outermost first: `$dynamicRef` looks for its anchor in them. */
  readonly resources: string[];
}

/** One walk over schema and value together, as its parts for texts, arrays and objects see it. */
export interface Walk {
  readonly session: WalkSession;
  readonly repair: boolean;
  /** Whether faults are to be told, not only the verdict. */
  readonly explains: boolean;
  /** Nothing more is to be found: the verdict is known, or there are more faults than are listed. */
  readonly stopped: boolean;
  /** Returns the value, or what it was repaired to. `evaluated` takes in what was looked at of this very value. */
  visit(schema: unknown, value: unknown, place: Place | undefined, evaluated?: Evaluated): unknown;
  fits(schema: unknown, value: unknown, place: Place | undefined, evaluated?: Evaluated): boolean;
  /** Every fault of a value, without repairs. */
  faultsOf(schema: unknown, value: unknown): readonly Fault[];
  /** The message is made only if somebody is to read it. */
  fault(place: Place | undefined, keyword: string, message: () => string, expected?: () => string): void;
  /** A fault of the form `must be <expected><ending>`; the ending quotes the value, unless that is a secret. */
  expect(place: Place | undefined, keyword: string, expected: () => string, ending: () => string): void;
  repaired(place: Place, from: unknown, to: unknown): void;
}
