import { GramError, parseGram, readTypeSignature } from "../../src/specification/gram/index.js";
import {
  agentSpecificationFromGram,
  createToolSpecification,
  SpecificationError,
  toolSpecificationFromGram,
  toolSpecificationFromJSON,
  toolSpecificationsFromGram,
} from "../../src/specification/index.js";

/** In the texts of this page it stands before the character at which a fault must be told. */
const mark = "▸";

function faultIn(marked: string, read: (text: string) => unknown): void {
  const offset = marked.indexOf(mark);
  const text = marked.replace(mark, "");
  const before = text.slice(0, offset).split("\n");
  const line = text.split("\n")[before.length - 1]?.replace("\r", "");
  let error: unknown;
  try {
    read(text);
  } catch (thrown) {
    error = thrown;
  }
  if (!(error instanceof SpecificationError || error instanceof GramError)) throw new Error(`No fault was told, but ${String(error)}.`);
  const column = (before.at(-1) ?? "").length + 1;
  const excerpt = `${line}\n${before.at(-1)?.replace(/[^\t]/g, " ")}^`;
  expect({ ...error, message: error.message }).toMatchObject({ line: before.length, column, offset, excerpt });
  expect(error.message).toContain(`line ${before.length}, column ${column}: `);
  expect(error.message.endsWith(`\n${excerpt}`)).toBe(true);
}

/** The tool of a file, after a comment, with a signature over several lines. */
const withSignature = (signature: string) => `// tickets
[get_ticket:Tool {
  description: 'Gets a ticket.'   // short
} |
${signature}
]`;

const inAgent = (tools: string) => `[desk:Agent {
  model: "embedded/keyword"
} |
  [ping:Tool {description: "Pings."} | (::Text)==>(::String)],
${tools}
]`;

const signatures = [
  ["an unknown type", "\t(▸::Txt {description: 'Number'})\n\t==>(::String)"],
  ["an unknown type, of the second parameter", "  (::Text)\n  ==>(▸::Txt {paramName: 'y'})\n  ==>(::Object)"],
  ["an unknown return type", "  (::Text)\n  ==>(▸::Txt)"],
  ["a second type", "  (a::Int▸:Text)==>(::String)"],
  ["two parameters of one name", "  (a::Text)\n  ==>▸(a::Text)==>(::String)"],
  ["no return type", "  (a::Text)▸"],
  ["a node without a type", "  ▸(a)==>(::String)"],
  ["an arrow that leads back", "  (a::Text)▸<==(::String)"],
  ["a default of another type", "  (a::Int {\n    ▸default: 'old'\n  })==>(::String)"],
  ["an optional that is no boolean", "  (a::Int {▸optional: 'yes'})==>(::String)"],
  ["a keyword that isn't JSON Schema", "  (a::Int {\n    ▸minimum: 'three'\n  })==>(::String)"],
  ["a pattern in place of a path", "  ▸[a:Thing]"],
  ["a reference in place of a path", "  ▸other"],
  ["a second signature", "  (::Text)==>(::String),\n  ▸(::Int)==>(::String)"],
] as const;

describe("a fault of a signature in a file is reported with its line, its column and the user's own text:", () => {
  it.each(signatures)("%s, in a tool's file", (_, signature) => {
    faultIn(withSignature(signature), toolSpecificationFromGram);
  });

  it.each(signatures)("%s, in the second tool of an agent's file", (_, signature) => {
    faultIn(inAgent(withSignature(signature)), agentSpecificationFromGram);
  });

  it.each(signatures)("%s, in a file with CRLF", (_, signature) => {
    faultIn(withSignature(signature).replaceAll("\n", "\r\n"), toolSpecificationFromGram);
  });

  it("and says whose signature it is, once", () => {
    const read = () => toolSpecificationFromGram(withSignature("  (::Txt)==>(::String)"));
    expect(read).toThrow(
      /^line 5, column 4: the type signature of "get_ticket" can't be read: "Txt" isn't a type\. .*\n {2}\(::Txt\)==>\(::String\)\n {3}\^$/,
    );
  });
});

