import { Agent, model } from "../../src/agent/index.js";
import { ScriptedModel } from "../../src/models/index.js";
import {
  bindAgent,
  bindTool,
  createToolLibrary,
  createToolSpecification,
  emptyToolLibrary,
  implementSpecification,
  lookupTool,
  parseTypeSignature,
  registerTool,
  specificationOf,
  toolSpecificationFromGram,
  toolSpecificationFromJSON,
  toolSpecificationToGram,
  typeSignatureToJSONSchema,
  usesSpecifications,
} from "../../src/specification/index.js";
import { createTool } from "../../src/tool/index.js";

/** Seed 001: specifications, libraries and binding. */

const name = "sayHello";
const description = "Returns a friendly greeting message for the given name";
const typeSignature = '(::Text {paramName:"name"})==>(::String)';
const schema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] } as const;

const specification = createToolSpecification(name, description, typeSignature);
const sayHello = createTool(name, description, schema, (input) => `Hello, ${input.name}! Nice to meet you.`);
const library = registerTool(name, sayHello, emptyToolLibrary);

describe('seed 001, "createToolSpecification"', () => {
  it("Postconditions: the JSON schema is generated from the type signature", () => {
    expect(specification).toEqual({ name, description, typeSignature, schema });
  });

  it("Postconditions: it is ready for serialization: plain, frozen data with nothing executable inside", () => {
    expect(JSON.parse(JSON.stringify(specification))).toEqual(specification);
    expect(Object.isFrozen(specification)).toBe(true);
    expect(Object.isFrozen(specification.schema.properties)).toBe(true);
  });

  it.each([
    ["Simple", "(::Text)==>(::String)", { properties: { arg1: { type: "string" } }, required: ["arg1"] }],
    ["Named parameter", typeSignature, { properties: { name: { type: "string" } }, required: ["name"] }],
    [
      "Multiple parameters",
      '(::Text {paramName:"name"})==>(::Int {paramName:"age"})==>(::String)',
      { properties: { name: { type: "string" }, age: { type: "integer" } }, required: ["name", "age"] },
    ],
    [
      "Optional parameter",
      '(::Text {paramName:"name"})==>(::Int {paramName:"age", optional:true})==>(::String)',
      { properties: { name: { type: "string" }, age: { type: "integer" } }, required: ["name"] },
    ],
    [
      "Record parameter",
      '(::Object {paramName:"params", fields:[{name:"name", type:"Text"}, {name:"age", type:"Int"}]})==>(::String)',
      {
        properties: {
          params: { type: "object", properties: { name: { type: "string" }, age: { type: "integer" } }, required: ["name", "age"] },
        },
        required: ["params"],
      },
    ],
  ])("Type Signature Format: %s", (_, signature, expected) => {
    expect(createToolSpecification(name, description, signature).schema).toEqual({ type: "object", ...expected });
  });

  it.each([
    ["name must be non-empty", () => createToolSpecification("", description, typeSignature), /name of a tool specification is empty/],
    ["description must be non-empty", () => createToolSpecification(name, " ", typeSignature), /"sayHello" has no description/],
    ["typeSignature must be valid", () => createToolSpecification(name, description, "(::Text)=>"), /signature of "sayHello".*column 10/s],
  ])("Preconditions: %s", (_, create, message) => {
    expect(create).toThrow(expect.objectContaining({ name: "SpecificationError", message: expect.stringMatching(message) }));
  });
});

it('seed 001, "createTool": a tool made by it has name, description and schema of its specification', () => {
  expect(sayHello.definition).toMatchObject({ name: specification.name, description: specification.description });
  expect(sayHello.parametersSchema).toEqual(specification.schema);
});

it('seed 001, "Tool Specification Accessors": toolSpecName, toolSpecDescription, toolSpecTypeSignature and toolSpecSchema are properties', () => {
  expect(specification.name).toBe("sayHello");
  expect(specification.description).toBe(description);
  expect(specification.typeSignature).toBe(typeSignature);
  expect(specification.schema).toEqual(schema);
});

it('seed 001, "Tool Accessors": toolName, toolDescription and toolSchema are properties of the class', () => {
  expect(sayHello.identifier).toBe("sayHello");
  expect(sayHello.definition.description).toBe(description);
  expect(sayHello.parametersSchema).toEqual(schema);
});

