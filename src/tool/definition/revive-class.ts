import type { ClassToken } from "../../schema/index.js";
import { transformsOf } from "../bridges/class-transformer.js";
import { readInstance } from "../bridges/transformed-instance.js";
import { ToolDefinitionError } from "../tool-errors.js";
import { nameOf } from "./class-fields.js";
import type { FieldShape } from "./field-shape.js";
import { isPlainObject, memberPath, type Revive } from "./revival.js";

/** Nested values arrive as instances of their class, built without arguments. */
export function reviveClass(constructor: ClassToken, fields: readonly FieldShape[]): Revive {
  const revived = fields.filter((field) => field.revive !== undefined);
  const transformed = transformsOf(constructor)?.active === true;
  return (holder, key, path, revival) => {
    const value = holder[key];
    let instance: Record<string, unknown>;
    // Made by class-transformer already: of this class, or of what an author's @Transform says.
    if (value instanceof constructor) instance = value as Record<string, unknown>;
    else if (!isPlainObject(value)) return;
    else if (transformed) {
      const made = readInstance(constructor, value, path);
      if (!made.ok) {
        revival.faults.push(...made.error);
        return;
      }
      instance = made.value;
    } else instance = makeInstance(constructor, value);
    holder[key] = instance;
    for (const { name, property, revive, revivesAbsent } of revived) {
      if (revivesAbsent || instance[property] !== undefined) revive?.(instance, property, memberPath(path, name), revival);
    }
  };
}

/** A result stays what it is: only what checks itself in it is asked. */
export function checkMembers(fields: readonly FieldShape[]): Revive {
  const checked = fields.filter((field) => field.revive !== undefined);
  return (holder, key, path, revival) => {
    const value = holder[key];
    if (!isPlainObject(value)) return;
    const members = { ...value };
    for (const { name, revive, revivesAbsent } of checked) {
      if (revivesAbsent || members[name] !== undefined) revive?.(members, name, memberPath(path, name), revival);
    }
  };
}

function makeInstance(constructor: ClassToken, plain: Record<string, unknown>): Record<string, unknown> {
  try {
    // A class that wants arguments throws, which is reported.
    return assign(new (constructor as unknown as new () => Record<string, unknown>)(), plain);
  } catch (error) {
    throw new ToolDefinitionError(
      `${nameOf(constructor)}: an instance can't be made without arguments: ${error instanceof Error ? error.message : String(error)}. ` +
        "Let its constructor do without them.",
      { cause: error },
    );
  }
}

/** The schema has refused `__proto__`, as every key that isn't a field; what a `@Transform` makes may have it. */
function assign(instance: Record<string, unknown>, plain: Record<string, unknown>): Record<string, unknown> {
  for (const name of Object.keys(plain)) {
    const value = plain[name];
    if (value !== undefined && name !== "__proto__") instance[name] = value;
  }
  return instance;
}
