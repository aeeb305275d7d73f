import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { documentedExamples, repositoryRoot } from "../support/code-blocks.js";
import { declarationsOfSource, foundOnce } from "../support/declarations.js";
import { entrySources } from "../support/entries.js";

it("the examples of README.md and docs/ compile under TypeScript's strictest rules", async () => {
  const examples = documentedExamples();
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
