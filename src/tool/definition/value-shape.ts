import {
  type ClassToken,
  type Fault,
  isIntegerToken,
  isMapToken,
  isStandardSchema,
  isUnionToken,
  type JsonSchema,
  type StandardSchema,
} from "../../schema/index.js";
import { describeValue } from "../../schema/internal.js";
import { checkByRules } from "../bridges/class-validator.js";
import { checkByStandard } from "../bridges/standard-schema-check.js";
import { wireSchemaOf } from "../bridges/standard-wire-schema.js";
import { ToolDefinitionError } from "../tool-errors.js";
import { isPlainObject, memberPath, type Revive, tryRevive, whenReady } from "./revival.js";
import type { ShapeBuilder } from "./shape-builder.js";

/** A type in both its forms: the JSON Schema for the wire, and the way from checked JSON to what the author declared. */
export interface ValueShape {
  readonly schema: JsonSchema;
  /** Absent if JSON is already what the author declared. */
  readonly revive?: Revive | undefined;
  /** The same for an optional field, if it differs: it runs also without a value. */
  readonly reviveOptional?: Revive | undefined;
}

const plainTokens = new Map<unknown, JsonSchema>([
  [String, { type: "string" }],
  [Number, { type: "number" }],
  [Boolean, { type: "boolean" }],
  [Array, { type: "array" }],
  [Object, { type: "object" }],
]);

const rawSchema = "a type that JSON has, or the raw schema: { schema: { ... } }";

/** What to write for built-in classes that the compiler may name, but JSON can't carry. */
export const insteadOf: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [Map, "mapOf(String), or of any other type"],
  [WeakMap, "mapOf(String), or of any other type"],
  [Set, "[String], or a list of any other type, with uniqueItems: true"],
  [WeakSet, "[String], or a list of any other type, with uniqueItems: true"],
  [BigInt, "Integer, or String for more than 15 digits"],
  [URL, 'String, with format: "uri"'],
  [RegExp, "String"],
  [Symbol, "String"],
  [Uint8Array, "String, for base64"],
  [Buffer, "String, for base64"],
  [ArrayBuffer, "String, for base64"],
  [Error, rawSchema],
  [Promise, rawSchema],
]);

/** The shape of any type token; `place` names class and field in errors. */
export function shapeOfToken(token: unknown, place: string, builder: ShapeBuilder): ValueShape {
  const plain = plainTokens.get(token);
  if (plain !== undefined) return { schema: plain };
  if (token === Date) return { schema: { type: "string", format: "date-time" }, revive: reviveDate };
  if (isIntegerToken(token)) return { schema: { type: "integer" } };
  if (isStandardSchema(token)) return shapeOfStandard(token, place, builder);
  if (Array.isArray(token)) return shapeOfList(token, place, builder);
  if (isMapToken(token)) return shapeOfMap(token.values, place, builder);
  if (isUnionToken(token)) return shapeOfUnion(token.members, place, builder);
  if (typeof token === "function") {
    const instead = insteadOf.get(token);
    if (instead !== undefined) throw new ToolDefinitionError(`${place}: JSON has no ${token.name}. Use ${instead}.`);
    // An arrow function has no prototype: it is a thunk, there so that a class may name itself or a later one.
    return token.prototype === undefined
      ? builder.shapeBehind(token as () => unknown, place, shapeOfToken)
      : builder.shapeOfClass(token as ClassToken, place);
  }
  throw new ToolDefinitionError(
    `${place}: ${describeValue(token)} is not a type token${hintFor(token)}. ` +
      "Use String, Number, Integer, Boolean, Date, [String], a class with decorated fields, () => Node, mapOf(...), anyOf(...) or a Standard Schema.",
  );
}

function hintFor(token: unknown): string {
  if (token === undefined) return " (a circular import? write an arrow function: () => Node)";
  return isPlainObject(token) ? " (JSON Schema is written as { schema: { ... } })" : "";
}

/** RFC 3339 has times that `Date` can't hold (leap seconds), and class-transformer makes an invalid date of any other text. */
const reviveDate: Revive = (holder, key, path, revival) => {
  const value = holder[key];
  const date = typeof value === "string" ? new Date(value) : value;
  if (!(date instanceof Date)) return;
  if (Number.isNaN(date.getTime())) revival.faults.push({ path, message: unknownDate, keyword: "format" });
  else holder[key] = date;
};

const unknownDate = "must be a date and time that exists, with seconds from 00 to 59, such as 2024-05-17T09:30:00Z";

