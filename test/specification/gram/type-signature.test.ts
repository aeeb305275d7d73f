import {
  parametersSchemaOf,
  parseGram,
  parseTypeSignature,
  printTypeSignature,
  readTypeSignature,
  TypeSignatureError,
  typeSignatureOf,
  typeSignatureToJSONSchema,
} from "../../../src/specification/gram/index.js";
import { anyOf, description, Integer, type JsonSchema, mapOf, optional, required, SchemaError, Tool } from "../../../src/index.js";
import { acceptSchema } from "../../../src/schema/index.js";

function schemaOf(text: string): JsonSchema {
  const schema = typeSignatureToJSONSchema(text);
  if (!schema.ok) throw new Error(schema.error);
  return schema.value;
}

/** The schema of the one parameter of a signature. */
const parameterOf = (node: string) => Object.values(schemaOf(`${node}==>(::String)`).properties ?? {})[0];

const text = { type: "string" };
const object = (properties: object, required: readonly string[] = Object.keys(properties)) => ({ type: "object", properties, required });

describe('seed 001, "Type Signature Format":', () => {
  it.each([
    ["Simple", "(::Text)==>(::String)", object({ arg1: text })],
    ["Named parameter", '(::Text {paramName:"name"})==>(::String)', object({ name: text })],
    [
      "Multiple parameters",
      '(::Text {paramName:"name"})==>(::Int {paramName:"age"})==>(::String)',
      object({ name: text, age: { type: "integer" } }),
    ],
    [
      "Optional parameter",
      '(::Text {paramName:"name"})==>(::Int {paramName:"age", optional:true})==>(::String)',
      object({ name: text, age: { type: "integer" } }, ["name"]),
    ],
    [
      "Record parameter",
      '(::Object {paramName:"params", fields:[{name:"name", type:"Text"}, {name:"age", type:"Int"}]})==>(::String)',
      object({ params: object({ name: text, age: { type: "integer" } }) }),
    ],
  ])("%s, which is read and written as it is", (_, signature, schema) => {
    expect(schemaOf(signature)).toEqual(schema);
    const parsed = parseTypeSignature(signature);
    expect(parsed.ok && printTypeSignature(parsed.value)).toBe(signature);
  });
});

