import { type GramElement, type GramValue, gramValueOf, parseGram, plainValue, printGram } from "../../../src/specification/gram/index.js";

const reprinted = (text: string) => printGram(parseGram(text));

describe("printGram", () => {
  it.each([
    '[sayHello:ToolSpecification {description: "..."} | (::Text {paramName:"name"})==>(::String)]',
    "(a)-->(b)<==(c)~[r:Likes {k:1}]~(d)",
    "[graphistas:Group | abk, `e e`, 7, (a), [b]]",
    '@@t1:Tool @version(2) [sayHello:Tool {description: "Greets"}]',
    '{kind: "tools"}\n(a)\n[]',
    '({k:0xFF, l:1..., m:date`2024`, n:[a, "b"], o:{"p q":true}, r::integer})',
  ])("writes %s as it was written", (text) => {
    expect(reprinted(text)).toBe(text);
  });

  it('seed 001, "Serialization": breaks what is too long for a line as the seed does', () => {
    const text = `[sayHello:ToolSpecification {
  description: "Returns a friendly greeting message for the given name"
} |
  (::Text {paramName:"name"})==>(::String)
]`;
    expect(reprinted(text)).toBe(text);
  });

  it("gives each parameter of a long signature its line in a tool's pattern, so that a change of one is a change of one line", () => {
    const text = `[pay:ToolSpecification {
  description: "Pays a bill."
} |
  (::Text {paramName:"bill", description:"The number of the bill, as it stands on the letter"})
    ==>(::Double {paramName:"euros", minimum:0})
    ==>(::String)
]`;
    expect(reprinted(text)).toBe(text);
    const [tool] = parseGram(text).patterns;
    expect(tool?.kind === "pattern" && tool.elements[0] && printGram(tool.elements[0])).not.toContain("\n");
  });

  it("indents patterns in patterns, and closes fences under their key", () => {
    const text = `[helper:Agent {
  instruction: \`\`\`
  Be kind.
  \`\`\`
} |
  [sayHello:Tool {
    description: "Returns a friendly greeting message for the given name and the given language"
  } |
    (name::Text)==>(::String)
  ],
  other
]`;
    expect(reprinted(text)).toBe(text);
  });

  it("evens out blanks, comments and quotes", () => {
    expect(reprinted("[ a:A{k:'it\\'s', l : `m`} // note\n |(b) -[ ]->\n(c) ]")).toBe('[a:A {k: "it\'s", l: "m"} | (b)-->(c)]');
  });

  it("puts each annotation of a long pattern on its line", () => {
    const text = `@title("${"x".repeat(60)}")\n@note("${"y".repeat(60)}")\n(a)`;
    expect(reprinted(text)).toBe(text);
  });

  it("quotes what is no word", () => {
    const node: GramElement = {
      kind: "node",
      identifier: "a `b`",
      labels: [{ separator: "::", name: "[Text]" }],
      record: [{ key: 'say "x"', separator: ":", value: { kind: "symbol", name: "two words" } }],
    };
    expect(printGram(node)).toBe('(`a \\`b\\``::`[Text]` {"say \\"x\\"":"two words"})');
  });

  it("writes a text with a fence in it without fences", () => {
    const value = "```js\n1\n```";
    const record = [{ key: "k", separator: ":", value: { kind: "string", value, fenced: true } }] as const;
    expect(printGram({ kind: "node", record })).toBe('({k:"```js\\n1\\n```"})');
  });

  it("writes a text with carriage returns without fences, between which they would be line breaks", () => {
    const record = [{ key: "k", separator: ":", value: { kind: "string", value: "a\r\nb", fenced: true } }] as const;
    expect(printGram({ kind: "node", record })).toBe('({k:"a\\r\\nb"})');
  });

  it.each<[string, GramValue]>([
    ["a tag", { kind: "tagged", tag: "no tag", value: "x" }],
    ["a number", { kind: "number", text: "1e3" }],
    ["a measurement", { kind: "measurement", text: "kg" }],
  ])("refuses a tree in which %s is none", (what, value) => {
    expect(() => printGram({ kind: "node", record: [{ key: "k", separator: ":", value }] })).toThrow(`is not ${what} in gram`);
  });

  it("doesn't make nested texts much longer than they are", () => {
    const nested = `${"[a {k: 1} | ".repeat(200)}${"b, ".repeat(12_000)}b${"]".repeat(200)}`;
    expect(reprinted(nested).length).toBeLessThan(20 * nested.length);
  });
});

describe("plainValue gives the JSON value", () => {
  it.each([
    ["null", null],
    ["celsius", "celsius"],
    ["date`2024-01-15`", "2024-01-15"],
    ["0xFF", 255],
    ["017", 15],
    ["-0.5", -0.5],
    ["5kg", "5kg"],
    ["1..10", "1..10"],
    ["...10", "...10"],
    ['{a: "x", a: "y"}', { a: "y" }],
    ["[1, b]", [1, "b"]],
  ])("of %s", (text, expected) => {
    const [property] = parseGram(`{v: ${text}}`).header ?? [];
    expect(property && plainValue(property.value)).toEqual(expected);
  });

  it("without letting a key reach the prototype", () => {
    const [property] = parseGram("{v: {__proto__: 1}}").header ?? [];
    expect(Object.keys(Object(property && plainValue(property.value)))).toEqual(["__proto__"]);
  });
});

describe("gramValueOf gives the gram value of JSON", () => {
  it.each([1e-7, -1.5e-10, 1e21, 1.25e300, 5e-324, 0, -0, 0.1, 123456789012345680000])("%d is written out", (number) => {
    const value = gramValueOf(number);
    expect(plainValue(value)).toBe(number);
    expect(() => printGram({ kind: "node", record: [{ key: "k", separator: ":", value }] })).not.toThrow();
  });

  it("and refuses numbers that JSON has not", () => {
    expect(() => gramValueOf(Number.NaN)).toThrow(TypeError);
  });
});
