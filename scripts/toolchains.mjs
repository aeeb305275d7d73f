/**
 * Tries the packed library in every toolchain of test/toolchains/cells.mjs: the same checks, compiled and run as a user would.
 * A check works, or is refused with a clear error where cells.mjs says so; anything else fails the run.
 * `npm run toolchains` also compares docs/toolchains.md with the outcomes; `npm run toolchains -- --write` writes it.
 * Words choose cells: `npm run toolchains -- esbuild legacy`.
 */
import { exec, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, join } from "node:path";
import { promisify } from "node:util";
import { cells, toolSets } from "../test/toolchains/cells.mjs";
import { writeOutcomes } from "./toolchains-document.mjs";

const checks = "test/toolchains/checks";
const document = "docs/toolchains.md";
const words = process.argv.slice(2).filter((word) => word !== "--write");
const write = process.argv.includes("--write");
const oldNode = Number(process.versions.node.split(".")[0]) < 22;

const folder = mkdtempSync(join(tmpdir(), "toolwright-toolchains-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

const chosen = cells.filter((cell) => words.every((word) => `${cell.toolchain} ${cell.dialect} ${cell.modules}`.includes(word)));
const runnable = chosen.filter((cell) => !(cell.newer && oldNode));
for (const cell of chosen.filter((each) => !runnable.includes(each))) {
  console.log(`skipped: ${cell.toolchain}, ${cell.dialect} decorators (needs Node 22 or newer, this is ${process.version})`);
}

const tarball = pack();
const installSize = measureInstall();
for (const name of new Set(runnable.map(toolsOf))) install(name, toolSets[name]);

const outcomes = (await twoAtATime(runnable, tryCell)).flat();
if (words.length === 0) outcomes.push(checkDocument());
const failed = outcomes.filter(({ failure }) => failure !== undefined).length;
console.log(`\n${installSize}\ntoolchains: ${outcomes.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 && outcomes.length > 0 ? 0 : 1);

/** Makes the tarball of what is in src/ now. */
function pack() {
  run("npm", ["run", "--silent", "build"], ".");
  run("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder], ".");
  return join(folder, readdirSync(folder)[0]);
}

function run(command, parameters, cwd) {
  const { status } = spawnSync(command, parameters, { cwd, stdio: ["ignore", 2, 2] });
  if (status !== 0) throw new Error(`${command} ${parameters.join(" ")} failed`);
}

function install(name, dependencies) {
  const home = join(folder, name);
  mkdirSync(home);
  writeFileSync(join(home, "package.json"), JSON.stringify({ dependencies: { ...dependencies, toolwright: `file:${tarball}` } }));
  const flags = ["--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts", "--silent"];
  run("npm", ["install", ...flags], home);
  return join(home, "node_modules");
}

/** What a user downloads: at most 5 packages and 10 MB. */
function measureInstall() {
  const modules = install("alone", {});
  const packages = readdirSync(modules).filter((name) => !name.startsWith("."));
  const files = readdirSync(modules, { recursive: true }).map((name) => statSync(join(modules, name)));
  const megabytes = files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0) / 1e6;
  const size = `An install brings ${packages.length} packages (${packages.join(", ")}), ${megabytes.toFixed(2)} MB.`;
  if (packages.length >= 6 || megabytes >= 10) throw new Error(`${size} The most is 5 packages and 10 MB.`);
  return size;
}

/** Compiles and runs the checks in one cell; prints and gives `[{ title, refused } or { title, failure }, ...]`. */
async function tryCell(cell) {
  const home = join(folder, toolsOf(cell));
  const target = mkdtempSync(join(home, "cell-"));
  cpSync(join(home, "node_modules/toolwright"), join(target, "node_modules/toolwright-copy"), { recursive: true });
  for (const [name, text] of Object.entries(cell.files)) writeFileSync(join(target, name), text);
  for (const file of sourcesOf(cell)) cpSync(join(checks, file), join(target, "src", basename(file)));

  const env = { ...process.env, PATH: [join(home, "node_modules/.bin"), process.env.PATH].join(delimiter) };
  const ended = await promisify(exec)(cell.run, { cwd: target, env, timeout: 180_000 }).catch((error) => error);
  const output = `${ended.stdout}${ended.stderr}`.trim();
  const results = cell.broken ? [judgeBroken(cell, output)] : judge(cell, output, join(target, "outcomes.jsonl"));
  const lines = results.map(({ title, refused, failure }) => {
    if (failure !== undefined) return `  FAILED   ${title}: ${failure}`;
    return refused === undefined ? `  works    ${title}` : `  refused  ${title}: ${refused}`;
  });
  console.log(`\n${cell.toolchain}, ${cell.dialect} decorators, ${cell.modules}\n${lines.join("\n")}`);
  return results.map((result) => ({ ...result, cell }));
}

function toolsOf({ tools = "tools" }) {
  return tools;
}

function sourcesOf(cell) {
  const start = /jest|vitest/.test(cell.run) ? "checks.test.ts" : "main.ts";
  return ["check.ts", "portable.ts", "all-checks.ts", start, `${cell.dialect}/dialect.ts`];
}

/** Compares what the checks left with what the cell refuses. A cell that ran no check has failed. */
function judge(cell, output, file) {
  const found = existsSync(file)
    ? readFileSync(file, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
    : [];
  if (found.length === 0) return [{ title: cell.run, failure: `no check ran:\n${output}` }];
  const missing = cell.refused.filter((title) => !found.some((outcome) => outcome.title === title));
  return [
    ...found.map(({ title, refused, failed }) => {
      if (failed !== undefined) return { title, failure: failed };
      if ((refused !== undefined) === cell.refused.includes(title)) return { title, refused };
      return { title, failure: refused === undefined ? "works, but cells.mjs says it is refused" : `refused unexpectedly: ${refused}` };
    }),
    ...missing.map((title) => ({ title, failure: "did not run" })),
  ];
}

/** A toolchain that can't compile the dialect at all has to say what cells.mjs holds. */
function judgeBroken(cell, output) {
  const title = "The toolchain itself";
  return output.includes(cell.broken) ? { title, refused: cell.broken } : { title, failure: `did not say "${cell.broken}":\n${output}` };
}

function checkDocument() {
  const title = `${document} is current`;
  const written = readFileSync(document, "utf8");
  const current = writeOutcomes(written, cells, outcomes);
  if (write) writeFileSync(document, current);
  if (write || written === current) return { title };
  console.log(`\nFAILED   ${document} is not current. Run: npm run toolchains -- --write`);
  return { title, failure: "not current" };
}

async function twoAtATime(items, act) {
  const results = [];
  const rest = [...items];
  const worker = async () => {
    for (let item = rest.shift(); item; item = rest.shift()) results.push(await act(item));
  };
  await Promise.all([worker(), worker()]);
  return results;
}
