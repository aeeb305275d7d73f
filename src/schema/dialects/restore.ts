import { isRecord } from "../type-guards.js";
import { setOwn } from "../../redaction/internal.js";

/** Turns a value that a model wrote for the schema on the wire into one for the tool's own schema. Never changes the value given. */
export type Restore = (value: unknown) => unknown;

/** What is to be undone in one object; most have little. */
export interface ObjectRestore {
  /** Each renamed property's own name, by its name on the wire. */
  names?: Map<string, string>;
  /** The optional properties, by their own names, that are null on the wire if they are left out, because they allow no null. */
  absent?: Set<string>;
  /** What is to be undone within properties, by their own names. */
  inner?: Map<string, Restore>;
}

/** `undefined` if nothing is to be undone. */
export function restoreObject({ names, absent, inner }: ObjectRestore): Restore | undefined {
  const onlyNulls = names === undefined && inner === undefined;
  if (onlyNulls && absent === undefined) return undefined;
  return (value) => {
    if (!isRecord(value)) return value;
    const keys = Object.keys(value);
    if (onlyNulls && !keys.some((key) => value[key] === null)) return value;
    const restored: Record<string, unknown> = {};
    for (const key of keys) {
      const name = names?.get(key) ?? key;
      if (value[key] === null && absent?.has(name)) continue;
      const restore = inner?.get(name);
      setOwn(restored, name, restore === undefined ? value[key] : restore(value[key]));
    }
    return restored;
  };
}

export function restoreItems(item: Restore | undefined): Restore | undefined {
  return item && ((value) => (Array.isArray(value) ? value.map((entry) => item(entry)) : value));
}

/** A text that is JSON becomes what it says; any other text, or a value that is no text, stands for itself. */
export const restoreText: Restore = (value) => {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
};

/** A branch of a union, as it is on the wire and as it is meant. */
export interface UnionBranch {
  /** Whether the schema on the wire takes the value. */
  readonly takes: (value: unknown) => boolean;
  /** Whether the tool's own schema takes the value. */
  readonly fits: (value: unknown) => boolean;
  readonly restore: Restore | undefined;
}

/** The value is read as the first branch that takes it on the wire and fits once it is restored. */
export function restoreUnion(branches: readonly UnionBranch[]): Restore | undefined {
  if (branches.every(({ restore }) => restore === undefined)) return undefined;
  return (value) => {
    let first: { readonly restored: unknown } | undefined;
    for (const { takes, fits, restore } of branches) {
      if (!takes(value)) continue;
      const restored = restore === undefined ? value : restore(value);
      if (fits(restored)) return restored;
      first ??= { restored };
    }
    return first === undefined ? value : first.restored;
  };
}
