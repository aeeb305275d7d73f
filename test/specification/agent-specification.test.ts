import {
  Agent,
  type AgentClass,
  budget,
  guardrail,
  history,
  instructions,
  maxSteps,
  model,
  modelOptions,
  pass,
  toolSearch,
  usesTools,
} from "../../src/agent/index.js";
import { ScriptedModel } from "../../src/models/index.js";
import {
  type AgentSpecification,
  agentFromSpecification,
  agentSpecificationFromGram,
  agentSpecificationFromJSON,
  agentSpecificationOf,
  agentSpecificationToGram,
  bindAgent,
  createToolLibrary,
  createToolSpecification,
  experiment,
  implementSpecification,
  specificationOf,
  toolSpecificationFromGram,
  toolSpecificationFromJSON,
  toolSpecificationsFromGram,
  usesSpecifications,
} from "../../src/specification/index.js";
import { createTool, deferred, description, identifier, required, returns, Tool } from "../../src/tool/index.js";

const search = createToolSpecification("search", "Searches the shop.", '(::Text {paramName:"query"})==>(::String)');
const Search = implementSpecification(search, ({ query }) => `Found ${query}.`);

@identifier("refund")
@description("Refunds an order. Use when the user wants the money back.")
class RefundTool extends Tool {
  @required(String, "The order number") order!: string;
  call() {
    return `Refunded ${this.order}.`;
  }
}

const library = createToolLibrary([Search, RefundTool]);

@identifier("support")
@description("Helps customers. Use when they ask about orders.")
@model("embedded/keyword", { retries: 1, timeout: 30_000, fallback: ["ollama/llama3.2"] })
@modelOptions({ temperature: 0, maxOutputTokens: 500, stopSequences: ["END"] })
@instructions("You help customers.\nBe brief.")
@maxSteps(5)
@budget({ tokens: 50_000, callsPerTool: { refund: 1 }, wallTime: Number.POSITIVE_INFINITY })
@history({ maxTurns: 20 })
@usesSpecifications([search, RefundTool])
class SupportAgent extends Agent {}

const specified = {
  name: "support",
  description: "Helps customers. Use when they ask about orders.",
  model: "embedded/keyword",
  modelSettings: { retries: 1, timeout: 30_000, fallback: ["ollama/llama3.2"] },
  modelOptions: { temperature: 0, maxOutputTokens: 500, stopSequences: ["END"] },
  instructions: "You help customers.\nBe brief.",
  tools: [search, specificationOf(RefundTool)],
  maxSteps: 5,
  budget: { tokens: 50_000, callsPerTool: { refund: 1 } },
  history: { maxTurns: 20 },
};

describe("agentSpecificationOf", () => {
  it("gives name, model, instructions, limits, and the tools as specifications, as JSON", () => {
    expect(agentSpecificationOf(SupportAgent)).toEqual(specified);
    expect(JSON.parse(JSON.stringify(specified))).toEqual(specified);
  });

  it("gives the same of an agent that is bound, to a library or to an experiment", () => {
    const trial = experiment("search", { a: library, b: library }, { by: ({ userId }) => userId });
    expect(agentSpecificationOf(bindAgent(SupportAgent, library))).toEqual(specified);
    expect(agentSpecificationOf(bindAgent(SupportAgent, [trial, library]))).toEqual(specified);
  });

  it("specifies tools of all kinds: classes, toolboxes, agents", () => {
    @model("embedded/keyword")
    @description("Finds flights. Use when the user wants to travel.")
    class FlightAgent extends Agent {}

    @model("embedded/keyword")
    @maxSteps(Number.POSITIVE_INFINITY)
    @usesTools([{ name: "shop", tools: [Search] }, RefundTool, FlightAgent])
    class DeskAgent extends Agent {}

    const { tools, maxSteps: limit } = agentSpecificationOf(DeskAgent);
    expect(tools.map(({ name }) => name)).toEqual(["search", "refund", "flight_agent"]);
    expect(limit).toBeNull();
    const again = agentFromSpecification(
      JSON.parse(JSON.stringify(agentSpecificationOf(DeskAgent))),
      createToolLibrary([Search, RefundTool, FlightAgent]),
    );
    expect(again.definition.maxSteps).toBe(Number.POSITIVE_INFINITY);
  });
});

it("agentSpecificationOf gives call limits of a Map by the tools' names", () => {
  @model("embedded/keyword")
  @usesTools([Search])
  @budget({
    tokens: 9,
    wallTime: Number.POSITIVE_INFINITY,
    callsPerTool: new Map<string | typeof Search, number>([
      [Search, 2],
      ["other", 1],
    ]),
  })
  class LimitedAgent extends Agent {}
  expect(agentSpecificationOf(LimitedAgent).budget).toEqual({ tokens: 9, callsPerTool: { [Search.identifier]: 2, other: 1 } });
});

