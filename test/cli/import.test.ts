import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "yaml";
import { toolwright, toolwrightJson } from "./command-line.js";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "toolwright-import-"));
});

const read = (path: string): string => readFileSync(join(directory, path), "utf8");
const write = (name: string, value: unknown): void => writeFileSync(join(directory, name), JSON.stringify(value));

const shop = {
  openapi: "3.1.0",
  info: { title: "Order Service", version: "1" },
  servers: [{ url: "https://api.example.com/v1" }],
  security: [{ token: [] }],
  components: { securitySchemes: { token: { type: "http", scheme: "bearer" } } },
  paths: {
    "/orders/{number}": {
      get: {
        operationId: "getOrder",
        summary: "Gets an order.",
        tags: ["orders"],
        parameters: [
          { name: "number", in: "path", required: true, schema: { type: "string" }, description: "Its number" },
          { name: "expand", in: "query", schema: { type: "array", items: { type: "string" } } },
          { name: "limit", in: "query", schema: { type: "integer", format: "int32", maximum: 50 } },
        ],
      },
    },
    "/orders": {
      post: {
        operationId: "createOrder",
        summary: "Creates an order.",
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: {
                type: "object",
                required: ["lines"],
                properties: {
                  lines: { type: "array", items: { type: "object", required: ["product"], properties: { product: { type: "string" } } } },
                  kind: { enum: ["gift", "normal"], type: "string" },
                },
              },
            },
          },
        },
      },
    },
    "/upload": {
      post: { operationId: "upload", requestBody: { content: { "text/plain": { schema: { type: "string" } } } } },
    },
  },
};

describe("import openapi", () => {
  it("writes a class for each operation, and a base class with what they share", async () => {
    write("shop.json", shop);
    const { exitCode, output, errors } = await toolwright(["import", "openapi", "shop.json"], { directory });
    expect(exitCode).toBe(0);
    expect(output).toContain("Wrote 2 tools to src/tools/order-service.");
    expect(output).toContain("ORDER_SERVICE_TOKEN");
    expect(errors).toContain("Left out: upload: its body is text/plain.");
    expect(read("src/tools/order-service/order-service-tool.ts")).toContain(
      '@http({\n  baseUrl: "https://api.example.com/v1",\n  headers: {\n    authorization: bearer(secret("ORDER_SERVICE_TOKEN")),\n  },\n})',
    );
    expect(
      read("src/tools/order-service/get-order.ts"),
    ).toBe(`import { description, identifier, Integer, optional, required, tags } from "toolwright";
import { http } from "toolwright/http";
import { OrderServiceTool } from "./order-service-tool.js";

@identifier("getOrder")
@description("Gets an order.")
@tags("orders")
@http({ method: "GET", url: "/orders/{number}" })
export class GetOrderTool extends OrderServiceTool {
  @required(String, "Its number")
  number!: string;

  @optional([String])
  expand?: string[];

  @optional(Integer, { maximum: 50 })
  limit?: number;
}
`);
    expect(read("src/tools/order-service/create-order.ts")).toContain("  lines!: { product: string }[];");
    expect(read("src/tools/order-service/create-order.ts")).toContain('  kind?: "gift" | "normal";');
  });

  it("takes a document in YAML", async () => {
    writeFileSync(join(directory, "shop.yaml"), `# The shop's service\n${stringify(shop)}`);
    const { json } = await toolwrightJson(["import", "openapi", "shop.yaml", "--json"], { directory });
    expect(json.tools).toEqual(["getOrder", "createOrder"]);
  });

  it("takes some operations, and another folder", async () => {
    write("shop.json", shop);
    const { json } = await toolwrightJson(["import", "openapi", "shop.json", "--include", "get*", "--out", "tools", "--json"], {
      directory,
    });
    expect(json).toMatchObject({ tools: ["getOrder"], leftOut: [] });
    expect(readdirSync(join(directory, "tools")).sort()).toEqual(["get-order.ts", "index.ts", "order-service-tool.ts"]);
  });

  it("writes over nothing", async () => {
    write("shop.json", shop);
    await toolwright(["import", "openapi", "shop.json", "--out", "tools"], { directory });
    const { exitCode, errors } = await toolwright(["import", "openapi", "shop.json", "--out", "tools"], { directory });
    expect(exitCode).toBe(2);
    expect(errors).toContain("would be written over");
  });
});

describe("import json-schema", () => {
  it("writes a class for each tool, whose call is left to write", async () => {
    write("tools.json", [
      {
        type: "function",
        function: {
          name: "find_city",
          description: "Finds a city.",
          parameters: { type: "object", properties: { name: { type: "string", minLength: 1 } }, required: ["name"] },
        },
      },
      { name: "add", description: "Adds.", input_schema: { type: "object", properties: { a: { type: "number" } } } },
    ]);
    const { exitCode } = await toolwright(["import", "json-schema", "tools.json"], { directory });
    expect(exitCode).toBe(0);
    expect(read("src/tools/tools/find-city.ts")).toBe(`import { description, identifier, required, Tool } from "toolwright";

@identifier("find_city")
@description("Finds a city.")
export class FindCityTool extends Tool {
  @required(String, { minLength: 1 })
  name!: string;

  call(): unknown {
    throw new Error("find_city isn't written yet.");
  }
}
`);
    expect(read("src/tools/tools/index.ts")).toContain("tools: [\n    FindCityTool,\n    AddTool,\n  ],");
  });
});

describe("wrong use of import", () => {
  it.each([
    [["import", "openap", "x.json"], 'Did you mean "openapi"?'],
    [["import", "openapi", "x.json"], "there is no file x.json"],
  ])("%j", async (given, message) => {
    const { exitCode, errors } = await toolwright(given, { directory });
    expect(exitCode).toBe(2);
    expect(errors).toContain(message);
  });
});

describe("import of a wrong source ends with 2", () => {
  it.each([
    ["openapi", ["broken.json"], "broken.json isn't JSON: "],
    ["openapi", ["broken.yaml"], "broken.yaml isn't YAML: "],
    ["openapi", ["."], "can't be read: EISDIR"],
    ["json-schema", ["broken.json"], "broken.json can't be read as JSON"],
    ["mcp", ["http://127.0.0.1:9/mcp"], 'can\'t be called "127.0.0.1" in code. Name it'],
    ["mcp", ["--name", "9lives", "--", "server"], 'can\'t be called "9lives" in code.'],
    ["mcp", ["http://"], '"http://" isn\'t a URL.'],
  ])("%s %j", async (kind, source, message) => {
    writeFileSync(join(directory, "broken.json"), '{"openapi":');
    writeFileSync(join(directory, "broken.yaml"), "openapi: 3.1.0\npaths: [}\n");
    const { exitCode, output, errors } = await toolwright(["import", kind, ...source], { directory });
    expect({ exitCode, output }).toEqual({ exitCode: 2, output: "" });
    expect(errors).toContain(message);
  });
});
