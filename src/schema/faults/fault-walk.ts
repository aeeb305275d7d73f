import { describeTypes, describeValue, got, listOptions, listValues } from "./describe-value.js";
import { isEqual } from "../equality.js";
import type { Repair } from "./fault.js";
import type { JsonType } from "../json-schema.js";
import { excluded, isSecret } from "./fault-text.js";
import type { SchemaNode } from "../keywords.js";
import { isRecord } from "../type-guards.js";
import { depthOf, type Place, pathOf } from "../place.js";
import { readStructure, repairText, unrepaired } from "./repair.js";
import type { SchemaDocument } from "../schema-document.js";
import { type Branch, explainUnion, type WalkFault } from "./union-faults.js";
import { isOfType, typesOf, typesOfValues } from "./value-kinds.js";
import type { CountWork, WorkBudget } from "../work-budget.js";
import { isAllowed } from "./allowed-values.js";
import { dynamicTarget } from "./dynamic-reference.js";
import { Evaluated } from "./evaluated.js";
import { Groups, groupsOf } from "./keyword-groups.js";
import type { Walk, WalkSession } from "./walk.js";
import { visitArray, visitUnevaluatedItems } from "./walk-array.js";
import { visitObject, visitUnevaluatedProperties } from "./walk-object.js";
import { checkNumber, checkText } from "./walk-scalar.js";

/** More faults than this are not collected. */
const maxFaults = 1_000;

/** All ways in which a value breaks a schema, and the value with all repairs made. The value given is never changed. */
export function findFaults(schema: unknown, document: SchemaDocument, value: unknown, repair: boolean, budget: WorkBudget): Branch {
  return new FaultWalk(startSession(document, budget), { repair, explain: true }).branch(schema, value);
}

/** The verdict alone: it stops at the first fault. */
export function fitsSchema(schema: unknown, document: SchemaDocument, value: unknown, budget: WorkBudget): boolean {
  return new FaultWalk(startSession(document, budget), quick).fits(schema, value, undefined);
}

const startSession = (document: SchemaDocument, budget: WorkBudget): WalkSession => ({
  document,
  budget,
  readings: new Map(),
  resources: [],
});

interface Purpose {
  /** Repairs are tried where a part doesn't fit. */
  readonly repair: boolean;
  /** Every fault is to be told; otherwise the first one ends the walk, without a word. */
  readonly explain: boolean;
}

const quick: Purpose = { repair: false, explain: false };

/** What a quick walk collects. */
const none: never[] = [];

/** Nobody reads more faults of one value. A list of a million wrong items has a million. */
const mostFaults = 1_000;

