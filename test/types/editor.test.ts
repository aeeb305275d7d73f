import { join } from "node:path";
import ts from "typescript";

/** What an editor offers where `|` stands in a file beside the type tests. */
function completionsAt(text: string): readonly string[] {
  const file = join(__dirname, "legacy/in-editor.ts");
  const source = `import { required, tool } from "../../../src/tool/index.js";\n${text.replace("|", "")}`;
  const host: ts.LanguageServiceHost = {
    getCompilationSettings: () => ({
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      strict: true,
      experimentalDecorators: true,
    }),
    getScriptFileNames: () => [file],
    getScriptVersion: () => "1",
    getScriptSnapshot: (name) => {
      const content = name === file ? source : ts.sys.readFile(name);
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
    },
    getCurrentDirectory: () => __dirname,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (name) => name === file || ts.sys.fileExists(name),
    readFile: (name) => ts.sys.readFile(name),
  };
  const position = source.length - text.length + 1 + text.indexOf("|");
  const entries = ts.createLanguageService(host).getCompletionsAtPosition(file, position, {})?.entries ?? [];
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
