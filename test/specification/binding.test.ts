import { Agent, model, usesTools } from "../../src/agent/index.js";
import { ScriptedModel } from "../../src/models/index.js";
import { createRegistry, createWorkspace } from "../../src/registry/index.js";
import { Integer, type JsonSchema, mapOf } from "../../src/schema/index.js";
import {
  agentSpecificationOf,
  BindingError,
  bindAgent,
  bindTool,
  checkBinding,
  createToolLibrary,
  createToolSpecification,
  emptyToolLibrary,
  implementSpecification,
  lookupTool,
  registerTool,
  specificationOf,
  usesSpecifications,
} from "../../src/specification/index.js";
import { createTool, description, identifier, optional, required, Tool, type ToolClass } from "../../src/tool/index.js";

const units = ["celsius", "fahrenheit"] as const;

class Place {
  @required(String, "The city name") city!: string;
  @optional(String) country?: string;
}

@identifier("weather")
@description("Gets the weather. Use when asked for it.")
class WeatherTool extends Tool {
  @required(Place) place!: Place;
  @optional({ enum: units, default: "celsius" }) units!: (typeof units)[number];
  @optional(Integer, { description: "Days from now", minimum: 0, maximum: 7 }) days?: number;
  @optional([String]) tags?: string[];
  @optional(mapOf(Number)) limits?: Record<string, number>;
  call() {
    return "Sunny.";
  }
}

const search = createToolSpecification(
  "search",
  "Searches the shop.",
  '(::Text {paramName:"query"})==>(::Int {paramName:"limit", default:10})==>(::String)',
);
const refund = createToolSpecification("refund", "Refunds an order.", '(::Text {paramName:"order"})==>(::String)');
const Search = implementSpecification(search, ({ query }) => `Found ${query}.`);
const Refund = implementSpecification(refund, ({ order }) => `Refunded ${order}.`);

