import { createRegistry, createWorkspace, type ToolRegistry } from "../../src/registry/index.js";
import { createTool, Tool, type ToolClass, ToolDefinitionError, ToolNotFoundError } from "../../src/tool/index.js";
import { CalculatorTool, standardToolbox, webToolbox } from "../../src/tools/index.js";
import { noTools, registryOf, tool, warningsOf } from "./support.js";

const names = (tools: readonly ToolClass[]) => tools.map(({ definition }) => definition.name);

describe("a registry", () => {
  it("has the tools that need no configuration if nothing else is said", () => {
    expect(createRegistry().names).toEqual(["calculator", "wikipedia", "web_scraper"]);
    expect(createRegistry().tool("calculator")).toBe(CalculatorTool);
  });

  it("has those that were configured in their place", () => {
    const internal = standardToolbox(webToolbox({ scraper: { maxBytes: 1_000 } }), { name: "files", tools: [tool("read_file")] });
    expect(createRegistry({ internal }).names).toEqual(["calculator", "wikipedia", "web_scraper", "read_file"]);
  });

  it("warns of nothing if no name is taken twice", () => {
    expect(warningsOf(() => void registryOf({ a: [tool("x")], b: [tool("x")] }))).toEqual([]);
  });

  it("warns of each tool that is replaced, once, naming both sources", async () => {
    const organisation = createWorkspace({ organisation: "acme" })
      .addTool(tool("calculator"))
      .toolbox("billing")
      .addTool(tool("refund"))
      .addTool(tool("invoice"))
      .build();
    const own = tool("calculator", {}, () => "the project's");
    const project = createWorkspace().addTool(own).toolbox("acme/billing").addTool(tool("refund")).build();
    let registry: ToolRegistry | undefined;
    const warnings = warningsOf(() => {
      registry = createRegistry({ organisation, project });
    });
    expect(warnings).toEqual([
      'The tool "calculator" of the workspace of "acme" (calculator) replaces that of the internal toolbox "standard" (CalculatorTool).',
      'The tool "calculator" of the project\'s workspace (calculator) replaces that of the workspace of "acme" (calculator).',
      'The tool "acme/billing/refund" of the project\'s workspace, toolbox "acme/billing" (refund) replaces that of the workspace of "acme", toolbox "billing" (refund).',
    ]);
    expect(await registry?.executor({ allowedTools: ["calculator"] }).run("calculator", {})).toBe("the project's");
  });

  it("warns of nothing if the merge fails", () => {
    const internal = { name: "two", tools: [tool("x"), tool("x")] };
    const attempt = () => createRegistry({ internal, project: createWorkspace().addTool(tool("x")).build() });
    expect(warningsOf(() => expect(attempt).toThrow('the internal toolbox "two": x and x are both named "x".'))).toEqual([]);
  });

  it("keeps the registries of two tenants apart (case 62)", () => {
    const [one, two] = [registryOf({ shop: [tool("buy")] }), registryOf({ shop: [tool("sell")] })];
    expect([one.names, two.names]).toEqual([["shop/buy"], ["shop/sell"]]);
    expect(() => one.tool("sell")).toThrow(ToolNotFoundError);
  });

  it("refuses workspaces that were mixed up, or not built", () => {
    const acme = createWorkspace({ organisation: "acme" }).build();
    const project = createWorkspace().build();
    expect(() => createRegistry({ project: acme })).toThrow('given as project is that of the organisation "acme"');
    expect(() => createRegistry({ organisation: project })).toThrow("given as organisation says no name of one");
    const unfinished = createWorkspace().toolbox("billing") as never;
    expect(() => createRegistry({ project: unfinished })).toThrow("project isn't a workspace. End createWorkspace()... with .build().");
    expect(() => createRegistry({ organisation: unfinished })).toThrow(ToolDefinitionError);
  });

  it("refuses a full name that MCP couldn't carry, when the tool is asked for", () => {
    const registry = registryOf({ [`${"o".repeat(60)}/${"n".repeat(60)}`]: [tool("refund_order")] });
    expect(() => registry.tool("refund_order")).toThrow("128 is the most that MCP allows");
  });
});

describe("a name", () => {
  const registry = registryOf({ "": [tool("clock")], billing: [tool("refund"), tool("clock")], shop: [tool("refund"), tool("buy")] });

  it("is a full one, exact and case-sensitive", () => {
    expect(registry.tool("billing/refund").definition.name).toBe("billing/refund");
    expect(() => registry.tool("Billing/refund")).toThrow(ToolNotFoundError);
  });

  it("may be the simple one of a single tool", () => {
    expect(registry.tool("buy").definition.name).toBe("shop/buy");
    expect(registry.fullName("buy")).toBe("shop/buy");
  });

  it("is the full one before it is a simple one", () => {
    expect(registry.tool("clock").definition.name).toBe("clock");
  });

  it("that several tools share names them all in the error", () => {
    expect(() => registry.tool("refund")).toThrow(
      new ToolNotFoundError("refund", "Tool not found in registry: refund. Its full name is needed: billing/refund, shop/refund."),
    );
    expect(registry.fullName("refund")).toBeUndefined();
  });

  it("with the wrong toolbox throws an error that names the right one", () => {
    expect(() => registry.tool("biling/buy")).toThrow("Tool not found in registry: biling/buy. Its full name is needed: shop/buy.");
  });

  it.each(["", "__proto__", "constructor", "/", "billing/", "/refund"])("%j is none", (name) => {
    expect(() => registry.tool(name)).toThrow(ToolNotFoundError);
  });
});

