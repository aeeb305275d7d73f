import { isEqual } from "../json-equality.js";
import type { JsonType } from "../json-schema.js";
import type { SchemaNode } from "../keywords.js";
import type { Place } from "../place.js";
import type { CountWork } from "../work-budget.js";
import { isAllowed } from "./allowed-values.js";
import { describeTypes, describeValue, got, listOptions, listValues } from "./describe-value.js";
import { readStructure, repairText, unrepaired } from "./repair.js";
import { isOfOneType, typesOf, typesOfValues } from "./value-kinds.js";
import type { Walk } from "./walk.js";

/**
 * Checks `type`, `enum` and `const`, and returns the value, repaired if necessary, or `unrepaired`. A value that fails here has the
 * wrong kind, so its other faults would mean nothing.
 */
export function fitKind(walk: Walk, schema: SchemaNode, value: unknown, place: Place | undefined): unknown {
  const { type, enum: options } = schema;
  const constant = Object.hasOwn(schema, "const");
  if (type === undefined && options === undefined && !constant) return value;
  const allowed = Array.isArray(options) ? options : undefined;
  const types = typesOf(type);
  let current = value;
  if (walk.repair && typeof value === "string" && allowed?.includes(value) !== true) {
    current = repairedText(walk, value, types ?? typesOfValues(constant ? [schema.const] : (allowed ?? [])), place);
  }
  const isInEnum = allowed === undefined || isAllowed(allowed, current, counter(walk, place));
  const isConstant = !constant || isEqual(schema.const, current, counter(walk, place));
  const hasType = types === undefined || isOfOneType(current, types);
  if (isInEnum && isConstant && hasType) return current;
  if (!walk.explains) walk.fail();
  // In functions of their own: the variables of a function that makes others are kept in memory with each call.
  else if (!isInEnum) expectOneOf(walk, allowed ?? [], value, place);
  else if (!isConstant) expectConstant(walk, schema.const, value, place);
  else expectType(walk, types ?? [], value, place);
  return unrepaired;
}

const counter =
  (walk: Walk, place: Place | undefined): CountWork =>
  (units) =>
    walk.session.budget.spend(units, place);

function expectOneOf(walk: Walk, allowed: readonly unknown[], value: unknown, place: Place | undefined): void {
  walk.expect(
    place,
    "enum",
    () => `one of: ${listOptions(allowed)}`,
    () => got(value),
  );
}

function expectConstant(walk: Walk, constant: unknown, value: unknown, place: Place | undefined): void {
  walk.expect(
    place,
    "const",
    () => listValues([constant]),
    () => got(value),
  );
}

function expectType(walk: Walk, types: readonly JsonType[], value: unknown, place: Place | undefined): void {
  walk.expect(
    place,
    "type",
    () => describeTypes(types),
    () => `, got ${describeValue(value)}`,
  );
}

/** The value that a text spells, if the schema takes no text; else the text as it is. */
function repairedText(walk: Walk, value: string, types: readonly JsonType[], place: Place | undefined): unknown {
  if (types.includes("string")) return value;
  const { session } = walk;
  const { budget } = session;
  budget.spend(10, place);
  const reading = repairText(value, types, (text) => {
    const readings = (session.readings ??= new Map<string, unknown>());
    if (!readings.has(text)) {
      budget.spend(text.length * 2, place);
      readings.set(text, readStructure(text));
    }
    return readings.get(text);
  });
  if (reading === unrepaired) return value;
  walk.repaired(place, value, reading);
  return reading;
}
