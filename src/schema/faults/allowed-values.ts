import { equalityText, isEqual } from "../json-equality.js";
import type { CountWork } from "../work-budget.js";

interface Allowed {
  readonly scalars: ReadonlySet<unknown>;
  readonly structures: readonly unknown[];
  /** The canonical texts of the structures, if there are so many that comparing with each would take longer. */
  readonly texts: ReadonlySet<string> | undefined;
}

const known = new WeakMap<readonly unknown[], Allowed>();

const fewStructures = 4;

/** Whether a value is one of those that an `enum` lists; it takes as long as the value is large, however many there are. */
export function isAllowed(values: readonly unknown[], value: unknown, count: CountWork): boolean {
  let allowed = known.get(values);
  if (allowed === undefined) known.set(values, (allowed = index(values, count)));
  const { scalars, structures, texts } = allowed;
  if (typeof value !== "object" || value === null) return scalars.has(value);
  if (structures.length === 0) return false;
  return texts?.has(equalityText(value, count)) ?? structures.some((structure) => isEqual(structure, value, count));
}

function index(values: readonly unknown[], count: CountWork): Allowed {
  const isStructure = (value: unknown): boolean => typeof value === "object" && value !== null;
  const structures = values.filter(isStructure);
  return {
    scalars: new Set(values.filter((value) => !isStructure(value))),
    structures,
    texts: structures.length <= fewStructures ? undefined : new Set(structures.map((structure) => equalityText(structure, count))),
  };
}