describe("agentFromSpecification", () => {
  it("gives an agent that answers as the first one does, from nothing but text and a library", async () => {
    const Support = agentFromSpecification(JSON.parse(JSON.stringify(agentSpecificationOf(SupportAgent))), library);
    expect(agentSpecificationOf(Support)).toEqual(specified);
    expect(Support.definition).toEqual({ ...bindAgent(SupportAgent, library).definition, budget: specified.budget });
    const { text } = await new Support().generate('Refund the order "A-17"');
    expect(text).toBe("Refunded A-17.");
  });

  it("gives an agent that may be subclassed, for what only code can say", async () => {
    const Support = agentFromSpecification(specified, library);

    @model(new ScriptedModel(["Hello."]))
    @guardrail("after", { checkOutput: () => pass() })
    class GuardedAgent extends Support {}

    expect((await GuardedAgent.generate("Hello")).text).toBe("Hello.");
    expect(GuardedAgent.definition.tools).toEqual([Search, RefundTool]);
  });

  it("binds nothing if a tool is missing", () => {
    expect(() => agentFromSpecification(specified, createToolLibrary([Search]))).toThrow(
      expect.objectContaining({
        name: "BindingError",
        message: expect.stringMatching(/^support can't be bound: No tool is named "refund"/),
      }),
    );
  });

  it.each<[string, unknown, RegExp]>([
    ["text", JSON.stringify(specified), /got a text: parse it first/],
    ["nothing", null, /got null/],
    ["no name", { ...specified, name: "" }, /has no name/],
    ["no model", { ...specified, model: undefined }, /"support" has no model/],
    ["instructions that are no text", { ...specified, instructions: 5 }, /instructions must be a string, got a number/],
    ["no tools", { ...specified, tools: {} }, /tools must be a list/],
    [
      "a tool without signature",
      { ...specified, tools: [{ name: "x", description: "Does x." }] },
      /"x": its type signature must be a string/,
    ],
    ["a tool that is text", { ...specified, tools: ["search"] }, /A tool specification is an object of name.*got a string/],
    ["an unknown limit", { ...specified, maxTokens: 5 }, /has the unknown member "maxTokens", which would be ignored/],
    ["steps that don't count", { ...specified, maxSteps: "5" }, /maxSteps is 5, but counts model calls/],
    ["a budget that is none", { ...specified, budget: { token: 5 } }, /a budget has no "token"/],
    ["a history that keeps nothing", { ...specified, history: { maxTurns: 0 } }, /maxTurns of @history is 0/],
  ])("refuses %s", (_, specification, message) => {
    expect(() => agentFromSpecification(specification, library)).toThrow(message);
  });
});

describe("agentSpecificationOf refuses what JSON can't hold and an agent must not lose", () => {
  const specify = (decorate: (target: AgentClass) => void) => {
    class OddAgent extends Agent {}
    model("embedded/keyword")(OddAgent);
    decorate(OddAgent);
    return () => agentSpecificationOf(OddAgent);
  };

  it.each([
    [
      "a model chosen by context",
      specify(model(() => "embedded/keyword")),
      "@model can't be part of a specification: the model is a function",
    ],
    ["a model object", specify(model(new ScriptedModel([]))), "@model can't be part of a specification: the model is an object"],
    ["a fallback object", specify(model("embedded/keyword", { fallback: new ScriptedModel([]) })), "@model can't be part"],
    ["instructions by context", specify(instructions(() => "Hi.")), "@instructions can't be part of a specification: they are a function"],
    ["tools by context", specify(usesTools(() => [Search])), "@usesTools can't be part of a specification: the tools are a function"],
    ["specifications by context", specify(usesSpecifications(() => [search])), "@usesTools can't be part of a specification"],
    ["a search", specify(toolSearch(() => [])), "@toolSearch can't be part"],
    ["a tool that the list defers", specify(usesTools([deferred(Search)])), "deferred(...) around search can't be part"],
    ["a toolbox that is deferred", specify(usesTools([deferred({ name: "a", tools: [Search] })])), "around search can't be part"],
    ["a guardrail", specify(guardrail("after", { checkOutput: () => pass() })), "@guardrail can't be part"],
    ["a type of output", specify(returns(String)), "@returns can't be part"],
    ["a way to count tokens", specify(history({ maxTokens: 9, countTokens: () => 1 })), "@history can't be part"],
  ])("%s, and names the decorator", (_, make, message) => {
    expect(make).toThrow(expect.objectContaining({ name: "SpecificationError", message: expect.stringContaining(`OddAgent: `) }));
    expect(make).toThrow(message);
  });

  it("a method that decides what a run does, and names it", () => {
    @model("embedded/keyword")
    class ChoosyAgent extends Agent {
      override tools() {
        return [Search];
      }
    }
    expect(() => agentSpecificationOf(ChoosyAgent)).toThrow("ChoosyAgent: its method tools can't be part of a specification");
  });

  it.each([
    ["instructions", instructions("Use the key sk-proj-1234567890abcdef1234567890abcdef.")],
    ["modelOptions", modelOptions({ providerOptions: { openai: { apiKey: "hunter2" } } })],
    ["model", model("http://localhost:1234/v1?api_key=hunter2#qwen")],
  ])("a secret in its %s", (member, decorator) => {
    expect(specify(decorator)).toThrow(`OddAgent: its ${member} holds what looks like a secret`);
  });

  it("but not a tool with a parameter named password", () => {
    const Login = createTool("login", "Logs in.", { type: "object", properties: { password: { type: "string" } } }, () => "");
    expect(specify(usesTools([Login]))().tools[0]?.schema.properties).toEqual({ password: { type: "string" } });
  });
});

describe("an agent in gram", () => {
  it("has its tools within it, is read back as it was, and prints to the same text", () => {
    const text = agentSpecificationToGram(agentSpecificationOf(SupportAgent));
    expect(text).toBe(`[support:Agent {
  instruction: \`\`\`
You help customers.
Be brief.
  \`\`\`,
  description: "Helps customers. Use when they ask about orders.",
  model: "embedded/keyword",
  modelSettings: json\`{"retries":1,"timeout":30000,"fallback":["ollama/llama3.2"]}\`,
  modelOptions: json\`{"temperature":0,"maxOutputTokens":500,"stopSequences":["END"]}\`,
  maxSteps: 5,
  budget: json\`{"tokens":50000,"callsPerTool":{"refund":1}}\`,
  history: json\`{"maxTurns":20}\`
} |
  [search:ToolSpecification {
    description: "Searches the shop."
  } |
    (::Text {paramName:"query"})==>(::String)
  ],
  [refund:ToolSpecification {
    description: "Refunds an order. Use when the user wants the money back."
  } |
    (::Text {paramName:"order", description:"The order number"})==>(::String)
  ]
]`);
    expect(agentSpecificationFromGram(text)).toEqual(specified);
    expect(agentSpecificationToGram(agentSpecificationFromGram(text))).toBe(text);
  });

  it("is read in the form of pattern-agent, with its labels and names of models", async () => {
    const text = `[hello_world_agent:Agent {
  description: "A friendly agent that uses the sayHello tool to greet users",
  instruction: "Greet people. Use the \`sayHello\` tool.",
  model: "OpenAI/gpt-4o-mini"
} |
  [sayHello:Tool {
    description: "Returns a friendly greeting message for the given name"
  } |
    (personName::String {default:"world"})==>(::String)
  ]
]`;
    const specification = agentSpecificationFromGram(text);
    expect(specification).toMatchObject({
      name: "hello_world_agent",
      model: "openai/gpt-4o-mini",
      instructions: "Greet people. Use the `sayHello` tool.",
    });
    const [sayHello] = specification.tools;
    if (sayHello === undefined) throw new Error("The tool is missing.");
    expect(sayHello.schema.properties).toEqual({ personName: { type: "string", default: "world" } });
    const Hello = agentFromSpecification(
      specification,
      createToolLibrary([implementSpecification(sayHello, ({ personName }) => `Hello, ${personName}!`)]),
    );

    @model(new ScriptedModel([{ toolCalls: [{ name: "sayHello" }] }, "Greeted."]))
    class Scripted extends Hello {}

    expect((await Scripted.generate("Hi")).steps[0]?.toolCalls[0]?.content).toBe("Hello, world!");
  });

  it("is read if its one tool is written behind it as annotations, which mean the same", () => {
    const tool = '[b:Tool {description: "d"} | (::Text)==>(::String)]';
    const annotated = agentSpecificationFromGram(`@@a:Agent @model("x/y") ${tool}`);
    expect(annotated).toEqual(agentSpecificationFromGram(`[a:Agent {model: "x/y"} | ${tool}]`));
  });

  it.each([
    ["a tool in place of an agent", "[sayHello:Tool | (::Text)==>(::String)]", /isn't an agent: it has no label Agent/],
    ["two agents", '[a:Agent {model: "x/y"}] [b:Agent {model: "x/y"}]', /holds 2 patterns, but must hold one, of an agent/],
    ["nothing", "", /holds 0 patterns/],
    ["no name", '[:Agent {model: "x/y"}]', /has no name/],
    ["a label in lower case", '[a:agent {model: "x/y"}]', /no label Agent, but "agent"\. Did you mean "Agent"\?/],
    ["a setting twice", '[a:Agent {model: "x/y", model: "x/z"}]', /"model" is given twice/],
    ["instructions by two names", '[a:Agent {model: "x/y", instruction: "a", instructions: "b"}]', /mean the same/],
    ["a misspelt setting", '[a:Agent {model: "x/y", instructons: "a"}]', /Did you mean "instructions"\?/],
    ["annotations", '@owner("Ann") [a:Agent {model: "x/y"}]', /annotations before an agent would be lost\. Say it in a comment/],
    [
      "annotations of a tool",
      '[a:Agent {model: "x/y"} | @version(2) [b:Tool {description: "d"} | (::Text)==>(::String)]]',
      /Annotations stand at the top alone/,
    ],
    ["no model", "[a:Agent]", /"a" has no model/],
    ["a model that is no text", "[a:Agent {model: 5}]", /"a": model must be a string, got a number/],
    ["a reference to a tool", '[a:Agent {model: "x/y"} | sayHello]', /sayHello isn't a tool specification/],
    ["a setting that isn't JSON", '[a:Agent {model: "x/y", budget: json`{`}]', /the text json`\{` isn't JSON/],
    ["no gram", "[a:Agent", /line 1, column 9/],
  ])("is refused: %s", (_, text, message) => {
    expect(() => agentSpecificationFromGram(text)).toThrow(message);
  });
});

it("rejects a tool's JSON with an unknown member", () => {
  const read = () => toolSpecificationFromJSON({ ...search, descripton: "Searches." });
  expect(read).toThrow('A tool specification has the unknown member "descripton", which would be ignored. Did you mean "description"?');
});

describe("a file of several tools", () => {
  it("is read as their specifications", () => {
    const tool = (name: string) => `// ${name}\n[${name}:Tool {description: "Does ${name}."} |\n  (n::Int)==>(::String)\n]\n`;
    expect(toolSpecificationsFromGram(tool("a") + tool("b"))).toEqual([tool("a"), tool("b")].map(toolSpecificationFromGram));
    expect(toolSpecificationsFromGram("// none yet")).toEqual([]);
  });
});

describe("a tool in gram is refused", () => {
  const tool = (text: string) => () => agentSpecificationFromGram(`[a:Agent {model: "x/y"} | ${text}]`);

  it.each([
    ["without a name", tool('[:Tool {description: "Greets."} | (::Text)==>(::String)]'), /has no name. It stands before the label/],
    ["without a description", tool("[hi:Tool | (::Text)==>(::String)]"), /"hi" has no description in its record/],
    [
      "with a misspelt description",
      tool('[hi:Tool {Description: "x"} | (::Text)==>(::String)]'),
      /has the unknown member "Description".*Did you mean "description"/,
    ],
    [
      "with a description that is no text",
      tool("[hi:Tool {description: 5} | (::Text)==>(::String)]"),
      /description must be a string, got 5/,
    ],
    ["with two descriptions", tool('[hi:Tool {description: "x", description: "y"} | (::Text)==>(::String)]'), /is given twice/],
    [
      "with what is kept nowhere",
      tool('[hi:Tool {description: "x", owner: "Ann"} | (::Text)==>(::String)]'),
      /has the unknown member "owner".*in a comment/,
    ],
    ["with a label in lower case", tool('[hi:tool {description: "x"} | (::Text)==>(::String)]'), /but "tool"\. Did you mean "Tool"\?/],
    ["without a signature", tool('[hi:Tool {description: "Greets."}]'), /"hi" has 0 type signatures, but a tool has one/],
    [
      "with two signatures",
      tool('[hi:Tool {description: "Greets."} | (::Text)==>(::String), (::Int)==>(::String)]'),
      /has 2 type signatures/,
    ],
    [
      "without a return type",
      tool('[hi:Tool {description: "Greets."} | (::Text)]'),
      /^line 1, column 71: .*signature of "hi" can't be read/,
    ],
    ["with an unknown type", tool('[hi:Tool {description: "Greets."} | (::Txt)==>(::String)]'), /"Txt" isn't a type/],
    [
      "with two parameters of one name",
      tool('[hi:Tool {description: "Greets."} | (::Text {paramName:"a"})==>(::Int {paramName:"a"})==>(::String)]'),
      /signature of "hi" can't be read: .*"a"/s,
    ],
    [
      "with a default of the wrong type",
      tool('[hi:Tool {description: "Greets."} | (a::Int {default:"x"})==>(::String)]'),
      /signature of "hi".*default/s,
    ],
  ])("%s, with its name and the place", (_, read, message) => {
    expect(read).toThrow(expect.objectContaining({ name: "SpecificationError", message: expect.stringMatching(message) }));
  });
});

it("an agent specification is checked by agentSpecificationFromJSON alone, too", () => {
  const specification: AgentSpecification = agentSpecificationFromJSON(JSON.parse(JSON.stringify(specified)));
  expect(specification).toEqual(specified);
  expect(Object.isFrozen(specification)).toBe(true);
});
