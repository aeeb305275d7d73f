import { type GramError, GramSyntaxError, type GramValue, parseGram, plainRecord } from "../../../src/specification/gram/index.js";
import { withoutSpans } from "../../support/gram.js";

/** The one pattern of a text, as one made by hand would be. */
const read = (text: string) => withoutSpans(parseGram(text).patterns[0]);

/** The value of `v` in a record. */
const value = (text: string): GramValue | undefined => withoutSpans(parseGram(`{v: ${text}}`).header?.[0]?.value);

function errorOf(text: string): GramSyntaxError {
  try {
    parseGram(text);
  } catch (error) {
    if (error instanceof GramSyntaxError) return error;
    throw error;
  }
  throw new Error(`${text} was accepted`);
}

describe("parseGram reads", () => {
  it("seed 001, \"Serialization\": a tool's pattern, whose identifier is the tool's name", () => {
    const text = `[sayHello:ToolSpecification {
      description: "Returns a friendly greeting message for the given name"
    } |
      (::Text {paramName:"name"})==>(::String)
    ]`;
    expect(read(text)).toEqual({
      kind: "pattern",
      identifier: "sayHello",
      labels: [{ separator: ":", name: "ToolSpecification" }],
      record: [
        {
          key: "description",
          separator: ":",
          value: { kind: "string", value: "Returns a friendly greeting message for the given name" },
        },
      ],
      elements: [
        {
          kind: "path",
          start: {
            kind: "node",
            labels: [{ separator: "::", name: "Text" }],
            record: [{ key: "paramName", separator: ":", value: { kind: "string", value: "name" } }],
          },
          steps: [{ arrow: { family: "=", direction: "right" }, node: { kind: "node", labels: [{ separator: "::", name: "String" }] } }],
        },
      ],
    });
  });

  it("a header, which is about the text, and the patterns after it", () => {
    const { header = [], patterns } = parseGram('{kind: "tools"} (a) [b | a]');
    expect(plainRecord(header)).toEqual({ kind: "tools" });
    expect(patterns.map(({ kind }) => kind)).toEqual(["node", "pattern"]);
  });

  it("an empty text, and one of comments alone", () => {
    expect(parseGram("").patterns).toEqual([]);
    expect(parseGram("// nothing (a)\n// at all").patterns).toEqual([]);
  });

  it.each([
    ["--", "-", "none"],
    ["-->", "-", "right"],
    ["<--", "-", "left"],
    ["<-->", "-", "both"],
    ["==", "=", "none"],
    ["==>", "=", "right"],
    ["<==", "=", "left"],
    ["<==>", "=", "both"],
    ["~~", "~", "none"],
    ["~~>", "~", "right"],
    ["<~~", "~", "left"],
    ["<~~>", "~", "both"],
  ])("the arrow %s, bare, with a subject and with blanks in it", (arrow, family, direction) => {
    const arrowOf = (text: string) => {
      const path = read(text);
      return path?.kind === "path" ? path.steps[0].arrow : undefined;
    };
    const [head, tail] = [arrow.replace(/[-=~]>?$/, ""), arrow.match(/[-=~]>?$/)?.[0]];
    expect(arrowOf(`()${arrow}()`)).toEqual({ family, direction });
    expect(arrowOf(`() ${head} [ ] ${tail} ()`)).toEqual({ family, direction });
    expect(arrowOf(`()${head}[r:R {k: 1}]${tail}()`)).toMatchObject({ family, direction, identifier: "r", record: [{ key: "k" }] });
  });

  it("a long path as one list of steps", () => {
    const path = read("(a)-->(b)<==(c)~~(d)");
    expect(path?.kind === "path" && path.steps.map(({ node }) => node.identifier)).toEqual(["b", "c", "d"]);
  });

  it("elements of a pattern: patterns, paths, nodes and references, in their order", () => {
    expect(read("[g | [h], (a)-->(b), (c), d, `e f`, 7]")).toMatchObject({
      elements: [
        { kind: "pattern", identifier: "h" },
        { kind: "path" },
        { kind: "node" },
        { kind: "reference", identifier: "d" },
        { kind: "reference", identifier: "e f" },
        { kind: "reference", identifier: "7" },
      ],
    });
  });

  it("annotations of one pattern, named or not", () => {
    expect(read('@@t1:Tool @version(2) @tags(["a"]) [sayHello]')).toEqual({
      kind: "annotated",
      identifier: "t1",
      labels: [{ separator: ":", name: "Tool" }],
      annotations: [
        { key: "version", value: { kind: "number", text: "2" } },
        { key: "tags", value: { kind: "array", items: [{ kind: "string", value: "a" }] } },
      ],
      element: { kind: "pattern", identifier: "sayHello", elements: [] },
    });
  });

  it.each(["a.b-c@d", "`two words`", "`a \\` and a \\\\`", "42", "-7", "true"])("the identifier %s", (identifier) => {
    const expected = identifier.startsWith("`") ? identifier.slice(1, -1).replaceAll(/\\(.)/g, "$1") : identifier;
    expect(read(`(${identifier})`)).toEqual({ kind: "node", identifier: expected });
  });

  it("keys as words, in backticks and in double quotes, before : and ::", () => {
    expect(parseGram('{a: 1, `b c`:: 2, "d e": 3}').header).toMatchObject([
      { key: "a", separator: ":" },
      { key: "b c", separator: "::" },
      { key: "d e", separator: ":" },
    ]);
  });

  it.each([
    ['"a \\"b\\" \\n\\t\\\\ \\/"', { kind: "string", value: 'a "b" \n\t\\ /' }],
    ["'it\\'s'", { kind: "string", value: "it's" }],
    ["`a`", { kind: "string", value: "a" }],
    ['""', { kind: "string", value: "" }],
    ['"ø 😀 // no comment"', { kind: "string", value: "ø 😀 // no comment" }],
    ["```\none\n  two `x`\n```", { kind: "string", value: "one\n  two `x`", fenced: true }],
    ["```\none\n\n  ```", { kind: "string", value: "one\n", fenced: true }],
    ["```\none```", { kind: "string", value: "one", fenced: true }],
    ["```\n```", { kind: "string", value: "", fenced: true }],
    ["```\r\none\r\n\r\ntwo\r\n  ```", { kind: "string", value: "one\n\ntwo", fenced: true }],
    ["```md\r\n# T\rx\r\n```", { kind: "tagged", tag: "md", value: "# T\nx", fenced: true }],
    ["```md\n# T\n```", { kind: "tagged", tag: "md", value: "# T", fenced: true }],
    ["date`2024-01-15`", { kind: "tagged", tag: "date", value: "2024-01-15" }],
    ["null", { kind: "symbol", name: "null" }],
    ["truest", { kind: "symbol", name: "truest" }],
    ["true", { kind: "boolean", value: true }],
    ["-7", { kind: "number", text: "-7" }],
    ["1.50", { kind: "number", text: "1.50" }],
    ["0xFF", { kind: "number", text: "0xFF" }],
    ["017", { kind: "number", text: "017" }],
    ["5kg", { kind: "measurement", text: "5kg" }],
    ["0xFG", { kind: "measurement", text: "0xFG" }],
    ["1..10", { kind: "range", lower: { kind: "number", text: "1" }, upper: { kind: "number", text: "10" } }],
    ["1.5 ...", { kind: "range", lower: { kind: "number", text: "1.5" } }],
    ["...5kg", { kind: "range", upper: { kind: "measurement", text: "5kg" } }],
    ["{}", { kind: "map", entries: [] }],
  ])("the value %s", (text, expected) => {
    expect(value(text)).toEqual(expected);
  });

  it("the place of everything, without the blanks and comments around it", () => {
    const text = '// first\n@note("x") (a:A {k: 1})  -->  (b) // last\n[ s ]';
    const slices: string[] = [];
    JSON.stringify(parseGram(text), (key, each) => {
      if (key === "span") slices.push(text.slice(each.start, each.end));
      return each;
    });
    const inOrder = ["1", "k: 1", ":A", "(a:A {k: 1})", "-->", "(b)", "(a:A {k: 1})  -->  (b)", '"x"', '@note("x")', "[ s ]"];
    expect(slices).toEqual(expect.arrayContaining(inOrder));
    expect(slices).toContain('@note("x") (a:A {k: 1})  -->  (b)');
    expect(slices.filter((slice) => slice !== text).every((slice) => slice.trim() === slice)).toBe(true);
  });
});