describe('seed 001, "Type Mapping":', () => {
  it.each([
    ["Text", "string"],
    ["Int", "integer"],
    ["Double", "number"],
    ["Bool", "boolean"],
    ["Object", "object"],
    ["Array", "array"],
    ["String", "string"],
    ["Integer", "integer"],
    ["Number", "number"],
    ["Boolean", "boolean"],
  ])("%s is %s", (name, type) => {
    expect(parameterOf(`(::${name})`)).toEqual({ type });
  });

  it("Any says nothing of the type", () => {
    expect(parameterOf('(::Any {description:"as you like"})')).toEqual({ description: "as you like" });
  });

  it.each(["(age::Maybe:Int)", "(age::Maybe Int)", "(age::`Maybe Int`)", "(::Int {paramName:age, optional:true})"])(
    "Maybe T is a parameter that may be left out: %s",
    (node) => {
      expect(schemaOf(`${node}==>(::String)`)).toEqual({ type: "object", properties: { age: { type: "integer" } } });
    },
  );

  it.each([
    "(home::Maybe {city: Text, zip: Maybe Int})",
    "(home::Maybe{city: Text, zip: Maybe Int})",
    "(home::`Maybe {city: Text, zip: Maybe Int}`)",
    "(home::Maybe:{city: Text, zip: Maybe Int})",
    "(home::Maybe {city: Text, zip: Maybe`Int`})",
    '(::Maybe {city: Text, zip: Maybe Int} {paramName:"home"})',
    '(::Maybe {city: Text, zip: Maybe Int, paramName:"home"})',
  ])("Maybe {field: T} is an object that may be left out: %s", (node) => {
    const home = object({ city: text, zip: { type: "integer" } }, ["city"]);
    expect(schemaOf(`${node}==>(::String)`)).toEqual({ type: "object", properties: { home } });
  });

  it("Maybe {field: T} stands in lists of fields, in other Maybes and as return type", () => {
    const point = object({ x: { type: "integer" } }, ["x"]);
    expect(parameterOf("({a: Maybe {x: Int}, b: {c: Maybe {x: Int}}})")).toEqual(
      object({ a: point, b: { type: "object", properties: { c: point } } }, ["b"]),
    );
    expect(parseTypeSignature("()==>(::Maybe {x: Int})")).toMatchObject({ value: { returns: { anyOf: [point, { type: "null" }] } } });
  });

  it.each([
    ["(x::Maybe {a: Txt})==>(::String)", '"Txt" isn\'t a type.'],
    ["(x::Maybe {a: [Maybe Int]})==>(::String)", "the items of a list can't be"],
    ["(x::Maybe {a: Text, a: Text})==>(::String)", 'The field "a" is given twice.'],
    ["(x::Maybe {a: Maybe`!`})==>(::String)", '"Maybe" isn\'t a type.'],
    ["(x::Maybe {a: Text)==>(::String)", 'expected "," or "}"'],
  ])("rejects %s", (signature, reason) => {
    expect(parseTypeSignature(signature)).toMatchObject({ ok: false, error: expect.stringContaining(reason) });
  });

  it.each([
    '(::Array {elementType:"Text"})',
    "(::Array {elementType:Text})",
    "(::[Text])",
    "(::`[Text]`)",
    '(::Array {items:{type:"string"}})',
  ])("[T] is an array: %s", (node) => {
    expect(parameterOf(node)).toEqual({ type: "array", items: text });
  });

  it.each([
    '(::Object {fields:[{name:"name", type:"Text"}, {name:"tags", type:"[Text]"}, {name:"age", type:"Maybe Int"}]})',
    '(::Object {fields:[{name:name, type:Text}, {name:"tags", type:Array, elementType:Text}, {name:age, type:Int, optional:true}]})',
    "(::{name: Text, tags: [Text], age: Maybe Int})",
  ])("{field1: T1, field2: T2} is an object: %s", (node) => {
    expect(parameterOf(node)).toEqual(
      object({ name: text, tags: { type: "array", items: text }, age: { type: "integer" } }, ["name", "tags"]),
    );
  });

  it("{field1: T1} is an object as the record of a node without labels, too, which is gram", () => {
    const signature = '(person {name: Text, home: {city: Text}, tags: [Text], description: "Who"})==>(::String)';
    expect(parseGram(signature).patterns).toHaveLength(1);
    const person = { ...object({ name: text, home: object({ city: text }), tags: { type: "array", items: text } }), description: "Who" };
    expect(schemaOf(signature)).toEqual(object({ person }));
  });
});

describe("parseTypeSignature", () => {
  it('seed 001, "parseTypeSignature": gives parameters with names and schemas, and the return type', () => {
    expect(parseTypeSignature('(name::Text {description:"Who"})==>(age::Int {default:18, minimum:0})==>(::Bool)')).toEqual({
      ok: true,
      value: {
        parameters: [
          { name: "name", schema: { type: "string", description: "Who" }, required: true },
          { name: "age", schema: { type: "integer", default: 18, minimum: 0 }, required: false },
        ],
        returns: { type: "boolean" },
      },
    });
  });

  it("has no empty list of required parameters", () => {
    for (const signature of ["()==>(::String)", "(::Int {default:1})==>(::String)", "(a::Maybe Int)==>(b::Maybe [Text])==>(::String)"]) {
      expect(schemaOf(signature)).not.toHaveProperty("required");
    }
    expect(schemaOf("(a::{b: Maybe Int})==>(::String)")).not.toHaveProperty("properties.a.required");
  });

  it("takes ()==>(::String) for a tool without parameters", () => {
    expect(schemaOf("()==>(::String)")).toEqual({ type: "object", properties: {} });
  });

  it.each(["(::Text)-->(::String)", "(::Text)~~>(::String)", "(:Text)-[sayHello:Func]->(:String)", "(:Text)=[sayHello]=>(:String)"])(
    "takes every arrow that leads to the return type: %s",
    (signature) => {
      expect(schemaOf(signature)).toEqual(object({ arg1: text }));
    },
  );

  it("counts parameters without a name by their place", () => {
    expect(schemaOf("(::Text)==>(age::Int)==>(::Text)==>(::String)").required).toEqual(["arg1", "age", "arg3"]);
  });

  it("lets a default make a parameter optional, null too, unless optional says otherwise", () => {
    const signature = "(a::Int {default:1})==>(b::Int {default:null})==>(c::Int {default:1, optional:false})==>(::String)";
    expect(schemaOf(signature).required).toEqual(["c"]);
  });

  it("keeps keywords of JSON Schema, bare words being texts", () => {
    expect(parameterOf('(::Text {enum:[celsius, "fahrenheit"], default:celsius, pattern:"^[a-z]+$", "x-order":1})')).toEqual({
      type: "string",
      enum: ["celsius", "fahrenheit"],
      default: "celsius",
      pattern: "^[a-z]+$",
      "x-order": 1,
    });
  });

  it("puts definitions into the root, where references find them", () => {
    const node =
      '(::Any {paramName:"tree", "$ref":"#/$defs/Node", "$defs":{Node:{type:"object", properties:{next:{"$ref":"#/$defs/Node"}}}}})';
    expect(schemaOf(`${node}==>(::String)`)).toMatchObject({
      properties: { tree: { $ref: "#/$defs/Node" } },
      $defs: { Node: { type: "object" } },
    });
  });

  it("reads Maybe as a return type as that type or null", () => {
    expect(parseTypeSignature("()==>(::Maybe:Text)")).toMatchObject({ value: { returns: { anyOf: [text, { type: "null" }] } } });
  });
});

