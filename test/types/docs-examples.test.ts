import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { documentedExamples, repositoryRoot } from "../support/code-blocks.js";
import { declarationsOfSource, foundOnce } from "../support/declarations.js";
import { entrySources } from "../support/entries.js";
import { errorsOf } from "./compile.js";

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
  expect(await foundOnce(declarations, ["docs", ...inputs], () => errorsOf("tsc6", folder, repositoryRoot))).toBe("");
}, 300_000);
