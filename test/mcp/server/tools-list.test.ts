import type { ListToolsResult } from "@modelcontextprotocol/client";
import {
  createTool,
  description,
  identifier,
  type JsonSchema,
  mapOf,
  optional,
  required,
  returns,
  Tool,
  tool,
  type ToolClass,
} from "../../../src/index.js";
import { serveMcp } from "../../../src/mcp/index.js";
import { createRegistry, createWorkspace } from "../../../src/registry/index.js";
import { closeAll, connect, revisions } from "./support.js";

afterEach(closeAll);

const named = (name: string, more: object = {}): ToolClass =>
  createTool({ name, description: `The tool ${name}.`, inputSchema: { type: "object" }, execute: () => name, ...more });

type Listed = ListToolsResult["tools"][number];

async function listed(tools: readonly ToolClass[]): Promise<readonly Listed[]> {
  return (await (await connect({ tools })).client.listTools()).tools;
}

async function annotationsOf(more: object): Promise<unknown> {
  return (await listed([named("a", more)]))[0]?.annotations;
}

class Price {
  @required(Number) amount!: number;
  @optional({ enum: ["EUR", "USD"], default: "EUR" }) currency!: string;
}

@identifier("find_price")
@description("Finds the price of an article. Use when the user asks what it costs.")
@tool({ category: "read", effect: "none" })
@returns(Price)
class FindPrice extends Tool {
  @required(String, "The article's number")
  article!: string;

  call() {
    return { amount: 12, currency: "EUR" };
  }
}

describe.each(revisions)("a tool class, as a client of %s sees it", (revision) => {
  it("has name, title, description, both schemas and annotations", async () => {
    const { client } = await connect({ tools: [FindPrice] }, revision);
    expect((await client.listTools()).tools).toEqual([
      {
        name: "find_price",
        title: "Find price",
        description: "Finds the price of an article. Use when the user asks what it costs.",
        inputSchema: FindPrice.parametersSchema,
        outputSchema: FindPrice.definition.outputSchema,
        annotations: { readOnlyHint: true, idempotentHint: true },
      },
    ]);
  });

  it("has an output schema that isn't one of an object in the form of its revision", async () => {
    const prices = named("prices", { outputSchema: { type: "array", items: { type: "number" } }, execute: () => [1, 2] });
    const { client } = await connect({ tools: [prices] }, revision);
    const schema = { type: "array", items: { type: "number" } };
    const wrapped = { type: "object", properties: { result: schema }, required: ["result"] };
    expect((await client.listTools()).tools[0]?.outputSchema).toMatchObject(revision === "2026-07-28" ? schema : wrapped);
    const { structuredContent } = await client.callTool({ name: "prices" });
    expect(structuredContent).toEqual(revision === "2026-07-28" ? [1, 2] : { result: [1, 2] });
  });
});

describe("annotations", () => {
  it.each<[string, object, unknown]>([
    ["a read is read-only", { category: "read" }, { readOnlyHint: true }],
    ["a delete is destructive", { category: "delete" }, { readOnlyHint: false, destructiveHint: true }],
    [
      "a write of high consequence is destructive",
      { category: "write", consequenceLevel: "high" },
      { readOnlyHint: false, destructiveHint: true },
    ],
    ["a write of low consequence is not", { category: "write", consequenceLevel: "low" }, { readOnlyHint: false, destructiveHint: false }],
    ["of any other write nothing is claimed", { category: "write" }, { readOnlyHint: false }],
    ["a side effect gets no hints", { category: "side_effect", consequenceLevel: "high" }, undefined],
    ["an undeclared category gets no hints", {}, undefined],
    ["idempotent comes from the effect", { effect: "idempotent" }, { idempotentHint: true }],
    ["what happens once is not idempotent", { effect: "once" }, { idempotentHint: false }],
  ])("seed 003, MCP mapping: %s", async (_name, more, annotations) => {
    expect(await annotationsOf(more)).toEqual(annotations);
  });
});

describe("schemas", () => {
  it("case 20: a union at the root is carried in an object schema, never an empty one", async () => {
    const union: JsonSchema = {
      oneOf: [
        { type: "object", properties: { kind: { const: "city" }, city: { type: "string" } }, required: ["kind", "city"] },
        { type: "object", properties: { kind: { const: "point" }, latitude: { type: "number" } }, required: ["kind", "latitude"] },
      ],
    };
    const [place] = await listed([named("place", { inputSchema: union })]);
    expect(place?.inputSchema).toEqual({ type: "object", ...union });
  });

  it("case 20: arguments that are no object are refused when the tool is made, with its name", () => {
    expect(() => named("place", { inputSchema: { type: "array" } })).toThrow('createTool "place": the arguments of a tool are an object');
  });

  it("a tool without parameters takes an empty object", async () => {
    @description("Tells the time. Use when the user asks for it.")
    class Clock extends Tool {
      call() {
        return "noon";
      }
    }
    expect((await listed([Clock]))[0]?.inputSchema).toMatchObject({ type: "object", additionalProperties: false });
  });

  it("maps and nested classes keep their shape", async () => {
    @description("Prices a basket. Use when the user asks what it costs.")
    class Basket extends Tool {
      @required(mapOf(Price)) prices!: Record<string, Price>;
      call() {
        return null;
      }
    }
    expect((await listed([Basket]))[0]?.inputSchema).toEqual(Basket.parametersSchema);
  });
});

