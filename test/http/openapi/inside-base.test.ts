import { createHttpTool } from "../../../src/http/index.js";
import { openApiToolbox } from "../../../src/http/openapi/index.js";
import type { ToolClass } from "../../../src/index.js";
import { invokeTool } from "../../../src/testing/index.js";
import { documentOf, loopback, reasonOf } from "./support.js";

const { api } = loopback();

const text = { name: "p", in: "path", required: true, schema: { type: "string" } };
const importOf = (path: string, parameters: readonly object[] = []) =>
  openApiToolbox(documentOf({ [path]: { get: { parameters } }, "/fine": { get: {} } }), { baseUrl: `${api().url}/v1` });

describe("a document's path stays below that of baseUrl", () => {
  it.each([
    ...["/../admin", "/a/../../admin", "/..", "/.", "/a/./b", "/..;/admin", "/..;x=1/admin", "/;/../admin", "/%2e%2e/admin", "/%2E./admin"],
    ...["/.%2e/admin", "/%252e%252e/admin", "/%25252e%25252e/admin", "/%252525252525252e/admin", "/..%2fadmin", "/a%2f..%2f..%2fadmin"],
    ...[
      "/..%5cadmin",
      "/..%255cadmin",
      "/..\\admin",
      "/\\host/admin",
      "//host/admin",
      "/a//b",
      "/.\t./admin",
      "/.\n./admin",
      "/.\r./admin",
    ],
    ...["/\u0000../admin", "/.. /admin", "/\u200b../admin", "/\uff0e\uff0e/admin", "/%2e%2e%3b/admin", "/a/..?x=1", "/../admin#one"],
  ])("%j is refused, by name, and the others survive", (path) => {
    const { tools, refused } = importOf(path);
    expect(tools.map(({ identifier }) => identifier)).toEqual(["get_fine"]);
    expect(refused).toEqual([{ operation: expect.stringMatching(/^GET /), reason: expect.stringMatching(/^its path holds a/) }]);
  });

  it.each(["/..{p}/admin", "/.{p}", "/%2e%2e{p}/x"])("%j, whose step a placeholder would hide, is refused", (path) => {
    expect(importOf(path, [{ ...text, style: "matrix" }]).refused).toHaveLength(1);
  });

  it.each(["/a?_method=DELETE", "/a?x=1&X-HTTP-Method-Override=DELETE", "/a?%5fmethod=DELETE"])("%j names no other method", (path) => {
    expect(reasonOf(documentOf({ [path]: { get: {} } }))).toContain("its path names another method in its query");
  });

  it.each([
    ["/pets/{p}.json", "7", "/v1/pets/7.json"],
    ["/pets/...", "", "/v1/pets/..."],
    ["/pets/..hidden/v1.2", "", "/v1/pets/..hidden/v1.2"],
    ["/pets;v=1/", "", "/v1/pets;v=1/"],
  ])("%j is as good as any", async (path, p, seen) => {
    api().requests.splice(0);
    await invokeTool(importOf(path, path.includes("{p}") ? [text] : []).tools[0] as ToolClass, p === "" ? {} : { p });
    expect(api().requests[0]?.url).toBe(seen);
  });
});

const steps = [
  "..",
  ".",
  "../admin",
  "..\\admin",
  "%2e%2e",
  "%2e%2e/admin",
  "..;",
  "..;/admin",
  "//host",
  "/\\host",
  "?a",
  "#a",
  ".\t.",
  ".\n.",
  "\u0000",
];

describe("an argument in the path stays in its segment", () => {
  const pathOf = async (tool: ToolClass, p: string): Promise<string | undefined> => {
    api().requests.splice(0);
    await invokeTool(tool, { p }).catch(() => undefined);
    return api().requests[0]?.url;
  };

  it.each(steps)("of an operation: %j", async (p) => {
    for (const style of ["simple", "label", "matrix"]) {
      const document = documentOf({ "/a/{p}/z": { get: { parameters: [{ ...text, style }] } } });
      const [tool] = openApiToolbox(document, { baseUrl: `${api().url}/v1` }).tools;
      expect((await pathOf(tool as ToolClass, p)) ?? "/v1/a/nothing/z").toMatch(/^\/v1\/a\/(?!\.{1,2}\/)[^/?#\\]+\/z$/);
    }
  });

  it.each(steps)("of an HTTP tool: %j", async (p) => {
    const tool = createHttpTool({
      name: "read",
      description: "Reads it. Use when asked.",
      inputSchema: { type: "object", properties: { p: { type: "string" } }, required: ["p"] },
      method: "GET",
      url: `${api().url}/v1/a/{p}/z`,
    });
    expect((await pathOf(tool, p)) ?? "/v1/a/nothing/z").toMatch(/^\/v1\/a\/(?!\.{1,2}\/)[^/?#\\]+\/z$/);
  });
});
