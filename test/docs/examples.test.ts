import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import ts from "typescript";
import { codeBlocks, repositoryRoot } from "../support/code-blocks.js";
import { declarationsOfSource, foundOnce } from "../support/declarations.js";
import { entrySources } from "../support/entries.js";

/**
 * Every TypeScript block of README.md and docs/ is compiled and run against the sources. What a line prints is
 * written behind it: `console.log(answer); // prints: Sunny in Paris.` Tests in a block (`it("...", ...)`) run after it.
 */
const documents = ["README.md", ...readdirSync(join(repositoryRoot, "docs")).map((name) => `docs/${name}`)].filter(
  (file) => file.endsWith(".md") && existsSync(join(repositoryRoot, file)),
);
const examples = documents.flatMap((file) => codeBlocks(file));

// An example keeps a conversation there, and loads what an earlier run of the tests kept.
beforeAll(() => rmSync(join(repositoryRoot, "build/docs-storage"), { recursive: true, force: true }));

describe.each(examples)("$place", ({ code }) => {
  it("runs and prints what it says", async () => {
    const printed: string[] = [];
    await run(code, (...values) => printed.push(values.map((value) => (typeof value === "string" ? value : inspect(value))).join(" ")));
    const promised = [...code.matchAll(/\/\/ prints: (.*)$/gm)].map((match) => match[1]);
    expect(printed.join("\n")).toBe(promised.join("\n"));
  });
});

it("the examples compile under TypeScript's strictest rules", async () => {
  const declarations = await declarationsOfSource();
  const folder = join(declarations, "docs-examples");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const { place, code } of examples) writeFileSync(join(folder, `${place.replace(/\W+/g, "_")}.ts`), `${code}\nexport {};\n`);
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({
      extends: "../../../../tsconfig.json",
      compilerOptions: {
        module: "ESNext",
        moduleResolution: "bundler",
        noUnusedLocals: false,
        noUnusedParameters: false,
        rootDir: "../../../..",
        paths: Object.fromEntries([...entrySources].map(([entry, source]) => [entry, [`../${source}.d.ts`]])),
      },
      include: ["*.ts"],
    }),
  );
  const inputs = [readFileSync(join(folder, "tsconfig.json"), "utf8"), ...examples.map(({ place, code }) => `${place}\n${code}`)];
  expect(await foundOnce(declarations, ["docs", ...inputs], () => compile(folder))).toBe("");
}, 300_000);

const compile = (folder: string): Promise<string> =>
  new Promise((resolve) => {
    // A compiler that finds errors exits with 1 or 2, which execFile takes for a failure.
    const compiler = join(repositoryRoot, "node_modules/typescript/bin/tsc6");
    execFile(process.execPath, [compiler, "-p", folder], (error, stdout) => resolve(error === null ? "" : stdout || String(error)));
  });

async function run(code: string, print: (...values: unknown[]) => void): Promise<void> {
  const { outputText } = ts.transpileModule(code, {
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.CommonJS,
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
      esModuleInterop: true,
    },
  });
  const load = (name: string): unknown => {
    const source = entrySources.get(name);
    return require(source === undefined ? name : join(repositoryRoot, source));
  };
  const tests: (() => unknown)[] = [];
  const it = (_name: string, test: () => unknown): void => void tests.push(test);
  // Top-level await needs an async function around it; the example sees nothing else of this file.
  const AsyncFunction = (async () => undefined).constructor as new (...source: string[]) => (...values: unknown[]) => Promise<void>;
  await new AsyncFunction("exports", "require", "console", "it", outputText)({}, load, { ...console, log: print }, it);
  for (const test of tests) await test();
}
