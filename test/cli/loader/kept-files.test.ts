import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keptOrCompiled } from "../../../src/cli/loader/kept-files.js";

/** A project, and a compiler that counts its calls. */
function project(...folders: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), "kept-files-"));
  for (const name of folders) mkdirSync(join(folder, name), { recursive: true });
  let compiled = 0;
  const load = (name: string, ...inputs: readonly string[]): string =>
    keptOrCompiled(join(folder, name), inputs, () => `${inputs.join()} by call ${(compiled += 1)}`);
  return { folder, load };
}

it("a file that hasn't changed isn't compiled again", () => {
  const { load } = project("node_modules", "src");
  expect(load("src/tools.ts", "source")).toBe("source by call 1");
  expect(load("src/tools.ts", "source")).toBe("source by call 1");
});

it("a changed source, option or compiler is seen, and the entry of a file is replaced", () => {
  const { folder, load } = project("node_modules");
  for (const inputs of [
    ["a", "{}", "1.0"],
    ["b", "{}", "1.0"],
    ["b", "{}", "2.0"],
    ["b", '{"target":"es2022"}', "2.0"],
  ])
    load("tools.ts", ...inputs);
  expect(load("tools.ts", "b", '{"target":"es2022"}', "2.0")).toMatch(/by call 4$/);
  expect(readdirSync(join(folder, "node_modules/.cache/toolwright/compiled"))).toHaveLength(1);
});

it("inputs that are the same text together are different", () => {
  const { load } = project("node_modules");
  expect(load("tools.ts", "ab", "c")).toBe("ab,c by call 1");
  expect(load("tools.ts", "a", "bc")).toBe("a,bc by call 2");
});

it("two files of the same text have an entry each", () => {
  const { load } = project("node_modules");
  load("a.ts", "source");
  expect(load("b.ts", "source")).toBe("source by call 2");
});

it("each load compiles if nothing can be written", () => {
  const { folder, load } = project("node_modules");
  writeFileSync(join(folder, "node_modules/.cache"), "a file in place of the folder");
  expect(load("tools.ts", "source")).toBe("source by call 1");
  expect(load("tools.ts", "source")).toBe("source by call 2");
});