describe("a selection", () => {
  const registry = registryOf({
    "": [tool("clock", { category: "read" })],
    billing: [tool("refund", { category: "write", tags: ["money"] }), tool("invoice", { category: "read", tags: ["money"] })],
    "billing-archive": [tool("invoice", { category: "read" })],
  });

  it.each<[string, Parameters<typeof registry.select>[0], string[]]>([
    ["takes a full name", "billing/refund", ["billing/refund"]],
    ["takes a simple name", "refund", ["billing/refund"]],
    ["takes all that begin as a name that ends in a star", "billing/*", ["billing/refund", "billing/invoice"]],
    ["takes everything for a star", "*", ["clock", "billing/refund", "billing/invoice", "billing-archive/invoice"]],
    ["takes a list in its order, none twice", ["refund", "billing/*", "clock"], ["billing/refund", "billing/invoice", "clock"]],
    ["takes what has a tag", { tags: ["money"] }, ["billing/refund", "billing/invoice"]],
    ["takes what meets all that a profile says", { tags: ["money"], categories: ["read"] }, ["billing/invoice"]],
    ["takes what an allow-list names and is there", { allowedTools: ["clock", "shop/*"] }, ["clock"]],
    ["takes nothing for an empty list", [], []],
    ["takes nothing for a profile that allows nothing", { categories: ["read"] }, []],
  ])("%s", (_what, selection, expected) => {
    const selected = registry.select(selection);
    expect(names(selected)).toEqual(expected);
    expect(Object.isFrozen(selected)).toBe(true);
  });

  it.each([
    ["biling/*", 'no name begins with "biling/". registry.names lists what there is.'],
    ["reefund", 'Tool not found in registry: reefund. Did you mean "billing/refund"?'],
    ["billing/refnd", 'Tool not found in registry: billing/refnd. Did you mean "billing/refund"?'],
    ["telescope", "Tool not found in registry: telescope. registry.names lists what there is."],
    ["invoice", "billing/invoice, billing-archive/invoice"],
  ])("throws for %j: a misspelt name must not take tools away without a word", (selection, message) => {
    expect(() => registry.select(selection)).toThrow(message);
    expect(() => registry.select(["clock", selection])).toThrow(ToolNotFoundError);
  });

  it.each([[{ tag: ["money"] }], [undefined], [registry.tool("clock")]])("throws TypeError for %p, which is no profile", (selection) => {
    expect(() => registry.select(selection as never)).toThrow(TypeError);
  });
});

describe("a registered tool", () => {
  const Refund = createTool({
    name: "refund",
    description: "Refunds an order. Use when the customer wants the money back.",
    inputSchema: { type: "object", properties: { order: { type: "string" } }, required: ["order"] },
    outputSchema: { type: "string" },
    category: "write",
    tags: ["money"],
    execute: ({ order }) => String(order),
  });

  it("has the full name, and is otherwise defined as its class is", () => {
    const { definition } = registryOf({ billing: [Refund] }).tool("refund");
    expect(definition).toEqual({ ...Refund.definition, name: "billing/refund" });
    expect(definition.parametersSchema).toBe(Refund.definition.parametersSchema);
    expect(Object.isFrozen(definition)).toBe(true);
    expect(Refund.definition.name).toBe("refund");
  });

  it("is the same class each time, from whatever registry, and a subclass of its author's", () => {
    const [one, other] = [registryOf({ billing: [Refund] }), registryOf({ billing: [Refund] })];
    expect(one.tool("refund")).toBe(one.tool("billing/refund"));
    expect(other.tool("refund")).toBe(one.tool("refund"));
    expect(one.tool("refund").prototype).toBeInstanceOf(Refund);
    expect(one.tool("refund").name).toBe(Refund.name);
  });

  it("is its author's class if the name is the same", () => {
    expect(registryOf({ "": [Refund] }).tool("refund")).toBe(Refund);
  });

  it("has another name in each toolbox", () => {
    expect(names(registryOf({ billing: [Refund], shop: [Refund] }).select("*"))).toEqual(["billing/refund", "shop/refund"]);
  });

  it("is reported by its mistake if it was added, not at its first call", () => {
    class Undescribed extends Tool {
      call(): void {}
    }
    expect(() => registryOf({ billing: [Undescribed] })).toThrow("Undescribed: the tool has no description");
  });
});

it("has nothing in it where nothing was put in", () => {
  const registry = createRegistry({ internal: noTools });
  expect(registry.names).toEqual([]);
  expect(() => registry.select("*")).toThrow(ToolNotFoundError);
});
