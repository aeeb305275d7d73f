import { isRecord } from "../../type-guards.js";

/** The schema that takes null too. */
export function nullable(wire: Record<string, unknown>): Record<string, unknown> {
  const { type } = wire;
  if (type === undefined) return withNullBranch(wire);
  const types = Array.isArray(type) ? type : [type];
  if (types.includes("null")) return wire;
  // Copied by Object.assign: on Node 20 a literal that spreads and then adds members costs a hundred times as much.
  const copy: Record<string, unknown> = Object.assign({}, wire);
  copy.type = [...types, "null"];
  if (Array.isArray(wire.enum) && !wire.enum.includes(null)) copy.enum = [...wire.enum, null];
  return copy;
}

/** A reference, or a union. */
function withNullBranch(wire: Record<string, unknown>): Record<string, unknown> {
  const { anyOf } = wire;
  if (!Array.isArray(anyOf)) return { anyOf: [wire, { type: "null" }] };
  const takesNull = anyOf.some((branch) => isRecord(branch) && branch.type === "null");
  return takesNull ? wire : { ...wire, anyOf: [...anyOf, { type: "null" }] };
}
