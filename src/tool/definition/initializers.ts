import { isDeepStrictEqual } from "node:util";
import { describeValue, isEqual } from "../../schema/internal.js";
import { nameOf } from "./class-fields.js";
import { ToolDefinitionError } from "../tool-errors.js";
import type { FieldShape } from "./field-shape.js";
import { type Holder, startRevival } from "./revival.js";
import type { Tool } from "../tool.js";
import type { ToolClass } from "../tool-class.js";
import type { ToolPlan } from "./tool-plan.js";

/** What looks at the initializers of a class that has defaults: see `ToolPlan.inspect`. */
export function inspectorOf(toolClass: ToolClass, fields: readonly FieldShape[]): ToolPlan["inspect"] {
  const hasDefault = fields.some(({ schema }) => schema.default !== undefined);
  return hasDefault ? (instance) => refuseContradictions(toolClass, fields, instance) : undefined;
}

function refuseContradictions(toolClass: ToolClass, fields: readonly FieldShape[], instance: Tool): void {
  for (const field of fields) {
    const { name, property, schema } = field;
    // `Tool` declares no fields: those of the subclass are known by name.
    const initial = (instance as unknown as Holder)[property];
    if (schema.default === undefined || initial === undefined) continue;
    const text = jsonTextOf(initial);
    if ((text !== undefined && isEqual(JSON.parse(text), schema.default)) || isRevived(initial, field)) continue;
    throw new ToolDefinitionError(
      `${nameOf(toolClass)}.${name}: its default is ${JSON.stringify(schema.default)}, and it is initialized with ` +
        `${text ?? describeValue(initial)}, which no call would see. Leave the initializer out: ${name}!`,
    );
  }
}

/** `undefined` for what JSON can't hold. */
function jsonTextOf(value: unknown): string | undefined {
  if (typeof value === "number" && !Number.isFinite(value)) return undefined;
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** Whether it is what a call would get for the default: a Standard Schema may make something else of that. */
function isRevived(initial: unknown, { schema, name, revive }: FieldShape): boolean {
  if (revive === undefined) return false;
  const holder: Holder = { value: structuredClone(schema.default) };
  const revival = startRevival();
  revive(holder, "value", name, revival);
  // What rules make of it later isn't known here: then nothing is held against the author.
  return revival.pending.length > 0 || isDeepStrictEqual(holder.value, initial);
}
