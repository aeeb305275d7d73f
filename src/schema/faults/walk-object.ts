import { plural } from "./describe-value.js";
import { unknownKey } from "./fault-text.js";
import { hasValue, type SchemaNode } from "../keywords.js";
import { isRecord } from "../type-guards.js";
import { setOwn } from "../../redaction/internal.js";
import { safePattern } from "../pattern/pattern.js";
import type { Place } from "../place.js";
import { namesToVisit, setOf } from "./declared-names.js";
import type { Evaluated } from "./evaluated.js";
import type { Walk } from "./walk.js";

type Json = Record<string, unknown>;

/** Names longer than this are not tested against patterns that the platform's engine can't run. */
const maxNameLength = 1_000;

/** Visits the properties of an object; a changed one makes a copy. */
export function visitObject(
  walk: Walk,
  schema: SchemaNode,
  object: Json,
  place: Place | undefined,
  evaluated: Evaluated | undefined,
): Json {
  const { properties, propertyNames, minProperties, maxProperties } = schema;
  const declared = isRecord(properties) ? properties : undefined;
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
  const { budget } = walk.session;
  let current = object;
  const change = (key: string, value: unknown): void => {
    if (current === object) current = { ...object };
    if (value === undefined) delete current[key];
    else setOwn(current, key, value);
  };

  budget.spend(8 + required.length, place);
  if (declared !== undefined) {
    const requiredNames = setOf(required);
    for (const key of namesToVisit(declared, required, object)) {
      if (walk.stopped) return current;
      budget.spend(2, place);
      if (hasValue(object, key)) {
        const visited = visitProperty(walk, declared[key], object[key], { parent: place, key }, requiredNames.has(key));
        evaluated?.names.add(key);
        if (visited !== object[key]) change(key, visited);
      } else if (requiredNames.has(key)) walk.fault({ parent: place, key }, "required", () => "is required");
    }
  }
  for (const key of required) {
    if (typeof key !== "string" || (declared !== undefined && Object.hasOwn(declared, key)) || hasValue(object, key)) continue;
    walk.fault({ parent: place, key }, "required", () => "is required");
  }
  if (schema.patternProperties !== undefined || schema.additionalProperties !== undefined)
    visitOthers(walk, schema, object, (key) => (hasValue(current, key) ? current[key] : object[key]), change, place, evaluated);
  if (propertyNames !== undefined) checkNames(walk, propertyNames, object, place);
  if (typeof minProperties === "number" || typeof maxProperties === "number") {
    const count = Object.keys(current).length;
    if (count < Number(minProperties ?? 0)) {
      const least = plural(Number(minProperties), "property", "properties");
      walk.fault(place, "minProperties", () => `must have at least ${least}, has ${count}`);
    }
    if (count > Number(maxProperties ?? count)) {
      const most = plural(Number(maxProperties), "property", "properties");
      walk.fault(place, "maxProperties", () => `must have at most ${most}, has ${count}`);
    }
  }
  const { dependentRequired, dependentSchemas, dependencies } = schema;
  if (dependentRequired === undefined && dependentSchemas === undefined && dependencies === undefined) return current;
  return visitDependencies(walk, schema, current, place, evaluated);
}

/** `null` in place of an optional property that can't be null means that the property is absent. */
function visitProperty(walk: Walk, schema: unknown, value: unknown, place: Place, required: boolean): unknown {
  if (value === null && !required && walk.repair && !walk.fits(schema, null, place)) {
    walk.repaired(place, null, undefined);
    return undefined;
  }
  return walk.visit(schema, value, place);
}

/** What patterns say about properties, and `additionalProperties` about all that are neither declared nor match one. */
function visitOthers(
  walk: Walk,
  { properties, patternProperties, additionalProperties }: SchemaNode,
  object: Json,
  read: (key: string) => unknown,
  change: (key: string, value: unknown) => void,
  place: Place | undefined,
  evaluated: Evaluated | undefined,
): void {
  const declared = isRecord(properties) ? properties : undefined;
  const patterns = isRecord(patternProperties) ? Object.entries(patternProperties) : [];
  for (const key of Object.keys(object)) {
    if (walk.stopped) return;
    walk.session.budget.spend(evaluated === undefined ? 4 : 12, place);
    const before = read(key);
    let value = before;
    let known = declared !== undefined && Object.hasOwn(declared, key);
    for (const [pattern, inner] of patterns) {
      const matches = matchesName(walk, pattern, key, place);
      if (matches === false) continue;
      known = true;
      if (matches === undefined) break;
      evaluated?.names.add(key);
      value = walk.visit(inner, value, { parent: place, key });
    }
    if (!known && additionalProperties !== undefined) {
      evaluated?.names.add(key);
      const keyPlace = { parent: place, key };
      if (additionalProperties === false) walk.fault(keyPlace, "additionalProperties", () => unknownKey(declared));
      else value = walk.visit(additionalProperties, value, keyPlace);
    }
    if (value !== before) change(key, value);
  }
}

/** `undefined` if the name is too long to be tested, which is a fault. */
function matchesName(walk: Walk, source: string, name: string, place: Place | undefined): boolean | undefined {
  const pattern = safePattern(source);
  if (!pattern.plain && name.length > maxNameLength) {
    walk.fault(place, "patternProperties", () => `has a property name of more than ${maxNameLength} characters`);
    return undefined;
  }
  return pattern.test(name, (units) => walk.session.budget.spend(units, place));
}

function checkNames(walk: Walk, schema: unknown, object: Json, place: Place | undefined): void {
  for (const name of Object.keys(object)) {
    if (walk.stopped) return;
    const namePlace = { parent: place, key: name };
    if (walk.fits(schema, name, namePlace)) continue;
    const faults = walk.explains ? walk.faultsOf(schema, name) : [];
    if (faults.length === 0) walk.fault(namePlace, "propertyNames", () => "isn't an allowed name");
    for (const { message } of faults) walk.fault(namePlace, "propertyNames", () => `isn't an allowed name: it ${message}`);
  }
}

function visitDependencies(walk: Walk, schema: SchemaNode, object: Json, place: Place | undefined, evaluated: Evaluated | undefined): Json {
  let current: unknown = object;
  for (const map of [schema.dependentRequired, schema.dependentSchemas, schema.dependencies]) {
    if (!isRecord(map)) continue;
    for (const key of namesToVisit(map, [], object)) {
      walk.session.budget.spend(4, place);
      if (!hasValue(object, key)) continue;
      const dependent = map[key];
      if (!Array.isArray(dependent)) current = walk.visit(dependent, current, place, evaluated);
      else {
        walk.session.budget.spend(dependent.length, place);
        for (const name of dependent.filter((other: string) => !hasValue(object, other))) {
          walk.fault({ parent: place, key: name }, "dependentRequired", () => `is required if ${key} is given`);
        }
      }
    }
  }
  return current as Json;
}

/** Properties that no keyword of the schema has looked at. */
export function visitUnevaluatedProperties(walk: Walk, rest: unknown, object: Json, place: Place | undefined, evaluated: Evaluated): Json {
  let current = object;
  for (const key of Object.keys(object)) {
    if (walk.stopped) break;
    walk.session.budget.spend(10, place);
    if (evaluated.has(key)) continue;
    if (rest === false) {
      walk.fault(place, "unevaluatedProperties", () => "must not have unevaluated properties");
      break;
    }
    const visited = walk.visit(rest, object[key], { parent: place, key });
    if (visited !== object[key]) {
      if (current === object) current = { ...object };
      setOwn(current, key, visited);
    }
    evaluated.names.add(key);
  }
  return current;
}
