import { badLines, compile, copyWithDeclarations, type Diagnostic } from "./compile.js";

const compilers = [
  ["TypeScript 6", "tsc6"],
  ["TypeScript 7", "tsc"],
] as const;

const found = new Map<string, ReadonlyMap<string, readonly Diagnostic[]>>();
const folders = ["legacy", "standard", "typed-context", "written-types", "loose"];
beforeAll(async () => {
  const copy = await copyWithDeclarations();
  for (const [, compiler] of compilers) found.set(compiler, await compile(copy, compiler, folders));
}, 300_000);

const diagnosticsOf = (compiler: string, folder: string): readonly Diagnostic[] => found.get(compiler)?.get(folder) ?? [];

describe.each([
  ["legacy", "experimentalDecorators"],
  ["standard", "TC39 decorators"],
])("in the %s dialect (%s)", (dialect) => {
  const bad = [...badLines("both"), ...badLines(dialect)];

  describe.each(compilers)("%s", (_, compiler) => {
    let diagnostics: readonly Diagnostic[];
    beforeAll(() => {
      diagnostics = diagnosticsOf(compiler, dialect);
    });

    const errorsAt = (file: string, line: number): string[] =>
      diagnostics.filter((diagnostic) => diagnostic.file === file && diagnostic.line === line).map(({ message }) => message);

    it("accepts every right use", () => {
      expect(diagnostics.filter(({ file }) => file.endsWith("good.ts"))).toEqual([]);
    });

    it("finds nothing wrong beside the marked lines", () => {
      const marked = new Set(bad.map(({ file, line }) => `${file}:${line}`));
      expect(diagnostics.filter(({ file, line }) => file.endsWith("bad.ts") && !marked.has(`${file}:${line}`))).toEqual([]);
    });

    it.each(bad)("says in one line: $message ($file:$line)", ({ file, line, message }) => {
      const lines = errorsAt(file, line).flatMap((error) => error.split("\n"));
      expect(lines).toContainEqual(expect.stringContaining(message));
    });
  });
});

describe.each(
  compilers.flatMap(([name, compiler]) => [
    ["that has typed its ToolContext", "typed-context", name, compiler] as const,
    ["whose plug-in writes types that are left out", "written-types", name, compiler] as const,
  ]),
)("in an application %s (%s), %s", (_, folder, __, compiler) => {
  const bad = badLines(folder);
  let diagnostics: readonly Diagnostic[];
  beforeAll(() => {
    diagnostics = diagnosticsOf(compiler, folder);
  });

  it("finds nothing wrong beside the marked lines", () => {
    const marked = new Set(bad.map(({ file, line }) => `${file}:${line}`));
    expect(diagnostics.filter(({ file, line }) => !marked.has(`${file}:${line}`))).toEqual([]);
  });

  it.each(bad)("says in one line: $message ($file:$line)", ({ file, line, message }) => {
    const errors = diagnostics.filter((diagnostic) => diagnostic.file === file && diagnostic.line === line);
    expect(errors.flatMap((error) => error.message.split("\n"))).toContainEqual(expect.stringContaining(message));
  });
});

describe.each(compilers)("without strict checks, %s", (_, compiler) => {
  it("accepts every right use", () => {
    expect(diagnosticsOf(compiler, "loose")).toEqual([]);
  });
});
