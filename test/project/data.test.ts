import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../support/code-blocks.js";

const folder = join(repositoryRoot, "test/data");
const suites = readdirSync(join(repositoryRoot, "test/data-driven")).filter((name) => name.endsWith(".test.ts"));

it.each(suites)("%s finds its data in a bare clone", (suite) => {
  const text = readFileSync(join(repositoryRoot, "test/data-driven", suite), "utf8");
  const files = [...text.matchAll(/describeData\(\[([^\]]+)\]/g)].flatMap(([, names]) => JSON.parse(`[${names}]`) as string[]);
  expect(files).not.toEqual([]);
  expect(files.filter((file) => !existsSync(join(folder, file)))).toEqual([]);
});

it("a clone stays small: test/data is under 1.5 MB", () => {
  const sizes = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => statSync(join(folder, name)));
  expect(sizes.reduce((sum, entry) => sum + (entry.isFile() ? entry.size : 0), 0)).toBeLessThan(1_500_000);
});

it("names the source and the licence of all data beside it", () => {
  const readme = readFileSync(join(folder, "README.md"), "utf8");
  const entries = readdirSync(folder).filter((name) => !["README.md", "licences"].includes(name));
  expect(entries.filter((name) => !readme.includes(`| ${name}`))).toEqual([]);
});

it("npm run corpus says that its figures come from the subset", () => {
  const { stdout } = spawnSync(process.execPath, ["scripts/corpus.mjs"], {
    cwd: repositoryRoot,
    encoding: "utf8",
    env: { ...process.env, TOOLWRIGHT_DATA: "test/data" },
  });
  expect(stdout).toMatch(/^data: .*test\/data, the subset that every clone has/);
  expect(stdout).toContain("No surprises.");
});
