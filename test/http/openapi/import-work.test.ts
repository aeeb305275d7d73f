import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadOpenApiToolbox, type OpenApiToolbox, openApiToolbox } from "../../../src/http/index.js";
import { ImportWork } from "../../../src/http/openapi/document/import-work.js";
import { type ToolClass, ToolDefinitionError } from "../../../src/index.js";
import { documentOf, type Json, namesOf, oldDocumentOf } from "./support.js";

const many = <Value>(count: number, make: (index: number) => Value): Value[] => Array.from({ length: count }, (_, index) => make(index));
const record = (count: number, make: (index: number) => readonly [string, unknown]): Json => Object.fromEntries(many(count, make));
const fine = { get: { operationId: "fine" } };
const posting = (schema: unknown): Json => ({ post: { requestBody: { content: { "application/json": { schema } } } } });
const schemaRef = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
const deep = (levels: number): Json => {
  let schema: Json = { type: "string" };
  for (let level = 0; level < levels; level += 1) schema = { type: "array", items: schema };
  return schema;
};
const shared = (levels: number): Json => {
  let schema: Json = { type: "string" };
  for (let level = 0; level < levels; level += 1) schema = { type: "object", properties: { a: schema, b: schema } };
  return schema;
};
const sharedList = (levels: number): unknown => {
  let list: unknown = "x";
  for (let level = 0; level < levels; level += 1) list = [list, list];
  return list;
};

/** Documents of a stranger by what is hostile in them, of a size that grows with `n`; the last operation of each is harmless. */
const hostile: Readonly<Record<string, (n: number) => Json>> = {
  "a chain of paths": (n) =>
    documentOf({ ...record(n, (i) => [`/p${i}`, i === n - 1 ? { get: {} } : { $ref: `#/paths/~1p${i + 1}` }]), "/fine": fine }),
  "a circle of paths": (n) => documentOf({ ...record(n, (i) => [`/p${i}`, { $ref: `#/paths/~1p${(i + 1) % n}` }]), "/fine": fine }),
  "paths that share an item of many parameters": (n) =>
    documentOf(
      { ...record(n, (i) => [`/p${i}`, { $ref: "#/components/pathItems/a" }]), "/fine": fine },
      { components: { pathItems: { a: { get: { parameters: many(n, (i) => ({ name: `q${i}`, in: "query", schema: {} })) } } } } },
    ),
  "a chain of parameters": (n) =>
    documentOf(
      { "/a": { get: { parameters: many(n, (i) => ({ $ref: `#/components/parameters/p${i}` })) } }, "/fine": fine },
      {
        components: {
          parameters: record(n, (i) => [`p${i}`, i < n - 1 ? { $ref: `#/components/parameters/p${i + 1}` } : { name: "q", in: "query" }]),
        },
      },
    ),
  "schemas that refer to each other in a circle": (n) =>
    documentOf(
      { ...record(n, (i) => [`/p${i}`, posting(schemaRef(`S${i}`))]), "/fine": fine },
      { components: { schemas: record(n, (i) => [`S${i}`, { type: "object", properties: { a: schemaRef(`S${(i + 1) % n}`) } }]) } },
    ),
  "schemas beyond any depth": (n) => documentOf({ ...record(n, (i) => [`/p${i}`, posting(deep(400 + i))]), "/fine": fine }),
  "references beside which schemas nest": (n) => {
    let schema: Json = {};
    for (let level = 0; level < 50 * n; level += 1) schema = { $ref: "#/components/schemas/S", properties: { a: schema } };
    return documentOf({ "/a": posting(schema), "/fine": fine }, { components: { schemas: { S: {} } } });
  },
  "schemas that share their parts": (n) => documentOf({ ...record(n, (i) => [`/p${i}`, posting(shared(40))]), "/fine": fine }),
  "values that share their parts": (n) =>
    documentOf({
      ...record(n, (i) => [
        `/p${i}`,
        {
          get: {
            parameters: [{ name: "q", in: "query", schema: { default: sharedList(40), examples: [sharedList(40)], enum: sharedList(30) } }],
          },
        },
      ]),
      "/fine": fine,
    }),
  "operations of one id": (n) => documentOf({ ...record(n, (i) => [`/p${i}`, { get: { operationId: "same" } }]), "/fine": fine }),
  "a huge enum that all operations share": (n) =>
    documentOf(
      { ...record(n, (i) => [`/p${i}`, { get: { parameters: [{ $ref: "#/components/parameters/q" }] } }]), "/fine": fine },
      { components: { parameters: { q: { name: "q", in: "query", schema: { enum: many(50 * n, (i) => `v${i}`) } } } } },
    ),
  "a huge description that all operations share": (n) =>
    documentOf(
      { ...record(n, (i) => [`/p${i}`, { $ref: "#/components/pathItems/a" }]), "/fine": fine },
      { components: { pathItems: { a: { description: "<a x ".repeat(100 * n), get: {} } } } },
    ),
  "security of many alternatives": (n) => ({
    ...documentOf({ ...record(n, (i) => [`/p${i}`, { get: {} }]), "/fine": { get: { operationId: "fine", security: [] } } }),
    security: many(n, (i) => ({ [`s${i}`]: [] })),
  }),
  "fields of a form in OpenAPI 2.0": (n) =>
    oldDocumentOf({
      "/a": { post: { parameters: many(n, (i) => ({ name: `f${i}`, in: "formData", type: "string", required: true })) } },
      "/fine": fine,
    }),
  "schemas in a circle in OpenAPI 2.0": (n) =>
    oldDocumentOf(
      {
        ...record(n, (i) => [`/p${i}`, { post: { parameters: [{ in: "body", name: "b", schema: { $ref: `#/definitions/S${i}` } }] } }]),
        "/fine": fine,
      },
      { definitions: record(n, (i) => [`S${i}`, { type: "object", properties: { a: { $ref: `#/definitions/S${(i + 1) % n}` } } }]) },
    ),
};

