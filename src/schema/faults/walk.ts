import type { Fault, Repair } from "./fault.js";
import type { Branch, WalkFault } from "./union-faults.js";
import type { Place } from "../place.js";
import type { SchemaDocument } from "../schema-document.js";
import type { WorkBudget } from "../work-budget.js";
import type { Evaluated } from "./evaluated.js";

/** What all walks of one validation share. */
export interface WalkSession {
  readonly document: SchemaDocument;
  readonly budget: WorkBudget;
  /** What texts were read as, because each branch of a union may read the same one. Absent until a text is read. */
  readings: Map<string, unknown> | undefined;
  /** The resources that the walk has entered, the outermost first: `$dynamicRef` looks for its anchor in them. */
  readonly resources: string[];
}

/** One walk over schema and value together, as the code for each group of keywords sees it. */
export interface Walk {
  readonly session: WalkSession;
  readonly repair: boolean;
  /** Whether the walk collects faults. Otherwise it only finds out whether there is one. */
  readonly explains: boolean;
  /** Whether the walk is over: the verdict is known, or there are more faults than a message lists. */
  readonly stopped: boolean;
  /** Returns the value, or its repaired form. It adds the properties and items that it looked at to `evaluated`. */
  visit(schema: unknown, value: unknown, place: Place | undefined, evaluated?: Evaluated): unknown;
  fits(schema: unknown, value: unknown, place: Place | undefined, evaluated?: Evaluated): boolean;
  /** Walks one branch of a union for itself. */
  walkBranch(schema: unknown, value: unknown, place: Place | undefined, evaluated: Evaluated | undefined): Branch;
  /** Makes faults and repairs of a branch this walk's own. */
  take(faults: readonly WalkFault[], repairs: readonly Repair[]): void;
  /** Adds what a part of the walk has looked at to what the whole has. */
  merge(outer: Evaluated | undefined, inner: Evaluated | undefined, place: Place | undefined): void;
  /** Every fault of a value, without repairs. */
  faultsOf(schema: unknown, value: unknown): readonly Fault[];
  /** The message is made only if the walk explains. */
  fault(place: Place | undefined, keyword: string, message: () => string, expected?: () => string): void;
  /** A fault of the form `must be <expected><ending>`; the ending quotes the value, unless that is a secret. */
  expect(place: Place | undefined, keyword: string, expected: () => string, ending: () => string): void;
  /** Records a fault without a message. */
  fail(): void;
  repaired(place: Place | undefined, from: unknown, to: unknown): void;
}
