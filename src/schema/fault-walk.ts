import { describeFormat, describeTypes, describeValue, got, listValues, plural } from "./describe.js";
import { hasFormat } from "./engine.js";
import { Budget } from "./engine-schema.js";
import { canonicalText, isEqual } from "./equality.js";
import type { Repair } from "./fault.js";
import { excluded, isSecret, unknownKey } from "./fault-text.js";
import { hasValue, isRecord, isSchema, type SchemaNode, setOwn } from "./keywords.js";
import { safePattern } from "./pattern.js";
import { type Place, pathOf } from "./place.js";
import { repairText, unrepaired } from "./repair.js";
import type { SchemaDocument } from "./schema-document.js";
import { type Branch, explainUnion, type WalkFault } from "./union-faults.js";
import { countCharacters, isMultiple, isOfType, typesOf, typesOfValues } from "./value-kinds.js";

/** References and branches that one walk may follow; only they can multiply. */
const maxBranches = 30_000;

/** Nobody reads more faults of one value. A list of a million wrong items has a million. */
const mostFaults = 1_000;

/** All ways in which a value breaks a schema, and the value with all repairs made. The value given is never changed. */
export function findFaults(schema: unknown, document: SchemaDocument, value: unknown, repair: boolean): Branch {
  const walk = new FaultWalk(document, repair, new Budget(maxBranches));
  return { node: schema, value: walk.visit(schema, value, undefined), faults: walk.faults, repairs: walk.repairs };
}

/**
 * One walk over schema and value together, for values that the engine refused: it tries repairs where a part doesn't fit, and
 * collects every fault. Keywords that few schemas use (`unevaluatedProperties`, `$dynamicRef`) are left to the engine.
 */
class FaultWalk {
  readonly faults: WalkFault[] = [];
  readonly repairs: Repair[] = [];

  constructor(
    private readonly document: SchemaDocument,
    private readonly repair: boolean,
    private readonly budget: Budget,
  ) {}

  /** Returns the value, or what it was repaired to. */
  visit(schema: unknown, value: unknown, place: Place | undefined): unknown {
    if (schema === false) this.fault(place, "false", "is not allowed");
    if (!isRecord(schema)) return value;
    let current = value;
    if (schema.$ref !== undefined) {
      this.budget.spend();
      current = this.visit(this.document.targets.get(schema), current, place);
      if (this.document.draft07) return current;
    }
    current = this.fitType(schema, current, place);
    if (current === unrepaired) return value;
    if (typeof current === "string") this.checkText(schema, current, place);
    else if (typeof current === "number") this.checkNumber(schema, current, place);
    else if (Array.isArray(current)) current = this.visitArray(schema, current, place);
    else if (isRecord(current)) current = this.visitObject(schema, current, place);
    return this.visitCombined(schema, current, place);
  }

  private fault(place: Place | undefined, keyword: string, message: string, expected?: string): void {
    if (this.faults.length < mostFaults) this.faults.push({ path: pathOf(place), message, keyword, place, expected });
  }

  private expect(place: Place | undefined, keyword: string, expected: string, ending: string): void {
    this.fault(place, keyword, `must be ${expected}${isSecret(place) ? "" : ending}`, expected);
  }

  /** Checks `type`, `enum` and `const`; where they fail (and no repair helps), nothing else is worth saying. */
  private fitType(schema: SchemaNode, value: unknown, place: Place | undefined): unknown {
    const { type, enum: options } = schema;
    const constant = Object.hasOwn(schema, "const");
    if (type === undefined && options === undefined && !constant) return value;
    const allowed = Array.isArray(options) ? options : undefined;
    const types = typesOf(type) ?? typesOfValues(constant ? [schema.const] : (allowed ?? []));
    let current = value;
    if (this.repair && !types.some((name) => isOfType(value, name)) && !allowed?.includes(value)) {
      const repaired = repairText(value, types);
      if (repaired !== unrepaired) {
        current = repaired;
        this.repairs.push({ path: pathOf(place), from: value, to: repaired });
      }
    }
    if (allowed !== undefined && !allowed.some((option) => isEqual(option, current))) {
      this.expect(place, "enum", `one of: ${listValues(allowed)}`, got(value));
    } else if (constant && !isEqual(schema.const, current)) this.expect(place, "const", listValues([schema.const]), got(value));
    else if (!types.some((name) => isOfType(current, name)))
      this.expect(place, "type", describeTypes(types), `, got ${describeValue(value)}`);
    else return current;
    return unrepaired;
  }

