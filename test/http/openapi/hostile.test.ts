import fc from "fast-check";
import { openApiToolbox } from "../../../src/http/openapi/index.js";
import { ToolDefinitionError } from "../../../src/index.js";
import { invokeTool } from "../../../src/testing/index.js";
import { documentOf, type Json, loopback } from "./support.js";
import { repeats } from "../../support/repeats.js";

// Each run is an import and a request.
jest.setTimeout(60_000);

const { api } = loopback();

const styles = {
  path: ["simple", "label", "matrix"],
  query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
  header: ["simple"],
} as const;

const hostile = [
  "..",
  ".",
  "../../admin",
  "%2e%2e",
  "%2E%2E/admin",
  "a/b",
  "a?b#c",
  "//evil.example",
  "\\evil",
  "@evil.example",
  "a\r\nx: y",
  "\ud800",
  "",
  "a;b=c",
];

const text = fc.oneof(fc.constantFrom(...hostile), fc.string({ unit: "binary" }), fc.string());
const value = fc.oneof(text, fc.array(text), fc.dictionary(text, text), fc.integer(), fc.boolean(), fc.constant(null));

const parameterOf = (place: keyof typeof styles): fc.Arbitrary<Json> =>
  fc.record({
    name: fc.constant("p"),
    in: fc.constant(place),
    required: fc.constant(place === "path"),
    style: fc.constantFrom(...styles[place]),
    explode: fc.boolean(),
    allowReserved: fc.boolean(),
    schema: fc.constant({}),
  });

/** What the server saw of a call, or nothing where the call was refused before it was sent. */
async function seenOf(path: string, parameter: Json, p: unknown): Promise<{ readonly url: string; readonly headers: Json } | undefined> {
  api().requests.splice(0);
  const document = documentOf({ [path]: { get: { operationId: "ask", parameters: [parameter] } } });
  const { tools } = openApiToolbox(document, { baseUrl: `${api().url}/base`, headers: { "x-of-application": "here" } });
  await invokeTool(tools[0] as (typeof tools)[number], { p }).catch(() => undefined);
  return api().requests[0];
}

describe("whatever a model gives, in any style", () => {
  it("a value of the path stays in its segment, on the same server", async () => {
    await fc.assert(
      fc.asyncProperty(
        parameterOf("path"),
        value,
        fc.constantFrom("/a/{p}/z", "/a/{p}", "/a/{p}.json/z", "/a/v{p}/z"),
        async (parameter, p, path) => {
          const seen = await seenOf(path, parameter, p);
          if (seen === undefined) return;
          const { pathname, search, hash } = new URL(seen.url, api().url);
          expect(pathname.split("/").length).toBe(`/base${path}`.split("/").length);
          expect(pathname).toMatch(path.endsWith("/z") ? /^\/base\/a\/[^/]+\/z$/ : /^\/base\/a\/[^/]+$/);
          expect([search, hash]).toEqual(["", ""]);
        },
      ),
      { numRuns: repeats(150) },
    );
  });

  it("a value of the query changes nothing but the query", async () => {
    await fc.assert(
      fc.asyncProperty(parameterOf("query"), value, async (parameter, p) => {
        const seen = await seenOf("/a", parameter, p);
        const { pathname, searchParams } = new URL(seen?.url ?? "/base/a", api().url);
        expect(pathname).toBe("/base/a");
        const isNamed = parameter.style === "deepObject" || !parameter.explode || typeof p !== "object" || Array.isArray(p);
        if (isNamed) for (const name of searchParams.keys()) expect(name).toMatch(/^p(\[|$)/);
      }),
      { numRuns: repeats(150) },
    );
  });

  it("a value of a header adds no other header", async () => {
    const names = ["accept", "accept-encoding", "connection", "host", "p", "user-agent", "x-of-application"];
    await fc.assert(
      fc.asyncProperty(parameterOf("header"), value, async (parameter, p) => {
        const seen = await seenOf("/a", parameter, p);
        for (const name of Object.keys(seen?.headers ?? {})) expect(names).toContain(name);
        if (seen !== undefined) expect(seen.headers["x-of-application"]).toBe("here");
      }),
      { numRuns: repeats(100) },
    );
  });

  it.each(["..", ".", ""])("a step or nothing in the path is refused with what to give: %j", async (p) => {
    const { tools } = openApiToolbox(
      documentOf({ "/a/{p}": { get: { parameters: [{ name: "p", in: "path", required: true, schema: {} }] } } }),
    );
    await expect(invokeTool(tools[0] as (typeof tools)[number], { p })).rejects.toThrow(
      /^.*p (would lead to another path|is part of the URL's path)/,
    );
  });
});

describe("whatever a document holds", () => {
  const schemas = {
    Order: { type: "object", properties: { id: { type: "string" }, next: { $ref: "#/components/schemas/Order" } }, required: ["id"] },
  };
  const document = documentOf(
    {
      "/a/{id}": {
        parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
        get: {
          operationId: "ask",
          security: [{ key: [] }],
          parameters: [{ name: "q", in: "query", style: "form", schema: { type: "array" } }],
        },
        post: {
          requestBody: { required: true, content: { "application/json": { schema: { $ref: "#/components/schemas/Order" } } } },
          responses: { 200: {} },
        },
        put: {
          requestBody: {
            content: { "multipart/form-data": { schema: { properties: { file: { format: "binary" } } }, encoding: { file: {} } } },
          },
        },
      },
    },
    { components: { schemas, securitySchemes: { key: { type: "apiKey", in: "header", name: "x-key" } } } },
  );
  const junk = [
    null,
    5,
    "",
    "x",
    [],
    [null],
    {},
    true,
    { $ref: "#" },
    { $ref: "#/paths" },
    { $ref: 5 },
    { type: "object" },
    JSON.parse('{"__proto__":{}}'),
  ];

  /** The ways to every part of the document but its version. */
  const waysIn = (value: unknown, way: readonly string[] = []): readonly (readonly string[])[] =>
    Object.entries(typeof value === "object" && value !== null ? value : {}).flatMap(([key, member]) => [
      [...way, key],
      ...waysIn(member, [...way, key]),
    ]);

  const replaced = (value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown => {
    if (key === undefined) return by;
    const copy = structuredClone(value) as Record<string, unknown>;
    copy[key] = replaced(copy[key], rest, by);
    return copy;
  };

  it.each(junk.map((by) => [by]))("importing it succeeds or says what to do, with %j in any place", (by) => {
    for (const way of waysIn(document).filter(([first]) => first !== "openapi")) {
      try {
        openApiToolbox(replaced(document, way, by) as object, { baseUrl: "https://api.example.com" });
      } catch (error) {
        expect([way, error]).toEqual([way, expect.any(ToolDefinitionError)]);
      }
    }
  });
});
