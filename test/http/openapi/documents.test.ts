import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { openApiToolbox } from "../../../src/http/openapi/index.js";
import { ToolDefinitionError } from "../../../src/index.js";
import { documentOf, get, type Json, reasonOf, schemaOf } from "./support.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "openapi-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Writes files into the test's folder, and gives the path of the first. */
function write(files: Readonly<Record<string, string | Json>>): string {
  const paths = Object.entries(files).map(([name, content]) => {
    const path = join(folder, name);
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
    return path;
  });
  return paths[0] as string;
}

const yaml = `
openapi: 3.1.0
info: { title: Flowers, version: 1 }
servers: [{ url: https://api.example.com }]
paths:
  /flowers/{name}:
    get:
      operationId: getFlower
      summary: Gets a flower.
      parameters:
        - { name: name, in: path, required: true, schema: { type: string } }
      responses:
        200: { description: OK }
`;

describe("a document", () => {
  it("may be an object, a path, or a file: URL", () => {
    const path = write({ "flowers.json": documentOf({ "/a": get() }) });
    for (const source of [documentOf({ "/a": get() }), path, pathToFileURL(path), pathToFileURL(path).href]) {
      expect(openApiToolbox(source).tools.map(({ identifier }) => identifier)).toEqual(["ask"]);
    }
  });

  it("in YAML is read with the package yaml", () => {
    const { name, tools } = openApiToolbox(write({ "flowers.yaml": yaml }));
    expect([name, tools[0]?.identifier, tools[0]?.definition.description]).toEqual(["flowers", "getFlower", "Gets a flower."]);
  });

  it.each([
    ["2.0", { swagger: "2.0", host: "api.example.com" }],
    ["3.0", { openapi: "3.0.4" }],
    ["3.1", { openapi: "3.1.1" }],
    ["3.2, as far as it is 3.1", { openapi: "3.2.0" }],
  ])("of version %s is read", (_, version) => {
    const { openapi: _openapi, ...document } = documentOf({ "/a": get() });
    expect(openApiToolbox({ ...document, ...version }).tools).toHaveLength(1);
  });

  it.each<[string, () => unknown, string]>([
    [
      "of another version",
      () => openApiToolbox({ openapi: "4.0.0" }),
      'is written in version "4.0.0" of OpenAPI; 2.0, 3.0 and 3.1 can be read',
    ],
    ["of no version", () => openApiToolbox({ paths: {} }), "isn't an OpenAPI document: it has neither"],
    ["given as its text", () => openApiToolbox(yaml), "not its text. Parse it: JSON.parse(text)"],
    [
      "given by its address",
      () => openApiToolbox("https://api.example.com/openapi.json"),
      "isn't fetched. Save the document beside your code",
    ],
    ["that doesn't exist", () => openApiToolbox("./nowhere.yaml"), "there is no file"],
    ["that is broken JSON", () => openApiToolbox(write({ "a.json": '{ "openapi": ' })), "a.json isn't JSON"],
    ["that is broken YAML", () => openApiToolbox(write({ "a.yaml": "openapi: [" })), "a.yaml isn't YAML"],
    ["that holds a list", () => openApiToolbox(write({ "a.yaml": "- 1" })), "holds no object"],
    ["without operations", () => openApiToolbox(documentOf({})), "Test API has no operations"],
  ])("%s is refused with what to do", (_, read, message) => {
    expect(read).toThrow(ToolDefinitionError);
    expect(read).toThrow(message);
  });

  it("of aliases that unfold without end is refused", () => {
    const lines = ["a: &a [x, x, x, x, x, x, x, x, x, x]"];
    for (const [name, of] of ["ba", "cb", "dc", "ed", "fe", "gf", "hg"]) lines.push(`${name}: &${name} [${`*${of},`.repeat(10)}]`);
    expect(() => openApiToolbox(write({ "bomb.yaml": lines.join("\n") }))).toThrow("isn't YAML");
  });
});