describe("a fault of a tool's pattern is reported with its place:", () => {
  const tools = [
    ["no label", '▸[a {description: "x"} | (::Text)==>(::Text)]'],
    ["a label that is none of a tool", '▸[a:Toll {description: "x"} | (::Text)==>(::Text)]'],
    ["no name", '▸[:Tool {description: "x"} | (::Text)==>(::Text)]'],
    ["a name with a blank", '▸[`a b`:Tool {description: "x"} | (::Text)==>(::Text)]'],
    ["an empty name", '▸[``:Tool {description: "x"} | (::Text)==>(::Text)]'],
    ["no record", "▸[a:Tool | (::Text)==>(::Text)]"],
    ["no description", "▸[a:Tool {} | (::Text)==>(::Text)]"],
    ["a misspelt description", '[a:Tool {▸descripton: "x"} | (::Text)==>(::Text)]'],
    ["a description that is given twice", '[a:Tool {description: "x", ▸description: "y"} | (::Text)==>(::Text)]'],
    ["an unknown member", '[a:Tool {description: "x", ▸owner: "Ann"} | (::Text)==>(::Text)]'],
    ["a description that is no text", "[a:Tool {\n  ▸description: 5\n} | (::Text)==>(::Text)]"],
    ["an empty description", '[a:Tool {▸description: " "} | (::Text)==>(::Text)]'],
    ["no signature", '▸[a:Tool {description: "x"}]'],
    ["a node in place of a pattern", "▸(::Text)"],
  ] as const;

  it.each(tools)("%s", (_, tool) => {
    faultIn(`// A tool\n${tool}`, toolSpecificationFromGram);
  });

  it.each(tools)("%s, in an agent's file", (_, tool) => {
    faultIn(inAgent(tool), agentSpecificationFromGram);
  });

  it.each(["▸@version(2)", "▸@@t1", "▸@@t1:Tool @version(2)"])("annotations before it: %s", (annotations) => {
    faultIn(`${annotations} [a:Tool {description: "x"} | (::Text)==>(::Text)]`, toolSpecificationFromGram);
  });

  it("two of one name in a file of several", () => {
    const tool = '[a:Tool {description: "x"} | (::Text)==>(::Text)]';
    faultIn(`${tool}\n${tool.replace("[a", "[b")}\n▸${tool}`, toolSpecificationsFromGram);
    faultIn(`${tool}\n[b:Tool {description: "x"} |\n  (▸::Txt)==>(::Text)]`, toolSpecificationsFromGram);
  });

  it("a second tool in a tool's file", () => {
    const tool = '[a:Tool {description: "x"} | (::Text)==>(::Text)]';
    faultIn(`${tool}\n\n▸${tool}`, toolSpecificationFromGram);
  });

  it("a file that holds none", () => {
    faultIn("▸// later", toolSpecificationFromGram);
  });
});

describe("a fault of an agent's pattern is reported with its place:", () => {
  it.each([
    ["no label", '\n▸[a {model: "x/y"}]'],
    ["no name", '\n▸[:Agent {model: "x/y"}]'],
    ["no model", "\n▸[a:Agent {instruction: 'Help.'}]"],
    ["a model that is no text", "[a:Agent {\n  ▸model: 5\n}]"],
    ["an unknown setting", '[a:Agent {\n  model: "x/y",\n  ▸maxTokens: 5\n}]'],
    ["a setting that is given twice", '[a:Agent {\n  model: "x/y",\n  ▸model: "x/z"\n}]'],
    ["instruction and instructions", '[a:Agent {\n  model: "x/y",\n  instructions: "a",\n  ▸instruction: "b"\n}]'],
    ["annotations before it", '▸@owner("Ann")\n[a:Agent {model: "x/y"}]'],
    ["annotations before a tool in it", '[a:Agent {model: "x/y"} |\n  ▸@version(2) [b:Tool {description: "x"} | (::Text)==>(::Text)]\n]'],
    ["instructions that are no text", '[a:Agent {\n  model: "x/y",\n  ▸instruction: 5\n}]'],
    ["a description that is no text", '[a:Agent {\n  model: "x/y",\n  ▸description: [a]\n}]'],
    ["a setting that isn't JSON", '[a:Agent {\n  model: "x/y",\n  budget: ▸json`{`\n}]'],
    ["a reference in place of a tool", '[a:Agent {model: "x/y"} |\n  ▸search\n]'],
    ["a second agent", '[a:Agent {model: "x/y"}]\n▸[b:Agent {model: "x/y"}]'],
  ])("%s", (_, agent) => {
    faultIn(agent, agentSpecificationFromGram);
  });
});

describe("a type signature that stands alone has its own lines:", () => {
  const signature = "(::Text)\n==>(▸::Txt)";

  it("createToolSpecification reports the place in it", () => {
    faultIn(signature, (text) => createToolSpecification("search", "Searches.", text));
    faultIn("(::Text)\n▸=>(::Text)".replace("▸=>", "=▸>"), (text) => createToolSpecification("search", "Searches.", text));
  });

  it("toolSpecificationFromJSON does", () => {
    faultIn(signature, (typeSignature) => toolSpecificationFromJSON({ name: "search", description: "Searches.", typeSignature }));
  });

  it("readTypeSignature reports it as the reader of a file does", () => {
    faultIn(signature, (text) => readTypeSignature(parseGram(text, { typeSignatures: true }), text));
  });
});

it("a fault of something that is no gram has no place", () => {
  expect(new SpecificationError("The library is empty.")).not.toHaveProperty("line");
});

it("a byte order mark takes no column", () => {
  const column = (text: string): unknown => {
    try {
      return parseGram(text);
    } catch (error) {
      return error instanceof GramError && { line: error.line, column: error.column, excerpt: error.excerpt };
    }
  };
  expect(column("\ufeff[a)")).toEqual({ line: 1, column: 3, excerpt: "[a)\n  ^" });
  expect(column("\ufeff[a\n)")).toEqual(column("[a\n)"));
});
