import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../support/code-blocks.js";

const configOf = (page: string): string | undefined =>
  /`tsconfig\.json`[^`]*```json\n([^`]+)```/.exec(readFileSync(join(repositoryRoot, page), "utf8"))?.[1];

// The toolchains compile with the README's: test/toolchains/cells.mjs.
it("README and getting started show the same tsconfig.json", () => {
  expect(configOf("README.md")).toContain("experimentalDecorators");
  expect(configOf("docs/01-getting-started.md")).toBe(configOf("README.md"));
});