/** The parts that an import has done: evidence of its cost that no machine changes. */
const partsOf = async (document: Json): Promise<{ readonly parts: number; readonly toolbox: OpenApiToolbox }> => {
  const seen = new Set<ImportWork>();
  const spy = jest.spyOn(ImportWork.prototype, "begin").mockImplementation(function (this: ImportWork, parts = 0) {
    seen.add(this);
    original.call(this, parts);
  });
  try {
    const toolbox = await loadOpenApiToolbox(document);
    return { parts: [...seen].reduce((sum, { done }) => sum + done, 0), toolbox };
  } finally {
    spy.mockRestore();
  }
};
const original = ImportWork.prototype.begin;

const namesOfTools = ({ tools }: OpenApiToolbox): readonly string[] => tools.map(({ identifier }) => identifier);

/** How often the event loop turned while a document was imported. */
async function turnsDuring(load: () => Promise<OpenApiToolbox>): Promise<{ readonly turns: number; readonly toolbox: OpenApiToolbox }> {
  let turns = 0;
  let running = true;
  const turn = (): void => {
    turns += 1;
    if (running) setImmediate(turn);
  };
  setImmediate(turn);
  const toolbox = await load();
  running = false;
  return { turns, toolbox };
}

describe("importing a stranger's document", () => {
  it.each(Object.entries(hostile))("with %s: twice the document is at most 2.5 times the work", async (_, make) => {
    const [small, large] = [await partsOf(make(150)), await partsOf(make(300))];
    expect(large.parts / small.parts).toBeLessThan(2.5);
  });

  it.each(Object.entries(hostile))("with %s: what is harmless becomes a tool, and each refused operation has a reason", async (_, make) => {
    for (const { tools, refused } of [await loadOpenApiToolbox(make(50)), openApiToolbox(make(50))]) {
      expect(tools.map(({ identifier }) => identifier)).toContain("fine");
      for (const { operation, reason } of refused) {
        expect(operation).not.toBe("");
        expect(reason.length).toBeLessThan(1_100);
      }
    }
  });

  it("100,000 levels deep is refused by name, without the others", () => {
    const { tools, refused } = openApiToolbox(documentOf({ "/a": posting(deep(100_000)), "/fine": fine }));
    expect(tools.map(({ identifier }) => identifier)).toEqual(["fine"]);
    expect(refused).toEqual([{ operation: "POST /a", reason: expect.stringContaining("nested more than 200 levels deep") }]);
  });

  it("gives arguments of colliding names names of their own that providers take", () => {
    const parameters = many(300, (i) => ({ name: `${"a".repeat(63)}${String.fromCharCode(256 + i)}`, in: "query", schema: {} }));
    const [tool] = openApiToolbox(documentOf({ "/a": { get: { parameters } } })).tools;
    const names = namesOf((tool as ToolClass).parametersSchema);
    expect(new Set(names).size).toBe(300);
    for (const name of names) expect(name).toMatch(/^[a-zA-Z_]\w{0,63}$/);
  });

  it("with more operations than can be imported at once says what to do, and loads with pauses", async () => {
    const document = documentOf(record(4_000, (i) => [`/p${i}`, { get: {} }]));
    expect(() => openApiToolbox(document)).toThrow("write await loadOpenApiToolbox(...)");
    const { turns, toolbox } = await turnsDuring(() => loadOpenApiToolbox(document));
    expect(toolbox.tools).toHaveLength(4_000);
    expect(turns).toBeGreaterThan(50);
  });

  it("refuses more operations than can be imported at once before it imports the first one", () => {
    const begun = jest.spyOn(ImportWork.prototype, "begin");
    try {
      expect(() => openApiToolbox(documentOf(record(4_000, (i) => [`/p${i}`, { get: {} }])))).toThrow(ToolDefinitionError);
      // Once for each path.
      expect(begun).toHaveBeenCalledTimes(4_000);
    } finally {
      begun.mockRestore();
    }
  });

  it("lets other work run while it looks for operations, if a document has many paths", async () => {
    const document = documentOf({ ...record(19_000, (i) => [`/p${i}`, {}]), "/fine": fine });
    const { turns, toolbox } = await turnsDuring(() => loadOpenApiToolbox(document));
    expect(namesOfTools(toolbox)).toEqual(["fine"]);
    expect(turns).toBeGreaterThan(20);
  });

  it("of more than 20,000 paths is refused as a whole", () => {
    expect(() => openApiToolbox(documentOf(record(20_001, (i) => [`/p${i}`, {}])))).toThrow("20000 can be read");
  });

  it.each([
    ["{".padEnd(17_000_000), "JSON"],
    [`a: ${"x".repeat(200_000)}`, "YAML"],
    [`a: ${"[".repeat(20_000)}`, "YAML of"],
    [`a:\n  ${"- ".repeat(20_000)}b`, "nested more than 420 levels deep"],
    [`a:\n  ${"? - ".repeat(10_000)}b`, "has a list or an object as a key"],
    [`a: ${"{[a]: ".repeat(10_000)}b`, "has a list or an object as a key"],
  ])("of a file that is too large or too deep is a named error: %#", (text, form) => {
    const file = join(mkdtempSync(join(tmpdir(), "toolwright-")), "document");
    writeFileSync(file, text);
    expect(() => openApiToolbox(file)).toThrow(
      expect.objectContaining({ name: "ToolDefinitionError", message: expect.stringContaining(form) }),
    );
  });
});

describe("include with many stars", () => {
  it.each([
    ["list*", true],
    ["*Orders", true],
    ["l*O*s", true],
    ["list*Orders", true],
    ["listOrders*listOrders", false],
    ["*x*", false],
  ])("%s", (pattern, fits) => {
    const document = documentOf({ "/a": { get: { operationId: "listOrders" } }, "/b": { get: { operationId: "other" } } });
    const chosen = (): readonly string[] => openApiToolbox(document, { include: [pattern] }).tools.map(({ identifier }) => identifier);
    if (fits) expect(chosen()).toEqual(["listOrders"]);
    else expect(chosen).toThrow("which isn't an operation");
  });
});