describe('seed 001, "emptyToolLibrary"', () => {
  it("holds no tool", () => {
    expect([...emptyToolLibrary]).toEqual([]);
    expect(lookupTool(name, emptyToolLibrary)).toBeUndefined();
  });
});

describe('seed 001, "registerTool"', () => {
  it("Postconditions: returns a library with the tool, and leaves the one that it was given as it is", () => {
    expect(lookupTool(name, library)).toBe(sayHello);
    expect(emptyToolLibrary.names).toEqual([]);
  });

  it("Postconditions: a tool of the same name is replaced", () => {
    const other = createTool(name, description, schema, () => "Hi.");
    expect(lookupTool(name, registerTool(name, other, library))).toBe(other);
    expect(lookupTool(name, library)).toBe(sayHello);
  });

  it("Preconditions: the name must be the tool's", () => {
    expect(() => registerTool("greet", sayHello, emptyToolLibrary)).toThrow(/registerTool "greet": the tool is named "sayHello"/);
  });
});

describe('seed 001, "lookupTool"', () => {
  it("gives the tool of exactly that name, or nothing", () => {
    expect(lookupTool("sayHello", library)).toBe(sayHello);
    expect(lookupTool("sayhello", library)).toBeUndefined();
    expect(lookupTool("constructor", library)).toBeUndefined();
  });
});

describe('seed 001, "bindTool"', () => {
  it("gives the tool that has the specification's name, description and schema", () => {
    expect(bindTool(specification, library)).toBe(sayHello);
  });

  it("gives nothing where the tool isn't found", () => {
    expect(bindTool(specification, emptyToolLibrary)).toBeUndefined();
  });

  it.each([
    ["description", createTool(name, "Greets.", schema, () => "")],
    ["schema", createTool(name, description, { ...schema, properties: { name: { type: "integer" } } }, () => "")],
  ])("gives nothing if the tool's %s is another one", (_, other) => {
    expect(bindTool(specification, createToolLibrary([other]))).toBeUndefined();
  });
});

describe('seed 001, "Tool Invocation"', () => {
  it("binds the specifications of an agent to a library, validates what the model provides, and gives it the result", async () => {
    const scripted = new ScriptedModel([
      { toolCalls: [{ name, arguments: {} }] },
      { toolCalls: [{ name, arguments: { name: "Ada" } }] },
      "I said hello.",
    ]);

    @model(scripted)
    @usesSpecifications([specification])
    class GreetingAgent extends Agent {}

    const response = await bindAgent(GreetingAgent, library).generate("Say hello to Ada");
    expect(response.text).toBe("I said hello.");
    const results = response.steps.flatMap(({ toolCalls }) => toolCalls.map(({ content }) => content));
    expect(results).toEqual([expect.stringContaining("name is required"), "Hello, Ada! Nice to meet you."]);
  });
});

it('seed 001, "Schema Definition": parameters may have descriptions, for the model', () => {
  const described = '(::Text {paramName:"paramName", description:"Parameter description"})==>(::String)';
  expect(createToolSpecification(name, description, described).schema).toEqual({
    type: "object",
    properties: { paramName: { type: "string", description: "Parameter description" } },
    required: ["paramName"],
  });
});

describe('seed 001, "typeSignatureToJSONSchema"', () => {
  it("gives Right schema, or Left error with the place", () => {
    expect(typeSignatureToJSONSchema(typeSignature)).toEqual({ ok: true, value: schema });
    expect(typeSignatureToJSONSchema("(::Text)")).toEqual({ ok: false, error: expect.stringContaining("line 1") });
  });

  it.each([
    ["Text", { type: "string" }],
    ["Int", { type: "integer" }],
    ["Double", { type: "number" }],
    ["Bool", { type: "boolean" }],
    ["{field1: Text, field2: Int}", { type: "object", properties: { field1: { type: "string" }, field2: { type: "integer" } } }],
    ["[Text]", { type: "array", items: { type: "string" } }],
  ])("Type Mapping: %s", (type, expected) => {
    const made = typeSignatureToJSONSchema(`(value::${type})==>(::String)`);
    expect(made).toMatchObject({ ok: true, value: { properties: { value: expected }, required: ["value"] } });
  });

  it("Type Mapping: Maybe T is an optional parameter, which is not in the required list", () => {
    const made = typeSignatureToJSONSchema("(value::Maybe Int)==>(::String)");
    expect(made).toEqual({ ok: true, value: { type: "object", properties: { value: { type: "integer" } } } });
  });
});

