/** A line isn't made longer than this if it can be broken. */
const longestLine = 120;

const identifier = /^[A-Za-z_$][\w$]*$/;

/** A key of an object, or the name of a field. */
export const keySource = (name: string): string => (identifier.test(name) ? name : JSON.stringify(name));

/** A JSON value as TypeScript. `indent`: of the line that it begins on, `used`: the characters before it there. */
export function literal(value: unknown, indent = "", used = indent.length): string {
  const line = inline(value);
  if (used + line.length <= longestLine || typeof value !== "object" || value === null) return line;
  const inner = `${indent}  `;
  if (Array.isArray(value)) return `[\n${value.map((entry) => `${inner}${literal(entry, inner)},\n`).join("")}${indent}]`;
  const members = Object.entries(value).map(([name, entry]) => {
    const key = `${inner}${keySource(name)}: `;
    return `${key}${literal(entry, inner, key.length)},\n`;
  });
  return `{\n${members.join("")}${indent}}`;
}

function inline(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "undefined";
  if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`;
  const members = Object.entries(value).map(([name, entry]) => `${keySource(name)}: ${inline(entry)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}