function shapeOfList(token: readonly unknown[], place: string, builder: ShapeBuilder): ValueShape {
  if (token.length !== 1) {
    throw new ToolDefinitionError(`${place}: a list type names one item type, e.g. [String]; this one names ${token.length}.`);
  }
  const item = shapeOfToken(token[0], `${place}[]`, builder);
  const schema: JsonSchema = { type: "array", items: item.schema };
  const { revive } = item;
  if (revive === undefined) return { schema };
  return {
    schema,
    revive: (holder, key, path, revival) => {
      const list = holder[key];
      if (!Array.isArray(list)) return;
      const copy = [...list];
      holder[key] = copy;
      for (let index = 0; index < copy.length; index++) {
        revive(copy as never, index, memberPath(path, index), revival);
      }
    },
  };
}

function shapeOfMap(values: unknown, place: string, builder: ShapeBuilder): ValueShape {
  const value = shapeOfToken(values, `${place}{}`, builder);
  const schema: JsonSchema = { type: "object", additionalProperties: value.schema };
  const { revive } = value;
  if (revive === undefined) return { schema };
  return {
    schema,
    revive: (holder, key, path, revival) => {
      const map = holder[key];
      if (!isPlainObject(map)) return;
      const copy: Record<string, unknown> = { ...map };
      holder[key] = copy;
      for (const name of Object.keys(copy)) revive(copy, name, memberPath(path, name), revival);
    },
  };
}

function shapeOfUnion(members: readonly unknown[], place: string, builder: ShapeBuilder): ValueShape {
  if (members.length === 0) throw new ToolDefinitionError(`${place}: anyOf() names no types. Write e.g. anyOf(String, Integer).`);
  const shapes = members.map((member) => shapeOfToken(member, place, builder));
  const schema: JsonSchema = { anyOf: shapes.map((shape) => shape.schema) };
  if (shapes.every((shape) => shape.revive === undefined)) return { schema };
  return {
    schema,
    revive: (holder, key, path, revival) => {
      const value = holder[key];
      let refusal: readonly Fault[] = [];
      // A Standard Schema takes any value at first, and may refuse it after all, as rules after a @Transform may: then the next
      // has its turn.
      const tryFrom = (index: number): void => {
        const shape = shapes[index];
        if (shape === undefined) {
          revival.faults.push(...refusal);
          return;
        }
        const checked = builder.validatorOf(shape.schema).validate(value, { owned: false, repair: false });
        if (!checked.ok) {
          tryFrom(index + 1);
          return;
        }
        if (shape.revive === undefined) {
          holder[key] = checked.value;
          return;
        }
        const take = (revived: unknown, faults: readonly Fault[]): void => {
          if (faults.length === 0) {
            holder[key] = revived;
          } else {
            if (refusal.length === 0) refusal = faults;
            tryFrom(index + 1);
          }
        };
        tryRevive(shape.revive, checked.value, path, revival, (revived, faults) => {
          const ruled = faults.length === 0 && builder.beforeTransform.size > 0 && typeof revived === "object" && revived !== null;
          if (!ruled) take(revived, faults);
          else
            whenReady(checkByRules(revived), revival, (broken) =>
              take(
                revived,
                broken.map((fault) => under(path, fault)),
              ),
            );
        });
      };
      tryFrom(0);
    },
  };
}

/** As `shapeOfToken`, for the result of a tool: it describes a Standard Schema's output, because that is what is sent. */
export const shapeOfResult = (token: unknown, place: string, builder: ShapeBuilder): ValueShape =>
  isStandardSchema(token) ? shapeOfStandard(token, place, builder, "output") : shapeOfToken(token, place, builder);

/** The schema validates for itself: locally anything passes on to it, the wire gets its JSON Schema. */
function shapeOfStandard(standard: StandardSchema, place: string, builder: ShapeBuilder, side: "input" | "output" = "input"): ValueShape {
  const schema = builder.adopt(wireSchemaOf(standard, place, side), place);
  builder.selfValidating.add(schema);
  return { schema, revive: reviveByStandard(standard, false), reviveOptional: reviveByStandard(standard, true) };
}

/**
 * An optional field is asked for if no value came, because the schema may have a default; if it has none,
 * absent stays absent.
 */
function reviveByStandard(standard: StandardSchema, optional: boolean): Revive {
  return (holder, key, path, revival) => {
    const value = holder[key];
    whenReady(checkByStandard(standard, value), revival, (checked) => {
      if (checked.ok) {
        if (checked.value !== value) holder[key] = checked.value;
      } else if (value !== undefined || !optional) {
        for (const fault of checked.error) revival.faults.push(under(path, fault));
      }
    });
  };
}

const under = (path: string, fault: Fault): Fault => ({ ...fault, path: joinPaths(path, fault.path) });

const joinPaths = (outer: string, inner: string): string => {
  if (inner === "" || inner.startsWith("[")) return outer + inner;
  return memberPath(outer, inner);
};
