import { rmSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import ts from "typescript";
import { documentedExamples, repositoryRoot } from "../support/code-blocks.js";
import { entrySources } from "../support/entries.js";

/**
 * Every TypeScript block of README.md and docs/ is run against the sources; `test/types/docs-examples.test.ts` compiles them. What a line
 * prints is written behind it: `console.log(answer); // prints: Sunny in Paris.` Tests in a block (`it("...", ...)`) run after it.
 */
// An example keeps a conversation there, and loads what an earlier run of the tests kept.
beforeAll(() => rmSync(join(repositoryRoot, "build/docs-storage"), { recursive: true, force: true }));

describe.each(documentedExamples())("$place", ({ code }) => {
  it("runs and prints what it says", async () => {
    const printed: string[] = [];
    await run(code, (...values) => printed.push(values.map((value) => (typeof value === "string" ? value : inspect(value))).join(" ")));
    const promised = [...code.matchAll(/\/\/ prints: (.*)$/gm)].map((match) => match[1]);
    expect(printed.join("\n")).toBe(promised.join("\n"));
  });
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
