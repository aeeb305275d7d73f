import type { Repair } from "./fault.js";
import { isSecret } from "./fault-text.js";
import type { SchemaNode } from "../keywords.js";
import { isRecord } from "../type-guards.js";
import { depthOf, type Place, pathOf } from "../place.js";
import { unrepaired } from "./repair.js";
import type { SchemaDocument } from "../schema-document.js";
import type { Branch, WalkFault } from "./union-faults.js";
import type { WorkBudget } from "../work-budget.js";
import { Evaluated } from "./evaluated.js";
import { Groups, groupsOf } from "./keyword-groups.js";
import type { Walk, WalkSession } from "./walk.js";
import { visitArray, visitUnevaluatedItems } from "./walk-array.js";
import { visitCombined } from "./walk-combined.js";
import { fitKind } from "./walk-kind.js";
import { visitObject, visitUnevaluatedProperties } from "./walk-object.js";
import { checkNumber, checkText } from "./walk-scalar.js";

/** A list of a million wrong items has a million faults, but no one reads more than these. */
const maxFaults = 1_000;

/** Finds all ways in which a value breaks a schema, and returns the value with all repairs made. The given value never changes. */
export function findFaults(schema: unknown, document: SchemaDocument, value: unknown, repair: boolean, budget: WorkBudget): Branch {
  return new FaultWalk(startSession(document, budget), { repair, explain: true }).branch(schema, value);
}

/** Whether a value fits. It stops at the first fault. */
export function fitsSchema(schema: unknown, document: SchemaDocument, value: unknown, budget: WorkBudget): boolean {
  return new FaultWalk(startSession(document, budget), quick).fits(schema, value, undefined);
}

const startSession = (document: SchemaDocument, budget: WorkBudget): WalkSession => ({
  document,
  budget,
  readings: undefined,
  resources: [],
});

interface Purpose {
  /** If a part doesn't fit, the walk tries to repair it. */
  readonly repair: boolean;
  /** The walk collects every fault. Otherwise it stops at the first one and makes no message. */
  readonly explain: boolean;
}

const quick: Purpose = { repair: false, explain: false };

/** A quick walk collects nothing. */
const none: never[] = [];

/**
 * Checks a value against every keyword of draft-07 and 2020-12, tries to repair the parts that don't fit, and collects the faults.
 * Each step spends the budget of the validation.
 */
class FaultWalk implements Walk {
  readonly repair: boolean;
  readonly explains: boolean;
  private readonly faults: WalkFault[];
  private readonly repairs: Repair[];
  private failed = false;
  private quickWalk: FaultWalk | undefined;

  constructor(
    readonly session: WalkSession,
    private readonly purpose: Purpose,
  ) {
    this.repair = purpose.repair;
    this.explains = purpose.explain;
    this.faults = purpose.explain ? [] : none;
    this.repairs = purpose.explain ? [] : none;
  }

  get stopped(): boolean {
    return this.failed && (!this.explains || this.faults.length >= maxFaults);
  }

  branch(node: unknown, value: unknown, place?: Place, evaluated?: Evaluated): Branch {
    const visited = this.visit(node, value, place, evaluated);
    return { node, value: visited, faults: this.faults, repairs: this.repairs };
  }

  visit(schema: unknown, value: unknown, place: Place | undefined, outer?: Evaluated): unknown {
    this.session.budget.spend(6, place);
    if (schema === false) this.fault(place, "false", () => "is not allowed");
    if (!isRecord(schema) || this.stopped) return value;
    const resource = this.session.document.dynamic?.resources.get(schema);
    const { resources } = this.session;
    if (resource === undefined || resource === resources.at(-1)) return this.visitNode(schema, value, place, outer);
    resources.push(resource);
    const visited = this.visitNode(schema, value, place, outer);
    resources.pop();
    return visited;
  }

  private visitNode(schema: SchemaNode, value: unknown, place: Place | undefined, outer: Evaluated | undefined): unknown {
    const groups = groupsOf(schema);
    if ((groups & Groups.unevaluated) === 0) return this.visitKeywords(schema, groups, value, place, outer);
    const { unevaluatedItems, unevaluatedProperties } = schema;
    const evaluated = new Evaluated();
    let current = this.visitKeywords(schema, groups, value, place, evaluated);
    if (unevaluatedItems !== undefined && Array.isArray(current))
      current = visitUnevaluatedItems(this, unevaluatedItems, current, place, evaluated);
    if (unevaluatedProperties !== undefined && isRecord(current))
      current = visitUnevaluatedProperties(this, unevaluatedProperties, current, place, evaluated);
    this.merge(outer, evaluated, place);
    return current;
  }