describe("a text that is no gram is refused", () => {
  it("with line, column, what was expected, what was found, and a caret", () => {
    const error = errorOf("(a)\n\t(b)=>(c)");
    expect(error).toMatchObject({ name: "GramSyntaxError", line: 2, column: 6, offset: 9, expected: ['"=>"', '"="'], found: '">"' });
    expect(error.message).toBe('line 2, column 6: expected "=>" or "=", but found ">"\n\t(b)=>(c)\n\t    ^');
  });

  it("with a window of a long line", () => {
    const { column, excerpt } = errorOf(`(a {k: "${"x".repeat(5_000)}" !})${" ".repeat(5_000)}`);
    const [shown = "", caret = ""] = excerpt.split("\n");
    expect(column).toBe(5_011);
    expect(shown.length).toBeLessThanOrEqual(100);
    expect(shown.charAt(caret.length - 1)).toBe("!");
  });

  it.each([
    ["(a), (b)", 'expected "(", "[", "@" or the end of the text, but found ",". Patterns at the top follow each other without commas.'],
    ["(a)==>", 'expected "(", but found the end of the text'],
    ["[a | ]", 'expected the identifier of a pattern, "(" or "[", but found "]"'],
    ["[a | b:B]", 'expected "," or "]", but found ":"'],
    ["(a b)", 'expected a label, a record or ")", but found "b"'],
    ["(12px)", 'expected a label, a record or ")", but found "px"'],
    ["({k: []})", 'expected a string, a number, a range, a word, true or false, but found "]"'],
    ["({k: [[1]]})", 'expected a string, a number, a range, a word, true or false, but found "["'],
    ["({k: {l:: 1}})", 'expected ":", but found "::". A map that is a value can\'t contain "::".'],
    ['({k: "a\n"})', 'expected a text that is closed by " on its line, but found the end of the line'],
    ['({k: "\\u0041"})', "Gram has no \\u: write the character itself."],
    ["({k: ```one line```})", "What stands between fences begins on a line of its own."],
    ["({k: ```\nnever closed", "expected a text that is closed by ``` in the end"],
    ["({k: 1e3})", 'expected "," or "}", but found "3"'],
    ["({k: 08})", 'expected "," or "}", but found "8"'],
    ["@ (a)", 'expected the name of an annotation, but found "("'],
    ["@@ (a)", 'expected an identifier or a label, but found "("'],
    ["@a(1)", 'expected an annotation, "(" or "[", but found the end of the text'],
    ["(a)-[r]>(b)", 'expected "->" or "-", but found ">"'],
    ["(a)<(b)", 'expected "-", "=" or "~", but found "("'],
  ])("%s", (text, message) => {
    expect(errorOf(text).message).toContain(message);
  });

  it("longer than 40,000 characters", () => {
    expect(parseGram(`(a)${" ".repeat(39_997)}`).patterns).toHaveLength(1);
    expect(errorOf(`(a)${" ".repeat(39_998)}`).message).toContain(
      "expected at most 40000 characters, but found a text of 40001. Split it into several texts, and parse each.",
    );
  });

  it("if it is nested too deeply, whatever its length", () => {
    const tooDeep = "expected at most 250 levels of nesting";
    expect(errorOf("[a|".repeat(13_000)).message).toContain(tooDeep);
    expect(parseGram(`${"[a|".repeat(249)}[a]${"]".repeat(249)}`).patterns).toHaveLength(1);
  });
});