describe("a reference", () => {
  const referring = (schema: Json, rest: Json = {}): Json => documentOf({ "/a": get({ name: "flower", in: "query", schema }) }, rest);

  it("within the document is followed, to schemas, parameters, bodies and paths", () => {
    const document = documentOf(
      { "/a": { $ref: "#/components/pathItems/a" } },
      {
        components: {
          pathItems: {
            a: { post: { parameters: [{ $ref: "#/components/parameters/p" }], requestBody: { $ref: "#/components/requestBodies/b" } } },
          },
          parameters: { p: { name: "p", in: "query", schema: { $ref: "#/components/schemas/s~1t" } } },
          requestBodies: { b: { required: true, content: { "application/json": { schema: { $ref: "#/components/schemas/o" } } } } },
          schemas: { "s/t": { type: "integer" }, o: { type: "object", properties: { q: { $ref: "#/components/schemas/s~1t" } } } },
        },
      },
    );
    expect(schemaOf(document)).toEqual({
      type: "object",
      properties: { p: { type: "integer" }, q: { $ref: "#/$defs/s_1t" } },
      additionalProperties: false,
      $defs: { s_1t: { type: "integer" } },
    });
  });

  it("to a file is followed, and from there relative to it", () => {
    const path = write({
      "api.json": referring({ $ref: "schemas/flower.yaml#/Flower" }),
      "schemas/flower.yaml": "Flower: { type: object, properties: { color: { $ref: ../color.json } } }",
      "color.json": { type: "string", enum: ["red"] },
    });
    expect(openApiToolbox(path).tools[0]?.parametersSchema).toMatchObject({
      properties: { flower: { type: "object", properties: { color: { $ref: "#/$defs/color_json" } } } },
      $defs: { color_json: { type: "string", enum: ["red"] } },
    });
  });

  it("that is broken spoils only the operations that use it, and they are reported by name", () => {
    const { tools, refused } = openApiToolbox(
      documentOf({ "/bad": { get: { operationId: "bad", parameters: [{ $ref: "#/components/parameters/none" }] } }, "/good": get() }),
    );
    expect(tools.map(({ identifier }) => identifier)).toEqual(["ask"]);
    expect(refused).toEqual([
      {
        operation: "GET /bad",
        operationId: "bad",
        reason:
          'the reference "#/components/parameters/none" leads nowhere: the document has no "components". Correct it, or add what it stands for.',
      },
    ]);
  });

  it.each<[string, Json, string]>([
    [
      "to the network",
      { $ref: "https://example.com/flower.json" },
      "is elsewhere, and nothing is fetched. Save it in the document's folder",
    ],
    ["to a file: URL", { $ref: "file:///etc/passwd" }, "is elsewhere, and nothing is fetched"],
    ["to a file, of a document without a folder", { $ref: "./flower.json" }, "the document was given as an object, without a folder"],
    ["to an anchor", { $ref: "#flower" }, 'names an anchor. Write the way to it: "#/components/schemas/Name"'],
    ["to itself", { $ref: "#/paths/~1a/get/parameters/0/schema" }, "leads back to itself"],
    ["to what every object seems to have", { $ref: "#/info/constructor" }, 'the document has no "constructor"'],
  ])("%s is refused: %j", (_, schema, reason) => {
    expect(reasonOf(referring(schema))).toContain(reason);
  });

  it("deep in a schema that another one refers to is found", () => {
    const schemas = { Garden: { properties: { flower: { $ref: "#/components/schemas/Flower" } } } };
    const schema = { type: "array", items: { $ref: "#/components/schemas/Garden" } };
    expect(reasonOf(referring(schema, { components: { schemas } }))).toContain('"#/components/schemas/Flower" leads nowhere');
  });

  it.each(["../outside.json", "/etc/hostname", "%2e%2e/outside.json", "link.json"])(
    "out of the document's folder isn't followed: %s",
    (reference) => {
      const path = write({ "api/api.json": referring({ $ref: reference }), "outside.json": { type: "string" } });
      symlinkSync(join(folder, "outside.json"), join(folder, "api/link.json"));
      expect(() => openApiToolbox(path)).toThrow(/leads out of the document's folder .* Keep all files of the document below it/);
    },
  );

  it("to a file that doesn't exist, or can't be read, says so", () => {
    expect(() => openApiToolbox(write({ "api.json": referring({ $ref: "none.json" }) }))).toThrow(
      '"none.json" names a file that doesn\'t exist',
    );
    expect(() => openApiToolbox(write({ "api.json": referring({ $ref: "bad.json" }), "bad.json": "{" }))).toThrow("bad.json isn't JSON");
  });
});