  private visitKeywords(
    schema: SchemaNode,
    groups: number,
    value: unknown,
    place: Place | undefined,
    evaluated: Evaluated | undefined,
  ): unknown {
    let current = value;
    if ((groups & Groups.references) !== 0) {
      const { document } = this.session;
      if (schema.$ref !== undefined) {
        current = this.visit(document.targets.get(schema), current, place, evaluated);
        if (document.draft07) return current;
      }
      if (schema.$dynamicRef !== undefined) current = this.visit(dynamicTarget(schema, this.session), current, place, evaluated);
    }
    if ((groups & Groups.kinds) !== 0) {
      current = fitKind(this, schema, current, place);
      if (current === unrepaired) return value;
    }
    if (typeof current === "string") {
      if ((groups & Groups.texts) !== 0) checkText(this, schema, current, place);
    } else if (typeof current === "number") {
      if ((groups & Groups.numbers) !== 0) checkNumber(this, schema, current, place);
    } else if (Array.isArray(current)) {
      if ((groups & Groups.arrays) !== 0) current = visitArray(this, schema, current, place, evaluated);
    } else if ((groups & Groups.objects) !== 0 && isRecord(current)) current = visitObject(this, schema, current, place, evaluated);
    return (groups & Groups.combinations) === 0 || this.stopped ? current : visitCombined(this, schema, current, place, evaluated);
  }

  fault(place: Place | undefined, keyword: string, message: () => string, expected?: () => string): void {
    this.failed = true;
    if (this.stopped) return;
    this.session.budget.spend(50 + 60 * depthOf(place), place);
    if (this.faults.length < maxFaults)
      this.faults.push({ path: pathOf(place), message: message(), keyword, place, expected: expected?.() });
  }

  expect(place: Place | undefined, keyword: string, expected: () => string, ending: () => string): void {
    this.fault(place, keyword, () => `must be ${expected()}${isSecret(place) ? "" : ending()}`, expected);
  }

  fail(): void {
    this.failed = true;
  }

  repaired(place: Place | undefined, from: unknown, to: unknown): void {
    this.session.budget.spend(50, place);
    this.repairs.push({ path: pathOf(place), from, to });
  }

  fits(schema: unknown, value: unknown, place: Place | undefined, evaluated?: Evaluated): boolean {
    const marks = evaluated && new Evaluated();
    const fits = this.quick().isWithoutFault(schema, value, place, marks);
    if (fits) this.merge(evaluated, marks, place);
    return fits;
  }

  /** All questions of `fits` share one walk, because it collects nothing. */
  private quick(): FaultWalk {
    if (!this.explains) return this;
    return (this.quickWalk ??= new FaultWalk(this.session, quick));
  }

  private isWithoutFault(schema: unknown, value: unknown, place: Place | undefined, marks: Evaluated | undefined): boolean {
    const failedBefore = this.failed;
    this.failed = false;
    this.visit(schema, value, place, marks);
    const fits = !this.failed;
    this.failed = failedBefore;
    return fits;
  }

  walkBranch(schema: unknown, value: unknown, place: Place | undefined, evaluated: Evaluated | undefined): Branch {
    return new FaultWalk(this.session, this.purpose).branch(schema, value, place, evaluated);
  }

  take(faults: readonly WalkFault[], repairs: readonly Repair[]): void {
    if (faults.length > 0) this.failed = true;
    this.faults.push(...faults);
    this.repairs.push(...repairs);
  }

  faultsOf(schema: unknown, value: unknown): readonly WalkFault[] {
    return new FaultWalk(this.session, { repair: false, explain: true }).branch(schema, value).faults;
  }

  merge(outer: Evaluated | undefined, inner: Evaluated | undefined, place: Place | undefined): void {
    if (outer === undefined || inner === undefined) return;
    this.session.budget.spend(10 * inner.size, place);
    outer.add(inner);
  }
}

/** What a `$dynamicRef` leads to: the anchor of its name in the outermost resource that was entered on the way, if there is one. */
function dynamicTarget(schema: SchemaNode, { document: { dynamic }, resources, budget }: WalkSession): unknown {
  const reference = dynamic?.references.get(schema);
  if (dynamic === undefined || reference === undefined) return undefined;
  if (reference.name === undefined) return reference.target;
  budget.spend(20 * resources.length);
  for (const resource of resources) {
    const anchor = dynamic.anchors.get(`${resource}#${reference.name}`);
    if (anchor?.$dynamicAnchor === reference.name) return anchor;
  }
  return reference.target;
}
