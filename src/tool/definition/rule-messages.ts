import type { Fault, JsonSchema } from "../../schema/index.js";
import { isRecord } from "../../schema/internal.js";
import { ownMessageOf, type PropertyRules } from "../bridges/class-validator.js";
import type { ShapeBuilder } from "./shape-builder.js";

/** Faults of a schema, in the words that the application gave the broken rules by class-validator's `message`. */
export function inOwnWords(faults: readonly Fault[], schema: JsonSchema, value: unknown, builder: ShapeBuilder): readonly Fault[] {
  if (builder.withMessages.size === 0) return faults;
  return faults.map((fault) => {
    const message = messageFor(fault, schema, value, builder);
    return message === undefined ? fault : { ...fault, message };
  });
}

/** Follows the path through schema and value to the field that has the rules. A path that can't be followed keeps its words. */
function messageFor({ path, keyword }: Fault, schema: JsonSchema, value: unknown, builder: ShapeBuilder): string | undefined {
  let node: unknown = schema;
  let place = value;
  let rules: PropertyRules | undefined;
  let property = "";
  for (const key of path.split(/[.[\]]+/).filter((part) => part !== "")) {
    if (!isRecord(node)) return undefined;
    const target: unknown = typeof node.$ref === "string" ? builder.definitions[node.$ref.replace("#/$defs/", "")] : node;
    if (!isRecord(target)) return undefined;
    const isField = isRecord(target.properties) && Object.hasOwn(target.properties, key);
    node = isField ? (target.properties as Record<string, unknown>)[key] : target.items;
    place = typeof place === "object" && place !== null ? (place as Record<string, unknown>)[key] : undefined;
    if (!isField) continue;
    rules = builder.withMessages.get(node as JsonSchema);
    property = key;
  }
  return rules === undefined ? undefined : ownMessageOf(rules, property, keyword, place);
}