  private checkText(schema: SchemaNode, text: string, place: Place | undefined): void {
    const { minLength, maxLength, pattern, format } = schema;
    if (typeof minLength === "number" || typeof maxLength === "number") {
      const length = countCharacters(text);
      if (length < Number(minLength ?? 0)) {
        const atLeast = `must have at least ${plural(Number(minLength), "character")}, has ${length}`;
        this.fault(place, "minLength", length === 0 && minLength === 1 ? "must not be empty" : atLeast);
      }
      if (length > Number(maxLength ?? Number.POSITIVE_INFINITY)) {
        this.fault(place, "maxLength", `must have at most ${plural(Number(maxLength), "character")}, has ${length}`);
      }
    }
    if (typeof pattern === "string") {
      const { expression, maxLength: longest } = safePattern(pattern);
      if (text.length > longest) this.fault(place, "pattern", `is too long (${text.length} characters) to be checked against ${pattern}`);
      else if (!expression.test(text)) this.fault(place, "pattern", `must match the pattern ${pattern}${isSecret(place) ? "" : got(text)}`);
    }
    if (typeof format === "string" && !hasFormat(text, format)) this.expect(place, "format", describeFormat(format), got(text));
  }

  private checkNumber(schema: SchemaNode, number: number, place: Place | undefined): void {
    const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
    const ending = `, got ${number}`;
    if (typeof minimum === "number" && number < minimum) this.expect(place, "minimum", `at least ${minimum}`, ending);
    if (typeof maximum === "number" && number > maximum) this.expect(place, "maximum", `at most ${maximum}`, ending);
    if (typeof exclusiveMinimum === "number" && number <= exclusiveMinimum) {
      this.expect(place, "exclusiveMinimum", `greater than ${exclusiveMinimum}`, ending);
    }
    if (typeof exclusiveMaximum === "number" && number >= exclusiveMaximum) {
      this.expect(place, "exclusiveMaximum", `less than ${exclusiveMaximum}`, ending);
    }
    if (typeof multipleOf === "number" && !isMultiple(number, multipleOf)) {
      this.expect(place, "multipleOf", `a multiple of ${multipleOf}`, ending);
    }
  }

  private visitArray(schema: SchemaNode, array: readonly unknown[], place: Place | undefined): unknown {
    const { prefixItems, items, additionalItems, minItems, maxItems, uniqueItems, contains } = schema;
    const listed: readonly unknown[] = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : [];
    const rest = Array.isArray(items) ? additionalItems : items;
    if (typeof minItems === "number" && array.length < minItems) {
      this.fault(place, "minItems", `must have at least ${plural(minItems, "item")}, has ${array.length}`);
    }
    if (typeof maxItems === "number" && array.length > maxItems) {
      this.fault(place, "maxItems", `must have at most ${plural(maxItems, "item")}, has ${array.length}`);
    }
    let changed: unknown[] | undefined;
    for (const [index, item] of array.entries()) {
      const itemSchema = index < listed.length ? listed[index] : rest;
      if (itemSchema === undefined) break;
      const visited = this.visit(itemSchema, item, { parent: place, key: index });
      if (visited !== item) (changed ??= [...array])[index] = visited;
    }
    const current = changed ?? array;
    if (uniqueItems === true) this.checkUnique(current, place);
    if (isSchema(contains)) this.checkContains(schema, contains, current, place);
    return current;
  }

  private checkUnique(array: readonly unknown[], place: Place | undefined): void {
    const first = new Map<string, number>();
    for (const [index, item] of array.entries()) {
      const text = canonicalText(item);
      const earlier = first.get(text);
      if (earlier === undefined) first.set(text, index);
      else this.fault({ parent: place, key: index }, "uniqueItems", `must not repeat item ${earlier}`);
    }
  }

  private checkContains(schema: SchemaNode, contains: SchemaNode | boolean, array: readonly unknown[], place: Place | undefined): void {
    const { minContains = 1, maxContains = Number.POSITIVE_INFINITY } = schema;
    const count = array.filter((item) => this.fits(contains, item)).length;
    if (count < Number(minContains)) {
      this.fault(place, "contains", `must have at least ${plural(Number(minContains), "item")} of the required kind, has ${count}`);
    }
    if (count > Number(maxContains)) {
      this.fault(place, "maxContains", `must have at most ${plural(Number(maxContains), "item")} of the limited kind, has ${count}`);
    }
  }

