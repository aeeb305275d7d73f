import { describeValue } from "./describe-value.js";
import type { Fault, Repair } from "./fault.js";
import { isSecret } from "./fault-text.js";
import { type Place, pathOf } from "../place.js";

/** A fault with its parts, from which the faults of a union are put together. */
export interface WalkFault extends Fault {
  readonly place: Place | undefined;
  /** What would have fitted: `an integer`, `one of: a, b`. */
  readonly expected: string | undefined;
}

/** The result of one branch of a union. */
export interface Branch {
  readonly node: unknown;
  readonly value: unknown;
  readonly faults: readonly WalkFault[];
  readonly repairs: readonly Repair[];
}

/** Keywords that identify a value. A branch that fails at one of them wasn't meant. */
const identifying: ReadonlySet<string> = new Set(["type", "const", "enum"]);

/**
 * What to say when no branch of a union fits. If the value itself fits no branch, one line lists what each branch expects. If a property
 * distinguishes the branches (`kind`), the fault lists its allowed values. Otherwise the faults are those of the nearest branch.
 */
export function explainUnion(
  branches: readonly Branch[],
  place: Place | undefined,
  keyword: "anyOf" | "oneOf",
  value: unknown,
): readonly WalkFault[] {
  const path = pathOf(place);
  const missesValue = (fault: WalkFault): boolean => fault.path === path && identifying.has(fault.keyword);
  const meant = branches.filter(({ faults }) => !faults.some(missesValue) && !faults.some((fault) => fault.keyword === "false"));
  if (meant.length === 0) {
    const expected = expectations(branches.flatMap(({ faults }) => faults.filter(missesValue)));
    return [{ path, place, keyword, expected, message: `must be ${expected}${isSecret(place) ? "" : `, got ${describeValue(value)}`}` }];
  }
  return (
    tellApart(meant, keyword) ?? meant.reduce((nearest, branch) => (cost(branch, path) < cost(nearest, path) ? branch : nearest)).faults
  );
}

/** If every branch rejects the value of the same property, that property is wrong. */
function tellApart(branches: readonly Branch[], keyword: "anyOf" | "oneOf"): readonly WalkFault[] | undefined {
  const [first, ...others] = branches;
  if (first === undefined || others.length === 0) return undefined;
  const constants = others.map(({ faults }) => constantsOf(faults));
  for (const [path, fault] of constantsOf(first.faults)) {
    const same = constants.map((byPath) => byPath.get(path)).filter((other) => other !== undefined);
    if (same.length < others.length) continue;
    const expected = expectations([fault, ...same]);
    const ending = /, got .*$/s.exec(fault.message)?.[0] ?? "";
    return [{ path, place: fault.place, keyword, expected, message: `must be ${expected}${ending}` }];
  }
  return undefined;
}

/** The first fault at each path that names an allowed value. */
function constantsOf(faults: readonly WalkFault[]): ReadonlyMap<string, WalkFault> {
  const byPath = new Map<string, WalkFault>();
  for (const fault of faults) {
    if ((fault.keyword === "const" || fault.keyword === "enum") && !byPath.has(fault.path)) byPath.set(fault.path, fault);
  }
  return byPath;
}

/** So many expected values are named. */
const maxExpected = 50;

function expectations(faults: readonly WalkFault[]): string {
  const types = new Set<string>();
  const values = new Set<string>();
  for (const { keyword, expected = "" } of faults) (keyword === "type" ? types : values).add(expected.replace(/^one of: /, ""));
  const named = [...values].slice(0, maxExpected);
  const more = values.size > maxExpected ? `, ... (${values.size - maxExpected} more)` : "";
  const many = named.length > 1 || named.some((text) => text.includes(", "));
  return [...types, ...(named.length === 0 ? [] : [`${many ? "one of: " : ""}${named.join(", ")}${more}`])].join(" or ");
}

/** A wrong constant in a property weighs most, because constants distinguish the branches. */
const cost = ({ faults }: Branch, path: string): number =>
  faults.reduce((sum, fault) => sum + (fault.keyword === "const" && fault.path !== path ? 10 : 1), 0);
