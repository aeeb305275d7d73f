/**
 * npm run command-line
 *
 * Takes the packed command line through empty folders, as a user would: `init`, then `npm install`, `npm start` and `npm test` in the new
 * project; each command there, with an input that works and one that doesn't; `import openapi` on the documents of the data folder, whose
 * classes must compile and pass `check`; modules in CommonJS; and every step of docs/30-first-hour.md. Build first. Needs npm's registry.
 *
 * --all        every variant of `init`; without it, three that differ in all choices
 * --only=TEXT  the variants whose name has this text, and no commands; `first-hour` is the page
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tryCommands } from "./command-line/commands.mjs";
import { tryCommonJs } from "./command-line/common-js.mjs";
import { firstHour } from "./command-line/first-hour.mjs";
import { run } from "./command-line/program.mjs";
import { tryProject, variants } from "./command-line/projects.mjs";

const bounded = ["plain-legacy-injection", "web-standard", "nest"];

const given = process.argv.slice(2);
const only = given.find((word) => word.startsWith("--only="))?.slice("--only=".length);
const chosen = variants.filter(({ name }) =>
  only === undefined ? given.includes("--all") || bounded.includes(name) : name.includes(only),
);

const folder = mkdtempSync(join(tmpdir(), "toolwright-command-line-"));
let failures = 0;

try {
  const [packed] = JSON.parse(
    execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], { encoding: "utf8" }),
  );
  const tarball = join(folder, packed.filename);
  const home = join(folder, "home");
  mkdirSync(home);
  writeFileSync(join(home, "package.json"), '{"private":true,"type":"module"}');
  run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", tarball], home);
  for (const variant of chosen) await step(`init ${variant.name}`, () => tryProject(variant, home, tarball));
  const project = join(home, "plain-legacy-injection");
  if (only === undefined) await tryCommands(project, step);
  if (only === undefined) await step("modules in CommonJS", () => tryCommonJs(project));
  if (only === undefined || only === "first-hour") await step("docs/30-first-hour.md", () => firstHour(home, tarball));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(failures === 0 ? "\nThe command line works." : `\n${failures} failed.`);
process.exit(failures === 0 ? 0 : 1);

async function step(title, work) {
  const start = performance.now();
  const seconds = () => `${((performance.now() - start) / 1000).toFixed(1)} s`;
  try {
    await work();
    console.log(`works: ${title}, ${seconds()}`);
  } catch (error) {
    failures += 1;
    console.error(`FAILS: ${title}, ${seconds()}\n${error.message}`);
  }
}