  private visitObject(schema: SchemaNode, object: Record<string, unknown>, place: Place | undefined): unknown {
    const { properties, patternProperties, additionalProperties, propertyNames, minProperties, maxProperties } = schema;
    const declared = isRecord(properties) ? properties : undefined;
    const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
    let current = object;
    const change = (key: string, value: unknown): void => {
      if (current === object) current = { ...object };
      if (value === undefined) delete current[key];
      else setOwn(current, key, value);
    };

    for (const key in declared) {
      if (!hasValue(object, key)) {
        if (required.includes(key)) this.fault({ parent: place, key }, "required", "is required");
        continue;
      }
      const value = object[key];
      const visited = this.visitProperty(declared[key], value, { parent: place, key }, required.includes(key));
      if (visited !== value) change(key, visited);
    }
    for (const key of required) {
      if (typeof key !== "string" || (declared !== undefined && Object.hasOwn(declared, key)) || hasValue(object, key)) continue;
      this.fault({ parent: place, key }, "required", "is required");
    }

    const patterns = isRecord(patternProperties) ? Object.entries(patternProperties) : [];
    for (const key of Object.keys(object)) {
      const before = hasValue(current, key) ? current[key] : object[key];
      let value = before;
      let known = declared !== undefined && Object.hasOwn(declared, key);
      for (const [pattern, inner] of patterns) {
        if (!safePattern(pattern).expression.test(key)) continue;
        known = true;
        value = this.visit(inner, value, { parent: place, key });
      }
      if (!known && additionalProperties === false) this.fault({ parent: place, key }, "additionalProperties", unknownKey(declared));
      else if (!known && isRecord(additionalProperties)) value = this.visit(additionalProperties, value, { parent: place, key });
      if (propertyNames !== undefined) this.checkName(propertyNames, key, place);
      if (value !== before) change(key, value);
    }

    const count = Object.keys(current).length;
    if (typeof minProperties === "number" && count < minProperties) {
      this.fault(place, "minProperties", `must have at least ${plural(minProperties, "property", "properties")}, has ${count}`);
    }
    if (typeof maxProperties === "number" && count > maxProperties) {
      this.fault(place, "maxProperties", `must have at most ${plural(maxProperties, "property", "properties")}, has ${count}`);
    }
    return this.visitDependencies(schema, current, place);
  }

  /** `null` in place of an optional property that can't be null means that the property is absent. */
  private visitProperty(schema: unknown, value: unknown, place: Place, required: boolean): unknown {
    if (value === null && !required && this.repair && !this.fits(schema, null)) {
      this.repairs.push({ path: pathOf(place), from: null, to: undefined });
      return undefined;
    }
    return this.visit(schema, value, place);
  }

  private checkName(schema: unknown, name: string, place: Place | undefined): void {
    const branch = this.branch(schema, name, undefined, false);
    for (const { message } of branch.faults) this.fault({ parent: place, key: name }, "propertyNames", `is no allowed name: it ${message}`);
  }

  private visitDependencies(schema: SchemaNode, object: Record<string, unknown>, place: Place | undefined): unknown {
    let current: unknown = object;
    for (const map of [schema.dependentRequired, schema.dependentSchemas, schema.dependencies]) {
      if (!isRecord(map)) continue;
      for (const [key, dependent] of Object.entries(map)) {
        if (!hasValue(object, key)) continue;
        if (!Array.isArray(dependent)) current = this.visit(dependent, current, place);
        else {
          for (const name of dependent.filter((other: string) => !hasValue(object, other))) {
            this.fault({ parent: place, key: name }, "dependentRequired", `is required where ${key} is given`);
          }
        }
      }
    }
    return current;
  }

  private visitCombined(schema: SchemaNode, value: unknown, place: Place | undefined): unknown {
    const { allOf, anyOf, oneOf, not } = schema;
    let current = value;
    if (Array.isArray(allOf)) for (const inner of allOf) current = this.visit(inner, current, place);
    if (Array.isArray(anyOf)) current = this.visitUnion(anyOf, "anyOf", current, place);
    if (Array.isArray(oneOf)) current = this.visitUnion(oneOf, "oneOf", current, place);
    if (not !== undefined && this.fits(not, current)) this.fault(place, "not", excluded(not, current, place));
    if (schema.if !== undefined) {
      const next = this.fits(schema.if, current) ? schema.then : schema.else;
      if (next !== undefined) current = this.visit(next, current, place);
    }
    return current;
  }

  private visitUnion(options: readonly unknown[], keyword: "anyOf" | "oneOf", value: unknown, place: Place | undefined): unknown {
    const branches = options.map((option) => this.branch(option, value, place, this.repair));
    const fitting = branches.filter(({ faults }) => faults.length === 0);
    const unchanged = fitting.filter(({ repairs }) => repairs.length === 0);
    const [best] = unchanged.length > 0 ? unchanged : fitting;
    if (best === undefined) this.faults.push(...explainUnion(branches, place, keyword, value));
    else if (keyword === "oneOf" && (unchanged.length > 1 || (unchanged.length === 0 && fitting.length > 1))) {
      this.fault(place, keyword, `fits ${fitting.length} of the allowed forms, but must fit exactly one`);
    } else {
      this.repairs.push(...best.repairs);
      return best.value;
    }
    return value;
  }

  private branch(node: unknown, value: unknown, place: Place | undefined, repair: boolean): Branch {
    this.budget.spend();
    const walk = new FaultWalk(this.document, repair, this.budget);
    return { node, value: walk.visit(node, value, place), faults: walk.faults, repairs: walk.repairs };
  }

  private fits(schema: unknown, value: unknown): boolean {
    return this.branch(schema, value, undefined, false).faults.length === 0;
  }
}
