import type { OpenApiOptions } from "../../../src/http/openapi/index.js";
import { invokeTool } from "../../../src/testing/index.js";
import { documentOf, get, type Json, loopback, namesOf, oldDocumentOf, onlyTool, reasonOf } from "./support.js";

const { api, requestOf } = loopback();

const primitive = "blue";
const list = ["blue", "black", "brown"];
const object = { R: 100, G: 200, B: 150 };

const pathOf = async (parameter: Json, color: unknown): Promise<string> =>
  (await requestOf(documentOf({ "/a/{color}/z": get({ name: "color", in: "path", required: true, ...parameter }) }), { color })).url;

const queryOf = async (parameter: Json, color: unknown): Promise<string> =>
  (await requestOf(documentOf({ "/a": get({ name: "color", in: "query", ...parameter }) }), { color })).url.slice("/a".length);

describe('OpenAPI 3, "Style Examples": a parameter in the path', () => {
  it.each([
    ["simple", false, primitive, "blue"],
    ["simple", false, list, "blue,black,brown"],
    ["simple", true, list, "blue,black,brown"],
    ["simple", false, object, "R,100,G,200,B,150"],
    ["simple", true, object, "R=100,G=200,B=150"],
    ["label", false, primitive, ".blue"],
    ["label", false, list, ".blue,black,brown"],
    ["label", true, list, ".blue.black.brown"],
    ["label", false, object, ".R,100,G,200,B,150"],
    ["label", true, object, ".R=100.G=200.B=150"],
    ["matrix", false, primitive, ";color=blue"],
    ["matrix", true, primitive, ";color=blue"],
    ["matrix", false, list, ";color=blue,black,brown"],
    ["matrix", true, list, ";color=blue;color=black;color=brown"],
    ["matrix", false, object, ";color=R,100,G,200,B,150"],
    ["matrix", true, object, ";R=100;G=200;B=150"],
  ])("of style %s, explode %s: %j", async (style, explode, value, written) => {
    expect(await pathOf({ style, explode, schema: {} }, value)).toBe(`/a/${written}/z`);
  });
});

describe('OpenAPI 3, "Style Examples": a parameter in the query', () => {
  it.each([
    ["form", true, primitive, "?color=blue"],
    ["form", true, "", "?color="],
    ["form", false, list, "?color=blue,black,brown"],
    ["form", true, list, "?color=blue&color=black&color=brown"],
    ["form", false, object, "?color=R,100,G,200,B,150"],
    ["form", true, object, "?R=100&G=200&B=150"],
    ["spaceDelimited", false, list, "?color=blue%20black%20brown"],
    ["spaceDelimited", false, object, "?color=R%20100%20G%20200%20B%20150"],
    ["pipeDelimited", false, list, "?color=blue%7Cblack%7Cbrown"],
    ["pipeDelimited", false, object, "?color=R%7C100%7CG%7C200%7CB%7C150"],
    ["deepObject", true, object, "?color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"],
    [
      "deepObject",
      true,
      { size: { min: 1 }, tag: ["a", "b"] },
      "?color%5Bsize%5D%5Bmin%5D=1&color%5Btag%5D%5B0%5D=a&color%5Btag%5D%5B1%5D=b",
    ],
  ])("of style %s, explode %s: %j", async (style, explode, value, written) => {
    expect(await queryOf({ style, explode, schema: {} }, value)).toBe(written);
  });

  it("is form with explode if nothing is said", async () => {
    expect(await queryOf({ schema: {} }, list)).toBe("?color=blue&color=black&color=brown");
  });

  it.each([[[]], [{}], [[null]]])("that is empty isn't sent: %j", async (value) => {
    expect(await queryOf({ schema: {} }, value)).toBe("");
  });

  it("is percent-encoded", async () => {
    expect(await queryOf({ schema: {} }, "a b&c=d/e?f#g+h;ü")).toBe("?color=a%20b%26c%3Dd%2Fe%3Ff%23g%2Bh%3B%C3%BC");
  });

  it("that allows reserved characters keeps those that can't end its value", async () => {
    expect(await queryOf({ allowReserved: true, schema: {} }, "a/b:c?d&e#f;g")).toBe("?color=a/b:c?d%26e%23f%3Bg");
  });

  it("described by a media type is written as JSON", async () => {
    expect(await queryOf({ content: { "application/json": { schema: {} } } }, { R: 100 })).toBe("?color=%7B%22R%22%3A100%7D");
  });

  it("keeps its own name if the argument needs another", async () => {
    const { url } = await requestOf(documentOf({ "/a": get({ name: "filter[name]", in: "query", schema: {} }) }), { filter_name: "rose" });
    expect(url).toBe("/a?filter%5Bname%5D=rose");
  });

  it("joins what the path itself has of a query", async () => {
    const { url } = await requestOf(documentOf({ "/a?kind=all": get({ name: "page", in: "query", schema: {} }) }), { page: 2 });
    expect(url).toBe("/a?kind=all&page=2");
  });
});