describe("a type signature is refused", () => {
  it("with its place, the line and a caret", () => {
    expect(parseTypeSignature("(name::Text)==>\n  (age::Intt)==>(::String)")).toEqual({
      ok: false,
      error:
        'line 2, column 7: "Intt" isn\'t a type. The types are Text, Int, Double, Bool, Object, Array, Any, String, Integer, Number, ' +
        "Boolean, Maybe T, [T] and {field: T}.\n  (age::Intt)==>(::String)\n      ^",
    });
  });

  it.each([
    ["", 1, "a type signature is a path such as"],
    ["(::Text)", 9, "there is no return type. Add ==>(::String), or what the tool returns."],
    ["(::Text)==>()", 12, "there is no return type. Write (::String)."],
    ["(::Text)==>", 12, 'expected "(", but found the end of the text'],
    ["(::Text)=>(::String)", 10, 'expected "=>" or "=", but found ">"'],
    ["(::Text)==>(::IO)", 13, '"IO" isn\'t a type.'],
    ["(::string)==>(::String)", 2, '"string" isn\'t a type. Write String.'],
    ["(name: Text) --> IO Text", 18, 'expected "(", but found "IO"'],
    ["(::Text)==>(::String) (::Text)==>(::String)", 23, "a type signature is one path, and here begins a second one."],
    ["[t | (::Text)==>(::String)]", 1, "a type signature is a path such as"],
    ["{a:1} (::Text)==>(::String)", 1, "a type signature is a path such as"],
    ["(::String)<==(::Text)", 11, "the arrows of a type signature lead to the return type: write ==>."],
    ["(::Text)==(::String)", 9, "the arrows of a type signature lead to the return type: write ==>."],
    ["(name)==>(::String)", 1, "there is no type. Write one as a label: (name::Text)."],
    ["(x::Text:Nullable)==>(::String)", 9, "a parameter has one type, or Maybe and one type."],
    ["(x::Maybe)==>(::String)", 3, '"Maybe" isn\'t a type.'],
    ["(x::[Maybe Int])==>(::String)", 3, "Maybe stands for a parameter or field that may be left out"],
    ["(::Text)==>()==>(::String)", 12, "() stands for no parameters, so it stands alone."],
    ["(a::Text)==>(a::Int)==>(::String)", 13, 'the parameter "a" is given twice. Each needs a name of its own.'],
    ["(::Text)==>(::Int {paramName:arg1})==>(::String)", 12, 'the parameter "arg1" is given twice.'],
    ["(a::Text {paramName:b})==>(::String)", 1, "the parameter has two names, a and b. Keep one."],
    ["(::Text {name:b})==>(::String)", 10, "the name of a parameter is written as paramName"],
    ['(::Text {paramName:""})==>(::String)', 10, "paramName is a text that isn't empty."],
    ["(::Text {optional:yes})==>(::String)", 10, "optional is true or false."],
    ["(::Text {minLength:1, minLength:2})==>(::String)", 23, '"minLength" says what is said already.'],
    ['(::Text {type:"integer"})==>(::String)', 10, '"type" says what is said already.'],
    ["(::[Text] {elementType:Int})==>(::String)", 12, '"elementType" says what is said already, as items.'],
    ["(::Text {elementType:Int})==>(::String)", 10, "elementType is for arrays alone."],
    ["(::Text {fields:[]})==>(::String)", 10, "fields are for objects alone."],
    ["(::Object {fields:1})==>(::String)", 12, "fields are a list:"],
    ["(::Object {fields:[a]})==>(::String)", 20, "a field is written as {"],
    ["(::Object {fields:[{name:a}]})==>(::String)", 20, "the field has no type."],
    ["(::Object {fields:[{type:Int}]})==>(::String)", 20, "the field has no name."],
    ["(::Object {fields:[{name:a, type:Intt}]})==>(::String)", 29, '"Intt" isn\'t a type.'],
    ["(::Object {fields:[{name:a, type:Int}, {name:a, type:Int}]})==>(::String)", 12, 'the field "a" is given twice.'],
    ["(::{a: Int, a: Int})==>(::String)", 2, 'The field "a" is given twice.'],
    ['(a::Int {default:"x"})==>(::String)', 10, `the default "x" doesn't fit {"type":"integer"}.`],
    ["(a::Int {default:1.5})==>(::String)", 10, `the default 1.5 doesn't fit {"type":"integer"}.`],
    ["(a::Text {enum:[b, c], default:d})==>(::String)", 24, `the default "d" doesn't fit {"type":"string","enum":["b","c"]}.`],
    ["(a::[Int] {default:[1, b]})==>(::String)", 12, `the default [1,"b"] doesn't fit {"type":"array","items":{"type":"integer"}}.`],
    ["(::Object {fields:[{name:a, type:Int, default:b}]})==>(::String)", 39, `the default "b" doesn't fit {"type":"integer"}.`],
    ['(a::Int)==>(b::Int {minimum:"low"})==>(::String)', 21, 'the schema at #/properties/b/minimum is "low"'],
    ["(a::Any {enum:x})==>(::String)", 10, "the schema at #/properties/a/enum"],
    ["(a::Any {type:null})==>(::String)", 10, "the schema at #/properties/a/type"],
    ['(a::Any {"$ref":"#/$defs/Node"})==>(::String)', 10, "#/properties/a/$ref"],
    ['(a::Any {"$defs":null})==>(::String)', 1, "$defs is a map of schemas."],
    ['(a::Any {"$defs":{N:{}}})==>(b::Any {"$defs":{N:{}}})==>(::String)', 1, 'the definition "N" in $defs is given twice.'],
    ["()==>(::String {minLength:x})", 6, "minLength"],
    ["(__proto__::Text)==>(::String)", 1, '"__proto__" is refused in all arguments. Give it another name.'],
    ["(::Object {fields:[{name:__proto__, type:Text}]})==>(::String)", 20, '"__proto__" is refused in all arguments.'],
    ["(::{__proto__: Text})==>(::String)", 2, '"__proto__" is refused in all arguments.'],
    ['(::Int {paramname:"age"})==>(::String)', 9, '"paramname" isn\'t a keyword of JSON Schema. Did you mean "paramName"?'],
    ["(::Int {minimun:3})==>(::String)", 9, '"minimun" isn\'t a keyword of JSON Schema. Did you mean "minimum"?'],
    ["(::Int {min:3})==>(::String)", 9, '"min" isn\'t a keyword of JSON Schema. Keywords of your own begin with "x-".'],
    ["(::Any {anyOf:[{type:string}, {typ:integer}]})==>(::String)", 32, 'Did you mean "type"?'],
    ["(::Object {properties:{a:{items:{minlength:1}}}})==>(::String)", 34, 'Did you mean "minLength"?'],
    ["(::Object {fields:[{name:a, type:Text, optinal:true}]})==>(::String)", 40, 'Did you mean "optional"?'],
    ["(::Object {fields:[{nam:a, type:Text}]})==>(::String)", 21, 'Did you mean "name"?'],
    ["()==>(::String {descripton:x})", 17, 'Did you mean "description"?'],
    ["(::Text {description:5})==>(::String)", 10, "description is 5, but must be a string."],
    ["(::Text {examples:a})==>(::String)", 10, 'examples is "a", but must be a list.'],
    ["(::Any {anyOf:[{type:string, type:integer}]})==>(::String)", 30, '"type" says what is said already.'],
    ["(::Object {fields:[{name:a, type:Text, type:Int}]})==>(::String)", 40, '"type" says what is said already.'],
    ["(a::Int {default:0, minimum:1})==>(::String)", 10, `the default 0 doesn't fit {"type":"integer","minimum":1}.`],
    ["(a::Text {maxLength:2, default:abc})==>(::String)", 24, 'the default "abc" doesn\'t fit'],
    ["(a::Object {required:[b], default:{c:1}})==>(::String)", 27, 'the default {"c":1} doesn\'t fit'],
    ["(::Object {fields:[{name:a, type:Int, minimum:1, default:0}]})==>(::String)", 50, "the default 0 doesn't fit"],
  ])("%s", (signature, column, reason) => {
    const parsed = parseTypeSignature(signature);
    expect(parsed).toMatchObject({ ok: false, error: expect.stringContaining(`line 1, column ${column}: `) });
    expect(parsed).toMatchObject({ error: expect.stringContaining(reason) });
  });

  it("as an error with its place, if it stands in the pattern of a tool", () => {
    const document = "[greet:Tool |\n  (name::Txt)==>(::String)]";
    const [pattern] = parseGram(document, { typeSignatures: true }).patterns;
    const element = pattern?.kind === "pattern" ? pattern.elements[0] : undefined;
    expect(() => element && readTypeSignature(element, document)).toThrow(TypeSignatureError);
    expect(() => element && readTypeSignature(element, document)).toThrow(expect.objectContaining({ line: 2, column: 8 }));
  });
});

