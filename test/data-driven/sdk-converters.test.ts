import { transformJSONSchema } from "@anthropic-ai/sdk/lib/transform-json-schema";
import { toStrictJsonSchema } from "openai/lib/transform";
import { acceptSchema, type JsonSchema } from "../../src/schema/index.js";
import { type WireForm, wireSchema } from "../../src/schema/internal.js";
import { describeData, readJsonLines } from "../support/data.js";
import { isSchema, type Schema } from "../support/provider-rules/schema-walk.js";

interface ToolItem {
  readonly name: string;
  readonly schema: JsonSchema;
}

/** What an SDK's own converter gives; undefined where it throws. */
function converted(convert: (schema: any) => object, schema: JsonSchema): Schema | undefined {
  try {
    return convert(structuredClone(schema));
  } catch {
    return undefined;
  }
}

/** The shape alone, in one of the ways in which it can be written: descriptions and bounds are told in other places. */
function shapeOf(schema: unknown): unknown {
  if (!isSchema(schema)) return schema;
  const { properties, required = [], additionalProperties, items, const: constant } = schema;
  const union: Schema[] | undefined = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(schema.type)) return shapeOf({ anyOf: schema.type.map((type) => ofType(schema, type)) });
  const isObject = properties !== undefined || schema.type === "object";
  const listed: unknown[] | undefined = schema.enum ?? (constant === undefined ? undefined : [constant]);
  const shape = {
    // A list of values says their types.
    type: listed === undefined ? schema.type : undefined,
    enum: listed,
    properties: isObject ? Object.fromEntries(Object.entries(properties ?? {}).map(([name, inner]) => [name, shapeOf(inner)])) : undefined,
    required: isObject ? [...required].sort() : undefined,
    additionalProperties,
    items: items && shapeOf(items),
    anyOf: union?.map(shapeOf),
  };
  return JSON.parse(JSON.stringify(shape));
}

/** The same schema for values of one type. */
function ofType(schema: Schema, type: string): Schema {
  if (type === "null") return { type };
  return { ...schema, type, ...(schema.enum && { enum: schema.enum.filter((value: unknown) => value !== null) }) };
}

/** Names that Anthropic's API refuses, and its SDK sends. */
const hasIllegalName = ({ properties = {} }: JsonSchema): boolean =>
  Object.keys(properties).some((name) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(name));

describeData(["tools.jsonl"], (path) => {
  const schemas = readJsonLines<ToolItem>(path).map(({ name, schema }) => ({ name, schema: acceptSchema(schema) }));

  for (const [sdk, form, convert] of [
    ["openai", "openai-strict", toStrictJsonSchema],
    ["@anthropic-ai/sdk", "anthropic-strict", transformJSONSchema],
  ] as const satisfies readonly (readonly [string, WireForm, (schema: any) => object])[]) {
    it(`${sdk}: if its converter and this one give a strict schema, both give the same shape`, () => {
      let compared = 0;
      const different = schemas.filter(({ schema }) => {
        const wire = wireSchema(schema, form);
        const theirs = converted(convert, schema);
        if ("refused" in wire || !wire.strict || theirs === undefined || hasIllegalName(schema)) return false;
        compared += 1;
        return JSON.stringify(shapeOf(wire.parameters)) !== JSON.stringify(shapeOf(theirs));
      });
      expect(different.map(({ name }) => name)).toEqual([]);
      expect(compared).toBeGreaterThan(0);
    });
  }
});
