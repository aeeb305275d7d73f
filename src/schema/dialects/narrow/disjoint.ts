import { isEqual } from "../../json-equality.js";
import type { SchemaNode } from "../../keywords.js";
import { isRecord } from "../../type-guards.js";
import type { SchemaDocument } from "../../schema-document.js";
import { flatten } from "../merge-schemas.js";
import { effectiveTypes, listedValues } from "../effective-types.js";

/** Whether no value fits two of the schemas, as far as their types and constants show. */
export function areDisjoint(schemas: readonly unknown[], document: SchemaDocument): boolean {
  const flat = schemas.map((schema) => flatten(schema, document));
  return flat.every(
    (one, index) => isRecord(one) && flat.slice(index + 1).every((other) => isRecord(other) && exclude(one, other, document)),
  );
}

function exclude(one: SchemaNode, other: SchemaNode, document: SchemaDocument): boolean {
  const [left, right] = [listedValues(one), listedValues(other)];
  if (left !== undefined && right !== undefined) return !left.some((value) => right.some((second) => isEqual(value, second)));
  // Types that are only shown (`properties` without `type`) exclude nothing.
  const [types, others] = [saidTypes(one), saidTypes(other)];
  if (types.length > 0 && others.length > 0 && !types.some((type) => others.includes(type))) return true;
  return types.join() === "object" && others.join() === "object" && haveTellingProperty(one, other, document);
}

/** Every number type is `number` here, because 1 is both. */
function saidTypes(node: SchemaNode): readonly string[] {
  if (node.type === undefined && listedValues(node) === undefined) return [];
  return effectiveTypes(node).map((type) => (type === "integer" ? "number" : type));
}

/** A property that both require, with constants that they don't share. */
function haveTellingProperty(one: SchemaNode, other: SchemaNode, document: SchemaDocument): boolean {
  const required = (node: SchemaNode): readonly string[] => (Array.isArray(node.required) ? node.required : []);
  return required(one).some((name) => {
    if (!required(other).includes(name)) return false;
    const [left, right] = [one, other].map(({ properties }) => {
      const schema = flatten(isRecord(properties) && Object.hasOwn(properties, name) ? properties[name] : true, document);
      return isRecord(schema) ? listedValues(schema) : undefined;
    });
    return left !== undefined && right !== undefined && !left.some((value) => right.some((second) => isEqual(value, second)));
  });
}
