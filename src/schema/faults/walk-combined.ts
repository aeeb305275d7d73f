import type { SchemaNode } from "../keywords.js";
import type { Place } from "../place.js";
import { Evaluated } from "./evaluated.js";
import { excluded } from "./fault-text.js";
import { explainUnion } from "./union-faults.js";
import type { Walk } from "./walk.js";

/** Checks `allOf`, `anyOf`, `oneOf`, `not` and `if`. */
export function visitCombined(
  walk: Walk,
  schema: SchemaNode,
  value: unknown,
  place: Place | undefined,
  evaluated: Evaluated | undefined,
): unknown {
  const { allOf, anyOf, oneOf, not } = schema;
  let current = value;
  if (Array.isArray(allOf)) for (const inner of allOf) current = walk.visit(inner, current, place, evaluated);
  if (Array.isArray(anyOf)) current = visitUnion(walk, anyOf, "anyOf", current, place, evaluated);
  if (Array.isArray(oneOf)) current = visitUnion(walk, oneOf, "oneOf", current, place, evaluated);
  if (not !== undefined && walk.fits(not, current, place)) walk.fault(place, "not", () => excluded(not, current, place));
  if (schema.if !== undefined) {
    const next = walk.fits(schema.if, current, place, evaluated) ? schema.then : schema.else;
    if (next !== undefined) current = walk.visit(next, current, place, evaluated);
  }
  return current;
}

/** Most values fit a branch as they are, which is soon known. Only if none fits does the walk look for faults and repairs. */
function visitUnion(
  walk: Walk,
  options: readonly unknown[],
  keyword: "anyOf" | "oneOf",
  value: unknown,
  place: Place | undefined,
  evaluated: Evaluated | undefined,
): unknown {
  let fitting = 0;
  for (const option of options) {
    if (walk.fits(option, value, place, evaluated)) fitting++;
    if (fitting === 1 && keyword === "anyOf" && evaluated === undefined) return value;
  }
  if (fitting > 1 && keyword === "oneOf") walk.fault(place, keyword, () => tooMany(fitting));
  if (fitting > 0) return value;
  if (!walk.explains) walk.fail();
  return walk.stopped ? value : visitUnfitting(walk, options, keyword, value, place, evaluated);
}

/** Looks at each branch for faults and repairs. */
function visitUnfitting(
  walk: Walk,
  options: readonly unknown[],
  keyword: "anyOf" | "oneOf",
  value: unknown,
  place: Place | undefined,
  evaluated: Evaluated | undefined,
): unknown {
  const branches = options.map((option) => {
    const marks = evaluated && new Evaluated();
    return { marks, ...walk.walkBranch(option, value, place, marks) };
  });
  walk.session.budget.spend(
    branches.reduce((sum, { faults }) => sum + 10 + 5 * faults.length, 0),
    place,
  );
  const repaired = branches.filter(({ faults }) => faults.length === 0);
  const [best] = repaired;
  if (best === undefined) walk.take(explainUnion(branches, place, keyword, value), []);
  else if (keyword === "oneOf" && repaired.length > 1) walk.fault(place, keyword, () => tooMany(repaired.length));
  else {
    walk.merge(evaluated, best.marks, place);
    walk.take([], best.repairs);
    return best.value;
  }
  walk.fail();
  return value;
}

const tooMany = (count: number): string => `fits ${count} of the allowed forms, but must fit exactly one`;