/**
 * Judges a value by every keyword of draft-07 and 2020-12, tries repairs where a part doesn't fit, and collects the faults. It
 * spends the budget of the validation for all that it does.
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
      current = this.fitType(schema, current, place);
      if (current === unrepaired) return value;
    }
    if (typeof current === "string") {
      if ((groups & Groups.texts) !== 0) checkText(this, schema, current, place);
    } else if (typeof current === "number") {
      if ((groups & Groups.numbers) !== 0) checkNumber(this, schema, current, place);
    } else if (Array.isArray(current)) {
      if ((groups & Groups.arrays) !== 0) current = visitArray(this, schema, current, place, evaluated);
    } else if ((groups & Groups.objects) !== 0 && isRecord(current)) current = visitObject(this, schema, current, place, evaluated);
    return (groups & Groups.combinations) === 0 || this.stopped ? current : this.visitCombined(schema, current, place, evaluated);
  }

  fault(place: Place | undefined, keyword: string, message: () => string, expected?: () => string): void {
    this.failed = true;
    if (this.stopped) return;
    this.session.budget.spend(50 + 60 * depthOf(place), place);
    if (this.faults.length < mostFaults)
      this.faults.push({ path: pathOf(place), message: message(), keyword, place, expected: expected?.() });
  }

  expect(place: Place | undefined, keyword: string, expected: () => string, ending: () => string): void {
    this.fault(place, keyword, () => `must be ${expected()}${isSecret(place) ? "" : ending()}`, expected);
  }

  repaired(place: Place | undefined, from: unknown, to: unknown): void {
    this.session.budget.spend(50, place);
    this.repairs.push({ path: pathOf(place), from, to });
  }

  /** Checks `type`, `enum` and `const`; where they fail (and no repair helps), nothing else is worth saying. */
  private fitType(schema: SchemaNode, value: unknown, place: Place | undefined): unknown {
    const { type, enum: options } = schema;
    const constant = Object.hasOwn(schema, "const");
    if (type === undefined && options === undefined && !constant) return value;
    const allowed = Array.isArray(options) ? options : undefined;
    const types = typesOf(type);
    let current = value;
    if (this.repair && typeof value === "string" && allowed?.includes(value) !== true) {
      current = this.repairedText(value, types ?? typesOfValues(constant ? [schema.const] : (allowed ?? [])), place);
    }
    const isInEnum = allowed === undefined || isAllowed(allowed, current, this.counter(place));
    const isConstant = !constant || isEqual(schema.const, current, this.counter(place));
    const hasType = types === undefined || types.some((name) => isOfType(current, name));
    if (isInEnum && isConstant && hasType) return current;
    if (!this.explains) this.failed = true;
    else if (!isInEnum) {
      this.expect(
        place,
        "enum",
        () => `one of: ${listOptions(allowed ?? [])}`,
        () => got(value),
      );
    } else if (!isConstant) {
      this.expect(
        place,
        "const",
        () => listValues([schema.const]),
        () => got(value),
      );
    } else {
      this.expect(
        place,
        "type",
        () => describeTypes(types ?? []),
        () => `, got ${describeValue(value)}`,
      );
    }
    return unrepaired;
  }

  private counter(place: Place | undefined): CountWork {
    return (units) => this.session.budget.spend(units, place);
  }

  /** The value that a text spells where it doesn't fit, or the text as it is. */
  private repairedText(value: string, types: readonly JsonType[], place: Place | undefined): unknown {
    if (types.includes("string")) return value;
    const { readings, budget } = this.session;
    budget.spend(10, place);
    const reading = repairText(value, types, (text) => {
      if (!readings.has(text)) {
        budget.spend(text.length * 2, place);
        readings.set(text, readStructure(text));
      }
      return readings.get(text);
    });
    if (reading === unrepaired) return value;
    this.repaired(place, value, reading);
    return reading;
  }

  private visitCombined(schema: SchemaNode, value: unknown, place: Place | undefined, evaluated: Evaluated | undefined): unknown {
    const { allOf, anyOf, oneOf, not } = schema;
    let current = value;
    if (Array.isArray(allOf)) for (const inner of allOf) current = this.visit(inner, current, place, evaluated);
    if (Array.isArray(anyOf)) current = this.visitUnion(anyOf, "anyOf", current, place, evaluated);
    if (Array.isArray(oneOf)) current = this.visitUnion(oneOf, "oneOf", current, place, evaluated);
    if (not !== undefined && this.fits(not, current, place)) this.fault(place, "not", () => excluded(not, current, place));
    if (schema.if !== undefined) {
      const next = this.fits(schema.if, current, place, evaluated) ? schema.then : schema.else;
      if (next !== undefined) current = this.visit(next, current, place, evaluated);
    }
    return current;
  }

  /** Most values fit a branch as they are, which is soon known; only otherwise are the branches' faults and repairs looked for. */
  private visitUnion(
    options: readonly unknown[],
    keyword: "anyOf" | "oneOf",
    value: unknown,
    place: Place | undefined,
    evaluated: Evaluated | undefined,
  ): unknown {
    let fitting = 0;
    for (const option of options) {
      if (this.fits(option, value, place, evaluated)) fitting++;
      if (fitting === 1 && keyword === "anyOf" && evaluated === undefined) return value;
    }
    if (fitting > 1 && keyword === "oneOf") this.fault(place, keyword, () => tooMany(fitting));
    if (fitting > 0) return value;
    if (!this.explains) this.failed = true;
    return this.stopped ? value : this.visitUnfitting(options, keyword, value, place, evaluated);
  }

  private visitUnfitting(
    options: readonly unknown[],
    keyword: "anyOf" | "oneOf",
    value: unknown,
    place: Place | undefined,
    evaluated: Evaluated | undefined,
  ): unknown {
    const branches = options.map((option) => {
      const marks = evaluated && new Evaluated();
      return { marks, ...new FaultWalk(this.session, this.purpose).branch(option, value, place, marks) };
    });
    this.session.budget.spend(
      branches.reduce((sum, { faults }) => sum + 10 + 5 * faults.length, 0),
      place,
    );
    const repaired = branches.filter(({ faults }) => faults.length === 0);
    const [best] = repaired;
    if (best === undefined) this.faults.push(...explainUnion(branches, place, keyword, value));
    else if (keyword === "oneOf" && repaired.length > 1) this.fault(place, keyword, () => tooMany(repaired.length));
    else {
      this.merge(evaluated, best.marks, place);
      this.repairs.push(...best.repairs);
      return best.value;
    }
    this.failed = true;
    return value;
  }

  fits(schema: unknown, value: unknown, place: Place | undefined, evaluated?: Evaluated): boolean {
    const marks = evaluated && new Evaluated();
    const fits = this.quick().isWithoutFault(schema, value, place, marks);
    if (fits) this.merge(evaluated, marks, place);
    return fits;
  }

  /** One walk serves for all verdicts of a validation: it collects nothing. */
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

  faultsOf(schema: unknown, value: unknown): readonly WalkFault[] {
    return new FaultWalk(this.session, { repair: false, explain: true }).branch(schema, value).faults;
  }

  private merge(outer: Evaluated | undefined, inner: Evaluated | undefined, place: Place | undefined): void {
    if (outer === undefined || inner === undefined) return;
    this.session.budget.spend(10 * inner.size, place);
    outer.add(inner);
  }
}

const tooMany = (count: number): string => `fits ${count} of the allowed forms, but must fit exactly one`;