describe("a class and its specification", () => {
  it("bind, whatever keywords, nested classes, lists and maps the class has", () => {
    expect(bindTool(specificationOf(WeatherTool), createToolLibrary([WeatherTool]))).toBe(WeatherTool);
  });

  it("say in the type signature what the class says", () => {
    const { typeSignature, schema } = specificationOf(WeatherTool);
    expect(typeSignature).toContain('(::Int {paramName:"days", optional:true, minimum:0, maximum:7, description:"Days from now"})');
    expect(schema.properties?.days).toEqual({ type: "integer", description: "Days from now", minimum: 0, maximum: 7 });
  });

  it("fail to be made of a schema that no signature can say, naming tool and place", () => {
    const Either = createTool("either", "Takes one of two.", { anyOf: [{ required: ["a"] }, { required: ["b"] }] }, () => "");
    expect(() => specificationOf(Either)).toThrow(
      expect.objectContaining({ name: "SpecificationError", message: expect.stringMatching(/^either can't be specified: .*anyOf/) }),
    );
  });
});

describe("checkBinding says why a specification isn't bound", () => {
  const schemaOf = (properties: JsonSchema["properties"] & object, more: JsonSchema = {}): JsonSchema => ({
    type: "object",
    properties,
    required: ["query"],
    ...more,
  });
  const query = { type: "string" } as const;
  const limit = { type: "integer", default: 10 } as const;
  const reasonFor = (tool: ToolClass) => {
    const binding = checkBinding(search, createToolLibrary([tool]));
    return binding.ok ? "bound" : `${binding.error.reason}: ${binding.error.message}`;
  };
  const searchTool = (schema: JsonSchema, text = search.description) => createTool("search", text, schema, () => "");

  it.each<[string, JsonSchema]>([
    ["keys in another order", { required: ["query"], properties: { limit, query }, type: "object" }],
    ["a closed object", schemaOf({ query, limit }, { additionalProperties: false })],
  ])("not for %s", (_, schema) => {
    expect(reasonFor(searchTool(schema))).toBe("bound");
  });

  it.each([
    [schemaOf({ query, limit: { ...limit, type: "number" } }), 'properties.limit.type: "integer" in the specification, "number" in search'],
    [schemaOf({ query, limit: { ...limit, maximum: 50 } }), "properties.limit.maximum: nothing in the specification, 50 in search"],
    [schemaOf({ query }), 'properties.limit: {"type":"integer","default":10} in the specification, nothing in search'],
    [schemaOf({ query, limit, page: query }), 'properties.page: nothing in the specification, {"type":"string"} in search'],
    [schemaOf({ query, limit }, { required: ["query", "limit"] }), 'required: ["query"] in the specification, ["query","limit"] in search'],
    [
      schemaOf({ query, limit }, { additionalProperties: { type: "string" } }),
      'additionalProperties: nothing in the specification, {"type":"string"} in search',
    ],
  ])("for another schema, with the place and what stands there: %#", (schema, difference) => {
    expect(reasonFor(searchTool(schema))).toBe(`schema: The schema of "search" differs at ${difference}.`);
  });

  it("for another description, with both", () => {
    expect(reasonFor(searchTool(schemaOf({ query, limit }), "Searches."))).toBe(
      'description: The description of "search" is "Searches the shop." in the specification and "Searches." in search.',
    );
  });

  it("for a simple name of a registry's tool, with the full one", () => {
    const registry = createRegistry({
      organisation: createWorkspace({ organisation: "acme" })
        .toolbox("shop")
        .addTool(searchTool(schemaOf({ query, limit })))
        .build(),
    });
    expect(checkBinding(search, createToolLibrary(registry.select("acme/*")))).toMatchObject({
      error: {
        message:
          'No tool is named "search" in the library, which holds "acme/shop/search". Give the specification that name, or make the library of the class itself.',
      },
    });
  });

  it("for a name that isn't there, with those that are", () => {
    expect(reasonFor(Refund)).toBe('not_found: No tool is named "search" in the library, which holds refund.');
    expect(checkBinding(search, emptyToolLibrary)).toMatchObject({ error: { message: expect.stringContaining("which is empty") } });
  });

  it("takes a parameter named like a keyword for a parameter", () => {
    const odd = createToolSpecification(
      "odd",
      "Has odd names.",
      '(::Text {paramName:"required"})==>(::Bool {paramName:"additionalProperties"})==>(::String)',
    );
    const same = implementSpecification(odd, () => "");
    const other = createTool("odd", "Has odd names.", { ...odd.schema, properties: { required: { type: "string" } } }, () => "");
    expect(checkBinding(odd, createToolLibrary([same])).ok).toBe(true);
    expect(checkBinding(odd, createToolLibrary([other]))).toMatchObject({
      error: { message: expect.stringContaining("properties.additionalProperties") },
    });
  });
});

const scripted = (...names: string[]) =>
  new ScriptedModel([{ toolCalls: names.map((name) => ({ name, arguments: { query: "lamps", order: "A-17" } })) }, "Done."]);

describe("an agent declared by @usesSpecifications", () => {
  @model("embedded/keyword")
  @usesSpecifications([search, refund, WeatherTool])
  class SupportAgent extends Agent {}

  it("can't be run: the error names its tools and bindAgent", async () => {
    await expect(SupportAgent.generate("Find lamps")).rejects.toThrow(
      "SupportAgent: its tools are specifications without implementations: search, refund. " +
        "Bind it to a library and run what that gives: const Bound = bindAgent(SupportAgent, library).",
    );
  });

  it("is bound as a subclass of the same name, and stays as it was", async () => {
    const Support = bindAgent(SupportAgent, createToolLibrary([Search, Refund]));
    expect(Support.prototype).toBeInstanceOf(SupportAgent);
    expect(Support.name).toBe("SupportAgent");
    expect(Support.definition.name).toBe("support_agent");
    expect(Support.definition.tools).toEqual([Search, Refund, WeatherTool]);
    await expect(SupportAgent.generate("Find lamps")).rejects.toThrow(/specifications without implementations/);
  });

  it("is bound once more, to other tools, from where it was bound", () => {
    const OtherSearch = implementSpecification(search, () => "Nothing.");
    const Support = bindAgent(SupportAgent, createToolLibrary([Search, Refund]));
    expect(bindAgent(Support, createToolLibrary([OtherSearch, Refund])).definition.tools).toEqual([OtherSearch, Refund, WeatherTool]);
  });

  it("isn't bound at all if a tool is missing or differs; the error names all of them", () => {
    const OtherRefund = createTool("refund", "Refunds.", refund.schema, () => "");
    const bind = () => bindAgent(SupportAgent, createToolLibrary([OtherRefund]));
    expect(bind).toThrow(BindingError);
    expect(bind).toThrow(
      expect.objectContaining({
        problems: [
          { tool: "search", reason: "not_found", message: expect.any(String) },
          { tool: "refund", reason: "description", message: expect.any(String) },
        ],
        message: expect.stringMatching(/^SupportAgent can't be bound: No tool is named "search".* The description of "refund" is/),
      }),
    );
  });

  it("takes each tool from the first library that has its name", () => {
    const OtherRefund = createTool("refund", "Refunds.", refund.schema, () => "");
    const [first, second] = [createToolLibrary([Search]), createToolLibrary([Refund])];
    expect(bindAgent(SupportAgent, [first, second]).definition.tools).toEqual([Search, Refund, WeatherTool]);
    expect(() => bindAgent(SupportAgent, [createToolLibrary([OtherRefund]), first, second])).toThrow(/The description of "refund"/);
  });

  it("keeps its constructor, its methods and the type of its output", async () => {
    @model(scripted("search"))
    @usesSpecifications([search])
    class ShopAgent extends Agent<{ found: string }> {
      constructor(readonly shop: string) {
        super();
      }
    }
    const Shop = bindAgent(ShopAgent, createToolLibrary([Search]));
    const agent = new Shop("Oxford Street");
    const { output, steps } = await agent.generate("Find lamps");
    output satisfies { found: string } | undefined;
    expect([agent.shop, steps[0]?.toolCalls[0]?.content]).toEqual(["Oxford Street", "Found lamps."]);
  });

  it("has its tools by the context, bound at the start of each run", async () => {
    @model(new ScriptedModel([{ toolCalls: [{ name: "refund", arguments: { order: "A-17" } }] }, "Done.", "Nothing to do."]))
    @usesSpecifications(({ userId }) => (userId === "admin" ? [search, refund] : [search]))
    class DeskAgent extends Agent {}

    await expect(DeskAgent.generate("Refund")).rejects.toThrow(/without implementations: search\./);
    const Desk = bindAgent(DeskAgent, createToolLibrary([Search, Refund]));
    const { steps } = await Desk.generate("Refund", { toolContext: { userId: "admin" } });
    expect(steps[0]?.toolCalls[0]?.content).toBe("Refunded A-17.");
    const Poor = bindAgent(DeskAgent, createToolLibrary([Search]));
    expect((await Poor.generate("Search")).text).toBe("Nothing to do.");
    await expect(Poor.generate("Refund", { toolContext: { userId: "admin" } })).rejects.toThrow(BindingError);
  });

  it("goes on in another process with the state of a run, whatever it is bound to there", async () => {
    const asking = implementSpecification(refund, ({ order }) => `Refunded ${order}.`, { requiresConfirmation: true });

    @model(new ScriptedModel([{ toolCalls: [{ name: "refund", arguments: { order: "A-17" } }] }, "Refunded."]))
    @usesSpecifications([refund])
    class RefundAgent extends Agent {}

    const { state } = await bindAgent(RefundAgent, createToolLibrary([asking])).generate("Refund A-17");
    const Elsewhere = bindAgent(
      RefundAgent,
      createToolLibrary([implementSpecification(refund, () => "Booked.", { requiresConfirmation: true })]),
    );
    if (state === undefined) throw new Error("The run did not wait.");
    const response = await new Elsewhere().resume(JSON.parse(JSON.stringify(state)), {
      decisions: [{ decision: "approve", callId: "call_1" }],
    });
    expect(response.steps[0]?.toolCalls[0]?.content ?? response.messages).toContain("Booked.");
  });
});

describe("bindAgent refuses", () => {
  it("an agent without specifications", () => {
    @model("embedded/keyword")
    @usesTools([WeatherTool])
    class WeatherAgent extends Agent {}

    expect(() => bindAgent(WeatherAgent, emptyToolLibrary)).toThrow(
      expect.objectContaining({
        name: "SpecificationError",
        message: expect.stringMatching(/WeatherAgent declares no specifications.*@usesSpecifications/),
      }),
    );
  });

  it("an agent that can't be run for other reasons", () => {
    @usesSpecifications([search])
    class NoModelAgent extends Agent {}

    expect(() => bindAgent(NoModelAgent, createToolLibrary([Search]))).toThrow(/NoModelAgent: the agent has no model/);
  });

  it.each([
    ["a list of tools", [Search]],
    ["an empty list", []],
    ["nothing", undefined],
  ])("%s in place of a library", (_, source) => {
    @model("embedded/keyword")
    @usesSpecifications([search])
    class SearchAgent extends Agent {}

    // As JavaScript may.
    expect(() => bindAgent(SearchAgent, source as never)).toThrow(
      /SearchAgent is bound to a tool library, an experiment, or a list of them/,
    );
  });
});

describe("a library", () => {
  it("holds agents too, as the tools that they are for other agents", () => {
    @model("embedded/keyword")
    @description("Finds flights. Use when the user wants to travel.")
    class FlightAgent extends Agent {}

    const [flights] = createToolLibrary([FlightAgent]);
    expect(flights?.definition.name).toBe("flight_agent");
  });

  it.each([
    [
      "createToolLibrary",
      () => createToolLibrary(["search" as never]),
      /createToolLibrary, entry 0: a library holds classes that extend Tool/,
    ],
    ["an unnamed tool", () => createToolLibrary([undefined as never]), /entry 0: .*got undefined/],
  ])("refuses what is no tool: %s", (_, make, message) => {
    expect(make).toThrow(message);
  });
});

describe("arguments of the wrong kind throw an error that names what is needed:", () => {
  @model("embedded/keyword")
  @usesSpecifications([search])
  class ShopAgent extends Agent {}
  const library = createToolLibrary([Search]);
  // As JavaScript would write it.
  const any = (value: unknown) => value as never;

  it.each<[string, () => unknown, string]>([
    [
      "tools that are no list",
      () => createToolLibrary(any(Search)),
      "createToolLibrary takes a list of tools, got a function. Write createToolLibrary([SearchTool]).",
    ],
    [
      "a specification in a library",
      () => createToolLibrary([any(search)]),
      "a library holds classes that extend Tool, and agents, got an object.",
    ],
    [
      "a list in place of a library",
      () => checkBinding(search, any([Search])),
      'bindTool "search": a tool library is needed, got an array.',
    ],
    ["the same of lookupTool", () => lookupTool("search", any([Search])), 'lookupTool "search": a tool library is needed'],
    [
      "the same of registerTool",
      () => registerTool("search", Search, any(undefined)),
      'registerTool "search": a tool library is needed, got undefined.',
    ],
    [
      "a class in place of a specification",
      () => bindTool(any(Search), library),
      "bindTool: a tool specification is needed, got a function.",
    ],
    [
      "a name in place of a specification",
      () => implementSpecification(any("x"), () => ""),
      'implementSpecification: a tool specification is needed, got string "x".',
    ],
    ["a specification in place of a class", () => specificationOf(any(search)), "specificationOf takes a tool class, got an object."],
    [
      "an agent in place of its class",
      () => agentSpecificationOf(any(new ShopAgent())),
      "agentSpecificationOf takes an agent class, got an instance of ShopAgent.",
    ],
    [
      "the same of bindAgent",
      () => bindAgent(any(new ShopAgent()), library),
      "bindAgent takes an agent class, got an instance of ShopAgent.",
    ],
  ])("%s", (_, mistake, message) => {
    expect(mistake).toThrow(expect.objectContaining({ name: "SpecificationError", message: expect.stringContaining(message) }));
  });
});
