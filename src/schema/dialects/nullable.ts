import { isRecord } from "../keywords.js";

/** The schema that takes null too. */
export function nullable(wire: Record<string, unknown>): Record<string, unknown> {
  const { type, enum: values, anyOf, $ref } = wire;
  if ($ref !== undefined) return { anyOf: [wire, { type: "null" }] };
  if (Array.isArray(anyOf)) {
    return anyOf.some((inner) => isRecord(inner) && inner.type === "null") ? wire : { ...wire, anyOf: [...anyOf, { type: "null" }] };
  }
  const types = Array.isArray(type) ? type : [type];
  if (types.includes("null")) return wire;
  return { ...wire, type: [...types, "null"], ...(Array.isArray(values) && !values.includes(null) && { enum: [...values, null] }) };
}
