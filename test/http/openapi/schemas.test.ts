import type { JsonSchema } from "../../../src/index.js";
import { validateToolInput } from "../../../src/execution/index.js";
import { documentOf, get, type Json, namesOf, onlyTool, reasonOf, schemaOf } from "./support.js";

const withVersion = (openapi: string, schema: Json, schemas: Json = {}): Json =>
  documentOf(
    { "/a": { post: { requestBody: { required: true, content: { "application/json": { schema } } } } } },
    { openapi, components: { schemas } },
  );

/** What a schema of a body becomes that isn't a plain object. */
const converted = (
  schema: Json,
  { openapi = "3.0.4", schemas = {} }: { openapi?: string; schemas?: Json } = {},
): JsonSchema | boolean | undefined => schemaOf(withVersion(openapi, { type: "array", items: schema }, schemas)).properties?.body;

const itemOf = (schema: Json): unknown => (converted(schema) as JsonSchema).items;

describe("a schema of OpenAPI 3.0 or 2.0 becomes one of JSON Schema 2020-12", () => {
  it.each<[string, Json, unknown]>([
    ["nullable", { type: "string", nullable: true }, { type: ["string", "null"] }],
    ["nullable with an enum", { type: "string", enum: ["a"], nullable: true }, { type: ["string", "null"], enum: ["a", null] }],
    [
      "nullable with parts",
      { allOf: [{ type: "string" }], nullable: true },
      { anyOf: [{ allOf: [{ type: "string" }] }, { type: "null" }] },
    ],
    ["x-nullable", { type: "integer", "x-nullable": true }, { type: ["integer", "null"] }],
    ["exclusiveMinimum: true", { type: "number", minimum: 0, exclusiveMinimum: true }, { type: "number", exclusiveMinimum: 0 }],
    ["exclusiveMaximum: false", { type: "number", maximum: 9, exclusiveMaximum: false }, { type: "number", maximum: 9 }],
    ["exclusiveMinimum, a number", { type: "number", exclusiveMinimum: 1 }, { type: "number", exclusiveMinimum: 1 }],
    ["example", { type: "string", example: "rose" }, { type: "string", examples: ["rose"] }],
    [
      "default",
      { type: "integer", default: 10, description: "The page size" },
      { type: "integer", description: "The page size. Default: 10." },
    ],
    [
      "discriminator, xml, extensions",
      { type: "object", discriminator: { propertyName: "kind" }, xml: {}, "x-order": 1 },
      { type: "object" },
    ],
    ["required: true of a property", { type: "string", required: true }, { type: "string" }],
    [
      "additionalProperties",
      { type: "object", additionalProperties: { nullable: true, type: "string" } },
      { type: "object", additionalProperties: { type: ["string", "null"] } },
    ],
    [
      "properties named like keywords",
      { properties: { default: {}, example: {}, $ref: {} } },
      { properties: { default: {}, example: {}, $ref: {} } },
    ],
    ["a pattern that can't be checked", { type: "string", pattern: "(a)\\1" }, { type: "string" }],
  ])("%s", (_, schema, expected) => {
    expect(itemOf(schema)).toEqual(expected);
  });

  it("without properties that are read only, and without asking for them", () => {
    const schema = {
      type: "object",
      properties: { id: { type: "string", readOnly: true }, name: { type: "string" } },
      required: ["id", "name"],
    };
    expect(schemaOf(withVersion("3.0.4", schema))).toMatchObject({ properties: { name: { type: "string" } }, required: ["name"] });
  });

  it("without properties whose type is read only", () => {
    const schemas = { Id: { type: "string", readOnly: true } };
    expect(
      namesOf(
        schemaOf(withVersion("3.0.4", { type: "object", properties: { id: { $ref: "#/components/schemas/Id" }, name: {} } }, schemas)),
      ),
    ).toEqual(["name"]);
  });
});

