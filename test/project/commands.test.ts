import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { repositoryRoot } from "../support/code-blocks.js";

interface Step {
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}
interface Job {
  readonly uses?: string;
  readonly needs?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly strategy?: { readonly matrix: { readonly node: readonly number[] } };
  readonly steps?: readonly Step[];
}
interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const read = (path: string): string => readFileSync(join(repositoryRoot, path), "utf8");
const { scripts } = JSON.parse(read("package.json")) as { readonly scripts: Readonly<Record<string, string>> };
const workflowFiles = readdirSync(join(repositoryRoot, ".github/workflows")).map((name) => `.github/workflows/${name}`);
const workflow = (name: string): Workflow => parse(read(`.github/workflows/${name}.yml`)) as Workflow;

it.each([...workflowFiles, ".ci/run", "scripts/check.mjs", "CONTRIBUTING.md", "README.md"])("%s calls only commands that exist", (path) => {
  const called = [...read(path).matchAll(/npm run (?:--silent |-s )?([\w:-]+)/g)].map(([, name]) => name);
  expect(called.filter((name) => !Object.hasOwn(scripts, name as string))).toEqual([]);
});

it.each(Object.entries(scripts))("npm run %s starts a file that exists", (_, command) => {
  const started = [...command.matchAll(/\S+\.mjs/g)].map(([file]) => file);
  expect(started.filter((file) => !existsSync(join(repositoryRoot, file)))).toEqual([]);
});

it("npm run check runs the tests that npm test leaves out", () => {
  const commands = ["npm run --silent test:types", "npm run --silent test:processes", "npm run --silent test:random"];
  expect(commands.filter((command) => !read("scripts/check.mjs").includes(`"${command}"`))).toEqual([]);
});

it("CI runs on Node 20, 22, 24 and 26 what `npm run check` runs after an install", () => {
  const { check } = workflow("check").jobs;
  expect(check?.strategy?.matrix.node).toEqual([20, 22, 24, 26]);
  expect(check?.steps?.at(-1)?.run).toBe(".ci/run");
  expect(read(".ci/run")).toMatch(/^npm ci$[\s\S]*^npm run --silent check -- --built$/m);
});

it("a release is started by a tag, runs the checks first and is published with provenance", () => {
  const { on, jobs } = workflow("release");
  expect(on).toEqual({ push: { tags: ["v*"] } });
  expect(jobs.check?.uses).toBe("./.github/workflows/check.yml");
  expect(workflow("check").on).toHaveProperty("workflow_call");
  expect(jobs.publish).toMatchObject({ needs: "check", permissions: { "id-token": "write" } });
  expect(jobs.publish?.steps?.at(-1)?.run).toBe("npm publish --provenance --access public");
});

it("the editor's settings are the formatter's", () => {
  const { formatter } = JSON.parse(read("biome.json")) as {
    readonly formatter: { readonly indentWidth: number; readonly lineWidth: number };
  };
  expect(read(".editorconfig")).toContain(`indent_size = ${formatter.indentWidth}\n`);
  expect(read(".editorconfig")).toContain(`max_line_length = ${formatter.lineWidth}\n`);
});