describe("a header parameter", () => {
  const headerOf = async (parameter: Json, color: unknown): Promise<unknown> =>
    (await requestOf(documentOf({ "/a": get({ name: "X-Color", in: "header", ...parameter }) }), { X_Color: color })).headers["x-color"];

  it.each([
    [false, primitive, "blue"],
    [false, list, "blue,black,brown"],
    [false, object, "R,100,G,200,B,150"],
    [true, object, "R=100,G=200,B=150"],
  ])("of style simple, explode %s: %j", async (explode, value, written) => {
    expect(await headerOf({ explode, schema: {} }, value)).toBe(written);
  });

  it("can't begin a second header", async () => {
    await expect(headerOf({ schema: {} }, "blue\r\nx-admin: true")).rejects.toThrow("holds a character that headers can't hold");
  });

  it.each(["Authorization", "Cookie", "Host", "Content-Length", "Proxy-Authorization", "Accept", "Content-Type"])(
    "named %s is never a model's",
    async (name) => {
      const { headers } = await requestOf(documentOf({ "/a": get({ name, in: "header", schema: { type: "string" } }) }));
      expect(headers).not.toHaveProperty("x-color");
    },
  );

  it("that is required and no model's is asked of the application", async () => {
    const document = documentOf({ "/a": get({ name: "Authorization", in: "header", required: true, schema: { type: "string" } }) });
    expect(reasonOf(document)).toContain('Give it: headers: { "authorization": secret("...") }.');
    const { headers } = await requestOf(document, {}, { headers: { authorization: "Bearer of-the-application" } });
    expect(headers.authorization).toBe("Bearer of-the-application");
  });

  it("that the application gives is no argument", async () => {
    const document = documentOf({ "/a": get({ name: "Notion-Version", in: "header", required: true, schema: { type: "string" } }) });
    const { headers } = await requestOf(document, {}, { headers: { "notion-version": "2025-09-03" } });
    expect(headers["notion-version"]).toBe("2025-09-03");
  });

  describe("if a function of the context gives the headers", () => {
    const tenant = { name: "X-Tenant", in: "header", schema: { type: "string" } };
    const ofUser: OpenApiOptions = { headers: ({ userId }) => ({ "x-tenant": userId }) };
    const toolFor = (required: boolean) => onlyTool(documentOf({ "/a": get({ ...tenant, required }) }), { ...ofUser, baseUrl: api().url });

    it.each([true, false])("is no argument (required: %s)", async (required) => {
      expect(namesOf(toolFor(required).parametersSchema)).toEqual([]);
      await invokeTool(toolFor(required), {}, { context: { userId: "shop-a" } });
      expect(api().requests.at(-1)?.headers["x-tenant"]).toBe("shop-a");
    });

    it("isn't sent if it gives none", async () => {
      await invokeTool(toolFor(false), {});
      expect(api().requests.at(-1)?.headers).not.toHaveProperty("x-tenant");
    });

    it("and is required, the request isn't sent if it gives none", async () => {
      const before = api().requests.length;
      await expect(invokeTool(toolFor(true), {})).rejects.toThrow(
        'it needs the header "x-tenant", and the application has no value for this user. Tell the user.',
      );
      expect(api().requests).toHaveLength(before);
    });
  });
});

describe('OpenAPI 2.0, "Parameter Object": a list', () => {
  it.each([
    [undefined, "?color=blue,black,brown"],
    ["csv", "?color=blue,black,brown"],
    ["ssv", "?color=blue%20black%20brown"],
    ["tsv", "?color=blue%09black%09brown"],
    ["pipes", "?color=blue%7Cblack%7Cbrown"],
    ["multi", "?color=blue&color=black&color=brown"],
  ])("with the collectionFormat %s", async (collectionFormat, written) => {
    const parameter = {
      name: "color",
      in: "query",
      type: "array",
      items: { type: "string" },
      ...(collectionFormat && { collectionFormat }),
    };
    expect((await requestOf(oldDocumentOf({ "/a": get(parameter) }), { color: list })).url).toBe(`/a${written}`);
  });

  it("in a header keeps its delimiter as it is", async () => {
    const parameter = { name: "x-color", in: "header", type: "array", items: { type: "string" }, collectionFormat: "pipes" };
    expect((await requestOf(oldDocumentOf({ "/a": get(parameter) }), { x_color: list })).headers["x-color"]).toBe("blue|black|brown");
  });
});

describe("a parameter that can't be written", () => {
  it.each<[Json, string]>([
    [{ name: "a", in: "query", style: "matrix", schema: {} }, 'the query parameter "a" has the style "matrix"; in the query there is form'],
    [{ name: "a", in: "body", schema: {} }, 'the parameter "a" is in "body"; it must be in path, query, header, cookie.'],
    [{ in: "query", schema: {} }, "a parameter has no name"],
    [{ name: "a", in: "query", content: { "application/xml": {} } }, 'is written as "application/xml"; JSON and text can be written.'],
  ])("refuses its operation: %j", (parameter, reason) => {
    expect(reasonOf(documentOf({ "/a": get(parameter) }))).toContain(reason);
  });
});