describe("a schema of OpenAPI 3.1", () => {
  it("stays what it is", () => {
    const schema = { type: ["string", "null"], const: "a", examples: ["a"], $comment: "internal" };
    expect((converted(schema, { openapi: "3.1.0" }) as JsonSchema).items).toEqual({
      type: ["string", "null"],
      const: "a",
      examples: ["a"],
    });
  });

  it("keeps keywords beside a reference", () => {
    const schemas = { Name: { type: "string" } };
    expect((converted({ $ref: "#/components/schemas/Name", maxLength: 3 }, { openapi: "3.1.0", schemas }) as JsonSchema).items).toEqual({
      $ref: "#/$defs/Name",
      maxLength: 3,
    });
    expect((converted({ $ref: "#/components/schemas/Name", maxLength: 3 }, { schemas }) as JsonSchema).items).toEqual({
      $ref: "#/$defs/Name",
    });
  });
});

describe("a recursive schema", () => {
  const schemas = {
    Node: {
      type: "object",
      properties: { name: { type: "string" }, children: { type: "array", items: { $ref: "#/components/schemas/Node" } } },
    },
  };

  it("keeps its recursion, and values of any depth are checked", () => {
    const tool = onlyTool(withVersion("3.0.4", { $ref: "#/components/schemas/Node" }, schemas));
    expect(namesOf(tool.parametersSchema)).toEqual(["name", "children"]);
    expect(validateToolInput(tool, { name: "a", children: [{ children: [{ name: "b" }] }] }).ok).toBe(true);
    expect(validateToolInput(tool, { children: [{ children: [{ name: 7 }] }] }).ok).toBe(false);
  });

  it("holds only the definitions that are used", () => {
    const used = schemaOf(withVersion("3.0.4", { $ref: "#/components/schemas/Node" }, { ...schemas, Other: {} }));
    expect(Object.keys(used.$defs ?? {})).toEqual(["Node"]);
  });

  it("given as an object that holds itself is refused with what to do", () => {
    const node: Record<string, unknown> = { type: "object" };
    node.properties = { child: node };
    expect(reasonOf(withVersion("3.0.4", node))).toContain("a schema holds itself, as documents do whose references were replaced");
  });
});

describe("the arguments of a tool", () => {
  it("are closed: undeclared members are rejected", () => {
    expect(validateToolInput(onlyTool(documentOf({ "/a": get() })), { admin: true }).ok).toBe(false);
  });

  it("have the description and the example of their parameter", () => {
    const parameter = {
      name: "p",
      in: "query",
      description: "The page",
      example: 2,
      schema: { type: "integer", description: "A number", default: 1 },
    };
    expect(schemaOf(documentOf({ "/a": get(parameter) })).properties?.p).toEqual({
      type: "integer",
      description: "The page. Default: 1.",
      examples: [2],
    });
  });

  it("of one name in two places get the place before it", () => {
    const id = { name: "id", required: true, schema: { type: "string" } };
    const document = documentOf({
      "/a/{id}": {
        get: {
          parameters: [
            { ...id, in: "path" },
            { ...id, in: "query" },
            { ...id, in: "header" },
          ],
        },
      },
    });
    expect(namesOf(schemaOf(document))).toEqual(["id", "query_id", "header_id"]);
  });

  it.each([
    ["filter[name]", "filter_name"],
    ["X-Request-Id", "X_Request_Id"],
    ["$top", "top"],
    ["2fa", "_2fa"],
    ["日本", "_"],
    ["__proto__", "proto"],
  ])("have names that every provider takes: %s", (name, argument) => {
    expect(namesOf(schemaOf(documentOf({ "/a": get({ name, in: "query", schema: {} }) })))).toEqual([argument]);
  });

  it("take the operation's parameter instead of the path's of the same name", () => {
    const p = { name: "p", in: "query", schema: { type: "string" } };
    const document = documentOf({ "/a": { parameters: [p], get: { parameters: [{ ...p, schema: { type: "integer" } }] } } });
    expect(schemaOf(document).properties).toEqual({ p: { type: "integer" } });
  });

  it("whose schema is none are refused by name, with the place and the fix", () => {
    expect(reasonOf(documentOf({ "/a": get({ name: "p", in: "query", schema: { type: "dict" } }) }))).toContain(
      'is "dict", which isn\'t a type of JSON Schema. Write "object".',
    );
  });
});
