import type { ArgumentChange } from "../../tool/index.js";
import { canonicalJson } from "../canonical-json.js";

/**
 * The differences between two JSON values, value by value. Objects and lists are compared by their members, whatever the order of
 * keys.
 *
 * ```ts
 * argumentChanges({ path: "/tmp/data.txt", lines: [1, 2] }, { path: "/tmp/data.json", lines: [1] });
 * // [{ path: "path", from: "/tmp/data.txt", to: "/tmp/data.json" }, { path: "lines[1]", from: 2 }]
 * ```
 */
export function argumentChanges(before: unknown, after: unknown): ArgumentChange[] {
  const changes: ArgumentChange[] = [];
  compare(before, after, "", changes);
  return changes;
}

function compare(before: unknown, after: unknown, path: string, changes: ArgumentChange[]): void {
  if (isContainer(before) && isContainer(after) && Array.isArray(before) === Array.isArray(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      compare(own(before, key), own(after, key), pathTo(path, key, Array.isArray(before)), changes);
    }
    return;
  }
  if (before === after || (before !== undefined && after !== undefined && canonicalJson(before) === canonicalJson(after))) return;
  changes.push({ path, ...(before !== undefined && { from: before }), ...(after !== undefined && { to: after }) });
}

const isContainer = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === "object" && value !== null;

const own = (container: Readonly<Record<string, unknown>>, key: string): unknown =>
  Object.hasOwn(container, key) ? container[key] : undefined;

function pathTo(path: string, key: string, isList: boolean): string {
  if (isList) return `${path}[${key}]`;
  return path === "" ? key : `${path}.${key}`;
}
