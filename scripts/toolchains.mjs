/**
 * Tries the packed library in every toolchain of test/toolchains/cells.mjs: the same checks, compiled and run as a user would.
 * A check works, or is refused with a clear error where cells.mjs says so; anything else fails the run.
 * `npm run toolchains` also compares docs/toolchains.md with the outcomes; `npm run toolchains -- --write` writes it.
 * With `--built`, the library is what is in dist/ now.
 * Words choose cells: `npm run toolchains -- esbuild legacy`.
 */
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { cells, toolSets } from "../test/toolchains/cells.mjs";
import { writeOutcomes } from "./toolchains/document.mjs";
import { install, judge, pack, print, runWith } from "./toolchains/harness.mjs";

const checks = "test/toolchains/checks";
const document = "docs/toolchains.md";
const words = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const write = process.argv.includes("--write");
const oldNode = Number(process.versions.node.split(".")[0]) < 22;

const chosen = cells.filter((cell) => words.every((word) => `${cell.toolchain} ${cell.dialect} ${cell.modules}`.includes(word)));
const runnable = chosen.filter((cell) => !(cell.newer && oldNode));
for (const cell of chosen.filter((each) => !runnable.includes(each))) {
  console.log(`skipped: ${cell.toolchain}, ${cell.dialect} decorators (needs Node 22 or newer, this is ${process.version})`);
}

const tarball = pack(process.argv.includes("--built"));
const installSize = measureInstall();
const homes = new Map([...new Set(runnable.map(toolsOf))].map((name) => [name, install(name, tarball, toolSets[name])]));

const outcomes = (await twoAtATime(runnable, tryCell)).flat();
if (words.length === 0) outcomes.push(checkDocument());
const failed = outcomes.filter(({ failure }) => failure !== undefined).length;
console.log(`\n${installSize}\ntoolchains: ${outcomes.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 && outcomes.length > 0 ? 0 : 1);

/** What a user downloads: at most 5 packages and 10 MB. */
function measureInstall() {
  const modules = join(install("alone", tarball, {}), "node_modules");
  const packages = readdirSync(modules).filter((name) => !name.startsWith("."));
  const files = readdirSync(modules, { recursive: true }).map((name) => statSync(join(modules, name)));
  const megabytes = files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0) / 1e6;
  const size = `An install brings ${packages.length} packages (${packages.join(", ")}), ${megabytes.toFixed(2)} MB.`;
  if (packages.length >= 6 || megabytes >= 10) throw new Error(`${size} The most is 5 packages and 10 MB.`);
  return size;
}

/** Compiles and runs the checks in one cell; prints and gives `[{ title, refused } or { title, failure }, ...]`. */
async function tryCell(cell) {
  const home = homes.get(toolsOf(cell));
  const target = mkdtempSync(join(home, "cell-"));
  cpSync(join(home, "node_modules/toolwright"), join(target, "node_modules/toolwright-copy"), { recursive: true });
  for (const [name, text] of Object.entries(cell.files)) writeFileSync(join(target, name), text);
  for (const file of sourcesOf(cell)) cpSync(join(checks, file), join(target, "src", basename(file)));

  const output = await runWith(home, cell.run, target);
  const file = join(target, "outcomes.jsonl");
  const found = existsSync(file)
    ? readFileSync(file, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
    : [];
  const results = cell.broken ? [judgeBroken(cell, output)] : judge(cell, output, found);
  print(`${cell.toolchain}, ${cell.dialect} decorators, ${cell.modules}`, results);
  return results.map((result) => ({ ...result, cell }));
}

function toolsOf({ tools = "tools" }) {
  return tools;
}

function sourcesOf(cell) {
  const start = /jest|vitest/.test(cell.run) ? "checks.test.ts" : "main.ts";
  return ["check.ts", "portable.ts", "all-checks.ts", start, `${cell.dialect}/dialect.ts`];
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