describe("parseGram reads beyond gram, if type signatures are asked for,", () => {
  it.each([
    '(::Object {fields:[{name:"age", type:"Int"}]})',
    "(::Array {default:[]})",
    "(::Any {anyOf:[{enum:[[1], {}]}]})",
    "(::Maybe Int)",
    "(::[[Text]])",
    "(::{name: Text, tags: [Maybe Int]})",
  ])("%s", (text) => {
    expect(() => parseGram(text)).toThrow(GramSyntaxError);
    expect(parseGram(text, { typeSignatures: true }).patterns).toHaveLength(1);
  });

  it("a type as the label that it would be in backticks", () => {
    const extended = parseGram("(::[Text])==>(::Maybe Int)==>(::Maybe {k: 1})", { typeSignatures: true });
    expect(withoutSpans(extended)).toEqual(withoutSpans(parseGram("(::`[Text]`)==>(::`Maybe Int`)==>(::Maybe {k: 1})")));
  });

  it("and refuses types that don't end or are nested too deeply", () => {
    const readTypes = (text: string) => () => parseGram(text, { typeSignatures: true });
    expect(readTypes("(::[Text)")).toThrow('expected "]"');
    expect(readTypes("(::{a: Text")).toThrow('expected "," or "}"');
    expect(readTypes(`(::${"[".repeat(39_000)}`)).toThrow("at most 250 levels");
    expect(readTypes(`(a {k: ${"[".repeat(39_000)}`)).toThrow("at most 250 levels");
  });
});

it("every error of gram has its place", () => {
  const error: GramError = errorOf("(");
  expect([error.line, error.column, error.offset]).toEqual([1, 2, 1]);
});