describe('seed 001, "parseTypeSignature"', () => {
  it("gives Right signature, or Left error with the place", () => {
    expect(parseTypeSignature(typeSignature)).toMatchObject({ ok: true, value: { parameters: [{ name: "name", required: true }] } });
    expect(parseTypeSignature("(::Txet)==>(::String)")).toEqual({ ok: false, error: expect.stringMatching(/line 1, column .*"Txet"/s) });
  });
});

describe('seed 001, "ToolSpecification Serialization"', () => {
  const gram = `[sayHello:ToolSpecification {
  description: "Returns a friendly greeting message for the given name"
} |
  (::Text {paramName:"name"})==>(::String)
]`;

  it("gram notation: the name is the pattern's identifier, and the schema is made from the type signature", () => {
    expect(toolSpecificationToGram(specification)).toBe(gram);
    expect(toolSpecificationFromGram(gram)).toEqual(specification);
  });

  it("JSON Format: name, description, typeSignature and, for convenience, schema", () => {
    const json = { name, description, typeSignature, schema };
    expect(JSON.parse(JSON.stringify(specification))).toEqual(json);
    expect(toolSpecificationFromJSON(json)).toEqual(specification);
    expect(toolSpecificationFromJSON({ name, description, typeSignature })).toEqual(specification);
  });

  it("typeSignature is the source of truth: where the schema disagrees, it counts, and the process is warned", () => {
    const warn = jest.spyOn(process, "emitWarning").mockImplementation();
    const json = { name, description, typeSignature, schema: { ...schema, properties: { name: { type: "integer" } } } };
    expect(toolSpecificationFromJSON(json)).toEqual(specification);
    expect(warn.mock.calls).toEqual([
      [expect.stringMatching(/"sayHello".*properties\.name\.type it has "integer", the signature says "string"/), "ToolwrightWarning"],
    ]);
    warn.mockRestore();
  });
});

it('seed 001, "Tool Serialization": a tool is its specification and a function, which comes from the process', () => {
  const sent = JSON.stringify(specificationOf(sayHello));
  const received = implementSpecification(toolSpecificationFromJSON(JSON.parse(sent)), () => "Hello.");
  expect(bindTool(specification, createToolLibrary([received]))).toBe(received);
});

describe('seed 001, "Notes"', () => {
  it("tool names are unique within an agent's tool specification list", () => {
    @model("embedded/keyword")
    @usesSpecifications([specification, createToolSpecification(name, "Greets.", typeSignature)])
    class TwiceAgent extends Agent {}

    expect(() => bindAgent(TwiceAgent, library)).toThrow(/TwiceAgent: two of its specifications are named "sayHello"/);
  });

  it("tool names are unique within a library", () => {
    expect(() => createToolLibrary([sayHello, createTool(name, "Greets.", schema, () => "")])).toThrow(/both named "sayHello"/);
  });

  it("a specification is shared by several agents, each of them bound by itself", async () => {
    @usesSpecifications([specification])
    abstract class Greeter extends Agent {}

    @model(new ScriptedModel([{ toolCalls: [{ name, arguments: { name: "Ada" } }] }, "Done."]))
    class One extends Greeter {}

    @model(new ScriptedModel([{ toolCalls: [{ name, arguments: { name: "Bob" } }] }, "Done."]))
    class Other extends Greeter {}

    const formal = createToolLibrary([implementSpecification(specification, (input) => `Good day, ${input.name}.`)]);
    const answers = [await bindAgent(One, library).generate("Hello"), await bindAgent(Other, formal).generate("Hello")];
    expect(answers.map(({ steps }) => steps[0]?.toolCalls[0]?.content)).toEqual(["Hello, Ada! Nice to meet you.", "Good day, Bob."]);
  });
});
