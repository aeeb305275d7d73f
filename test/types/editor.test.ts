import { join } from "node:path";
import ts from "typescript";

const file = join(__dirname, "legacy/in-editor.ts");
let source = "";
let edits = 0;

/** One service for all tests, as an editor has one: only the file that is edited is read anew. */
const service = ts.createLanguageService({
  getCompilationSettings: () => ({
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    strict: true,
    experimentalDecorators: true,
  }),
  getScriptFileNames: () => [file],
  getScriptVersion: (name) => (name === file ? String(edits) : "1"),
  getScriptSnapshot: (name) => {
    const content = name === file ? source : ts.sys.readFile(name);
    return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
  },
  getCurrentDirectory: () => __dirname,
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  fileExists: (name) => name === file || ts.sys.fileExists(name),
  readFile: (name) => ts.sys.readFile(name),
});

/** What an editor offers where `|` stands in a file beside the type tests. */
function completionsAt(text: string): readonly string[] {
  const start = `import { required, tool } from "../../../src/tool/index.js";\n`;
  source = start + text.replace("|", "");
  edits++;
  const entries = service.getCompletionsAtPosition(file, start.length + text.indexOf("|"), {})?.entries ?? [];
  return entries.map(({ name }) => name);
}

describe("an editor offers", () => {
  it.each([
    ["alone", "class Example { @required({ | }) city!: string; }"],
    ["after a type", "class Example { @required(String, { | }) city!: string; }"],
    ["after other options", 'class Example { @required(String, { pattern: "a", | }) city!: string; }'],
    ["of a parameter of call", 'class Example { call(@required("city", String, { | }) city: string) {} }'],
  ])(
    "the options of a parameter, %s",
    (_, text) => {
      const offered = completionsAt(text);
      expect(offered).toEqual(expect.arrayContaining(["description", "default", "enum", "minLength"]));
      expect(offered.length).toBeLessThan(25);
    },
    120_000,
  );

  it("the settings of @tool", () => {
    expect(completionsAt("@tool({ | }) class Example {}")).toEqual(
      expect.arrayContaining(["description", "timeout", "requiresConfirmation"]),
    );
  }, 120_000);
});
