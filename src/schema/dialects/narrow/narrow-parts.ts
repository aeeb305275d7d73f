import type { SchemaNode } from "../../keywords.js";
import { isRecord } from "../../type-guards.js";
import { setOwn } from "../../../redaction/internal.js";
import { UnfitError } from "../conversion.js";
import type { NarrowSchema, Written } from "./narrow-schema.js";
import { nullable } from "./nullable.js";
import { type ObjectRestore, restoreItems, restoreObject } from "../restore.js";
import { WireNames } from "../wire-names.js";

/** An object with its properties; `isRoot`: that of the arguments. */
export function writeObject(schema: NarrowSchema, node: SchemaNode, isRoot: boolean): Written {
  const { rules } = schema;
  const properties: SchemaNode = isRecord(node.properties) ? node.properties : {};
  const own = Object.keys(properties).filter((name) => properties[name] !== false);
  const declared: readonly string[] = Array.isArray(node.required) ? node.required : [];
  const undeclared = declared.filter((name) => !own.includes(name));
  if (undeclared.length > 0 && rules.isStrict) throw new UnfitError(`it requires ${undeclared.join(", ")} without declaring it`);
  const { names: rule } = rules;
  const names = rule !== undefined && (isRoot || rule.everywhere) ? new WireNames(own, rule.legalForm) : undefined;
  const restores: ObjectRestore = {};
  const required: string[] = [];
  const written: Record<string, unknown> = {};
  for (const name of own) {
    const wireName = names?.toWire(name) ?? name;
    if (wireName !== name) (restores.names ??= new Map()).set(wireName, name);
    let { wire, restore } = schema.write(properties[name]);
    const isRequired = declared.includes(name);
    if (!isRequired && rules.optional === "null") {
      wire = nullable(wire);
      if (!schema.takes(properties[name], null)) (restores.absent ??= new Set()).add(name);
    }
    if (restore !== undefined) (restores.inner ??= new Map()).set(name, restore);
    if (isRequired || rules.optional === "null") required.push(wireName);
    setOwn(written, wireName, wire);
  }
  const wire: Record<string, unknown> = { properties: written };
  if (rules.isStrict || required.length > 0) wire.required = required;
  if (rules.isStrict) wire.additionalProperties = false;
  const notes = schema.notes();
  if (undeclared.length > 0) notes.add("required", undeclared);
  if (isRecord(node.additionalProperties)) notes.add("additionalProperties", node.additionalProperties);
  if (notes.text !== undefined) wire.description = notes.text;
  return { wire, restore: restoreObject(restores) };
}

/** A list whose items are all of one schema. */
export function writeArray(schema: NarrowSchema, items: unknown): Written {
  const { wire, restore } = schema.write(items);
  return { wire: { items: wire }, restore: restoreItems(restore) };
}
