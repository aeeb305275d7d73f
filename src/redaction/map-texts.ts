import { setOwn } from "./set-own.js";

/**
 * Changes every text of a JSON value, names of members included, however deep it is nested. The value is changed in place; a text
 * alone is returned changed. If two members get one name, the one that had it before stays.
 */
export function mapTexts<Value>(value: Value, change: (text: string) => string): Value {
  // A text stays a text.
  if (typeof value === "string") return change(value) as Value & string;
  const open: unknown[] = [value];
  for (let container = open.pop(); container !== undefined; container = open.pop()) {
    if (typeof container !== "object" || container === null) continue;
    const members = container as Record<string, unknown>;
    if (!Array.isArray(container)) renameMembers(members, change);
    for (const name of Object.keys(members)) {
      const member = members[name];
      if (typeof member === "string") setOwn(members, name, change(member));
      else if (typeof member === "object" && member !== null) open.push(member);
    }
  }
  return value;
}

function renameMembers(members: Record<string, unknown>, change: (text: string) => string): void {
  const entries = Object.entries(members);
  if (entries.every(([name]) => change(name) === name)) return;
  const taken = new Set(entries.flatMap(([name]) => (change(name) === name ? [name] : [])));
  for (const [name] of entries) delete members[name];
  for (const [name, member] of entries) {
    const shown = change(name);
    if (shown !== name && taken.has(shown)) continue;
    taken.add(shown);
    setOwn(members, shown, member);
  }
}