describe("names", () => {
  it("case 22: legal names stay, dots and 128 characters included; others are mapped, and mapped back", async () => {
    const long = "x".repeat(128);
    const tools = ["calendar.respondToEvent", long, "billing/refund", "größe"].map((name) => named(name));
    const { client } = await connect({ tools });
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toEqual(["calendar.respondToEvent", long, "billing_refund", "gr__e"]);
    for (const [index, name] of names.entries()) {
      const { content } = await client.callTool({ name });
      expect(content).toEqual([{ type: "text", text: tools[index]?.identifier }]);
    }
  });

  it("case 22: a collision gets a stable suffix, whatever the order, and each name its own tool", async () => {
    const tools = ["billing/refund", "billing_refund"].map((name) => named(name));
    const forwards = await listed(tools);
    const backwards = await listed([...tools].reverse());
    expect(forwards.map(({ name }) => name)).toEqual([expect.stringMatching(/^billing_refund_\w{8}$/), "billing_refund"]);
    expect(backwards.map(({ name }) => name)).toEqual(forwards.map(({ name }) => name).reverse());
    const { client } = await connect({ tools });
    const { content } = await client.callTool({ name: forwards[0]?.name as string });
    expect(content).toEqual([{ type: "text", text: "billing/refund" }]);
  });

  it("case 23: two tools of one name are refused when the server is made, with both classes", async () => {
    @identifier("search")
    @description("Searches here. Use when the user looks for something.")
    class SearchHere extends Tool {
      call() {
        return "here";
      }
    }
    @identifier("search")
    @description("Searches there. Use when the user looks for something.")
    class SearchThere extends Tool {
      call() {
        return "there";
      }
    }
    await expect(connect({ tools: [SearchHere, SearchThere] })).rejects.toThrow("SearchHere and SearchThere are both named 'search'.");
  });

  it.each([
    ["get_weather", "Get weather"],
    ["getWeather", "Get weather"],
    ["billing/send-invoice", "Billing: send invoice"],
  ])("the title of %s is %s", async (name, title) => {
    expect((await listed([named(name)]))[0]?.title).toBe(title);
  });
});

describe("where the tools come from", () => {
  const billing = { name: "billing", tools: [named("refund"), named("invoice")] };

  it("toolboxes and lists of them", async () => {
    const { client } = await connect({ tools: [named("clock"), billing] });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["clock", "refund", "invoice"]);
  });

  it("a registry, as far as the profile allows", async () => {
    const registry = createRegistry({ project: createWorkspace().toolbox(billing).build() });
    const { client } = await connect({ registry, profile: { allowedTools: ["billing/*"] } });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["billing_refund", "billing_invoice"]);
  });

  it("a registry, as far as the profile allows by class", async () => {
    const refund = named("refund");
    const registry = createRegistry({
      project: createWorkspace()
        .toolbox({ name: "billing", tools: [refund, named("invoice")] })
        .build(),
    });
    for (const profile of [{ allowedTools: [refund] }, { allowedTools: [registry.tool("refund")] }]) {
      const { client } = await connect({ registry, profile });
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["billing_refund"]);
    }
  });

  it("a registry without a profile is refused: it would serve nothing", async () => {
    await expect(connect({ registry: createRegistry() })).rejects.toThrow(
      'serveMcp: a registry serves only what a profile allows. Add profile: { allowedTools: ["billing/*"] }, or ["*"] for all.',
    );
  });

  it("case 62: two servers in one process have separate lists", async () => {
    const [one, other] = await Promise.all([connect({ tools: [named("one")] }), connect({ tools: [named("other")] })]);
    expect((await one.client.listTools()).tools.map(({ name }) => name)).toEqual(["one"]);
    expect((await other.client.listTools()).tools.map(({ name }) => name)).toEqual(["other"]);
    await expect(one.client.callTool({ name: "other" })).rejects.toMatchObject({ code: -32602 });
  });

  it("what is no tool is refused when the server is made", async () => {
    await expect(serveMcp({ name: "shop", version: "1.0.0", tools: [Price as never], transport: { port: 0 } })).rejects.toThrow(
      "serveMcp: entry 0 of the tools is Price, which doesn't extend Tool. Give classes that do, or make one with createTool.",
    );
  });

  it("neither tools nor a registry is refused", async () => {
    await expect(connect({} as never)).rejects.toThrow("serveMcp: say what is served: tools, or a registry.");
  });

  it("a mistake in a tool throws when the server is made", async () => {
    class Nameless extends Tool {
      call() {
        return null;
      }
    }
    await expect(connect({ tools: [Nameless] })).rejects.toThrow("Nameless: the tool has no description");
  });
});

describe.each(revisions)("a list that changes, in %s", (revision) => {
  it("is announced to clients that listen, who then receive the new one", async () => {
    const tools = [named("first")];
    const changed = new Promise<readonly string[]>((resolve) => {
      const onChanged = (_: unknown, items: readonly Listed[] | null): void => resolve(items?.map(({ name }) => name) ?? []);
      void connect({ tools: () => [...tools] }, revision, undefined, { listChanged: { tools: { onChanged, debounceMs: 0 } } }).then(
        async ({ client, serving }) => {
          expect((await client.listTools()).tools).toHaveLength(1);
          tools.push(named("second"));
          serving.notifyToolsChanged();
        },
      );
    });
    expect(await changed).toEqual(["first", "second"]);
  });
});