class Address {
  @required(String, "The city") city!: string;
  @optional(Integer) zip?: number;
}

class Branch {
  @required(String) name!: string;
  @optional(() => [Branch]) branches?: Branch[];
}

@description("Orders goods. Use when the user wants to buy.")
class OrderTool extends Tool {
  @required(String, { description: "Who orders", minLength: 1 }) name!: string;
  @optional({ enum: ["a", "b"], default: "a" }) kind!: string;
  @optional([String], { default: [] }) tags!: string[];
  @required(Address) address!: Address;
  @required([Address]) others!: Address[];
  @required(mapOf(Number)) prices!: Record<string, number>;
  @required(anyOf(String, Integer)) order!: string | number;
  @required(() => Branch) tree!: Branch;
  @optional(Date) when?: Date;

  async call() {
    return "ordered";
  }
}

describe("typeSignatureOf and printTypeSignature", () => {
  it("write the schema of a class so that its text says the same schema, but for additionalProperties of the whole", () => {
    const { additionalProperties, ...schema } = OrderTool.parametersSchema;
    expect(additionalProperties).toBe(false);
    expect(schemaOf(printTypeSignature(typeSignatureOf(OrderTool.parametersSchema)))).toEqual(schema);
  });

  it("write fields, elements and choices in the form of seed 001", () => {
    const { properties: { address, tags, kind } = {} } = OrderTool.parametersSchema;
    const signature = typeSignatureOf({
      type: "object",
      properties: { address, tags, kind } as JsonSchema["properties"] & {},
      required: ["address"],
    });
    expect(printTypeSignature(signature)).toBe(
      '(::Object {paramName:"address", fields:[{name:"city", type:"Text", description:"The city"}, ' +
        '{name:"zip", type:"Int", optional:true}], additionalProperties:false})' +
        '==>(::Array {paramName:"tags", elementType:"Text", default:[]})' +
        '==>(::Text {paramName:"kind", enum:["a", "b"], default:"a"})==>(::String)',
    );
  });

  it.each<[string, JsonSchema]>([
    ["boolean fields", { type: "object", properties: { a: true } }],
    ["fields that are null", { type: "object", properties: { a: { type: "null" } } }],
    ["fields of several types", { type: "object", properties: { a: { type: ["string", "null"] }, b: {} }, required: ["b"] }],
    ["fields whose default is of another type", { type: "object", properties: { a: { type: "string", default: 1 } } }],
    ["fields whose default breaks a bound", { type: "object", properties: { a: { type: "integer", minimum: 1, default: 0 } } }],
    ["keywords of a vendor", { type: "string", "x-order": 1 }],
    ["an empty list of required fields", { type: "object", properties: {}, required: [] }],
    ["required fields that aren't listed", { type: "object", properties: {}, required: ["a"] }],
    ["required fields in another order", { type: "object", properties: { a: {}, b: {} }, required: ["b", "a"] }],
    ["several types", { type: ["string", "null"] }],
    ["items with keywords", { type: "array", items: { type: "string", minLength: 1 } }],
    ["items of one type", { type: "array", items: { type: "array" } }],
    ["a constant null", { const: null, default: null }],
  ])("lose nothing of %s", (_, schema) => {
    const whole = { type: "object", properties: { p: schema } } as const;
    expect(schemaOf(printTypeSignature(typeSignatureOf(whole)))).toEqual(whole);
  });

  it("write a default on a required parameter as one that must be given", () => {
    const whole = { type: "object", properties: { p: { type: "integer", default: 1 } }, required: ["p"] } as const;
    expect(printTypeSignature(typeSignatureOf(whole))).toBe('(::Int {paramName:"p", optional:false, default:1})==>(::String)');
  });

  it("write the output schema as the return type", () => {
    const output = { type: "object", properties: { total: { type: "number" } }, required: ["total"] } as const;
    const signature = typeSignatureOf({ type: "object", properties: {} }, output);
    expect(printTypeSignature(signature)).toBe('()==>(::Object {fields:[{name:"total", type:"Double"}]})');
    expect(parseTypeSignature(printTypeSignature(signature))).toEqual({ ok: true, value: signature });
  });

  it.each<[JsonSchema, string, RegExp]>([
    [{ properties: {} }, "#/type", /is absent\. A tool takes an object/],
    [{ type: "object", anyOf: [{}] }, "#/anyOf", /is about all parameters together/],
    [{ type: "object", additionalProperties: { type: "string" } }, "#/additionalProperties", /is about all parameters together/],
    [{ type: "object", required: ["a"] }, "#/required", /names "a"/],
    [{ type: "object", properties: { a: true } }, "#/properties/a", /is true\. Write \{\}/],
    [{ type: "object", properties: { "": {} } }, "#/properties/", /has an empty name/],
    [{ type: "object", properties: { ["__proto__"]: {} } }, "#/properties/__proto__", /is refused in all arguments/],
    [{ type: "object", properties: { a: { optional: true } } }, "#/properties/a/optional", /has another meaning/],
    [{ type: "object", properties: { a: { type: "string", default: 1 } } }, "#/properties/a/default", /doesn't take it/],
    [{ type: "object", properties: { a: { type: "integer", minimum: 1, default: 0 } } }, "#/properties/a/default", /doesn't take it/],
    [{ type: "object", properties: { a: { minimun: 1 } } }, "#/properties/a/minimun", /Did you mean "minimum"\?/],
    [
      { type: "object", properties: { a: { properties: { b: { optional: true } } } } },
      "#/properties/a/properties/b/optional",
      /isn't a keyword/,
    ],
    [{ type: "object", properties: { a: { description: null as never } } }, "#/properties/a/description", /must be a string/],
    [{ type: "object", properties: { a: {} }, $defs: { N: { typ: "string" } } }, "#/$defs/N/typ", /Did you mean "type"\?/],
    [{ type: "object", properties: { a: { $defs: {} } } }, "#/properties/a/$defs", /Move it to the root/],
    [{ type: "object", properties: { a: { type: "dict" as "object" } } }, "#/properties/a/type", /dict/],
  ])("refuse the schema %j", (schema, pointer, reason) => {
    expect(() => typeSignatureOf(schema)).toThrow(SchemaError);
    expect(() => typeSignatureOf(schema)).toThrow(expect.objectContaining({ pointer, message: expect.stringMatching(reason) }));
  });

  it("give a schema that validates, by way of parametersSchemaOf", () => {
    expect(() => acceptSchema(parametersSchemaOf(typeSignatureOf(OrderTool.parametersSchema)))).not.toThrow();
  });
});
