/**
 * npm run everywhere
 *
 * Takes the packed library through the runtimes, bundlers and test runners of test/toolchains/everywhere/cells.mjs. A check works, or is
 * refused with an error that names the fix if the cell says so; anything else fails the run. Installs are kept below the system's
 * temporary folder.
 *
 * --only=TEXT   the cells whose name has this text, or one of several: --only=next,webpack
 * --core        the cells of `npm run check`
 * --built       takes dist/ as it is
 * --write       writes the rows of the cells into docs/toolchains.md; without it, they are compared
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { cells, toolSets } from "../test/toolchains/everywhere/cells.mjs";
import { writePlaces } from "./toolchains/document.mjs";
import { cache, install, judge, pack, print, runWith } from "./toolchains/harness.mjs";

const programs = "test/toolchains/everywhere";
const document = "docs/toolchains.md";
const given = process.argv.slice(2);
const only = given
  .find((word) => word.startsWith("--only="))
  ?.slice("--only=".length)
  .toLowerCase()
  .split(",");
const isAll = only === undefined && !given.includes("--core");

const chosen = cells.filter(({ name, core }) => (only ? only.some((text) => name.toLowerCase().includes(text)) : isAll || core));
const tarball = pack(given.includes("--built"));

const outcomes = [];
for (const cell of chosen) {
  const home = install(cell.tools, tarball, toolSets[cell.tools], cache);
  const results = await tryCell(cell, home);
  print(cell.name, results);
  outcomes.push({ cell, results });
}
let failed = outcomes.flatMap(({ results }) => results).filter(({ failure }) => failure !== undefined).length;
if (failed === 0) failed += checkDocument();
console.log(`\neverywhere: ${outcomes.length} cells, ${failed === 0 ? "nothing" : failed} failed`);
process.exit(failed === 0 && outcomes.length > 0 ? 0 : 1);

async function tryCell(cell, home) {
  const target = mkdtempSync(join(home, "cell-"));
  try {
    for (const [name, text] of Object.entries(cell.files)) writeFileSync(join(target, name), text);
    for (const [from, to] of Object.entries(cell.sources)) {
      mkdirSync(join(target, dirname(to)), { recursive: true });
      const text = readFileSync(join(programs, from), "utf8");
      // Next resolves no name with .js to a .ts file.
      writeFileSync(join(target, to), to.startsWith("app/") ? text.replaceAll(/(from "\.\/[\w-]+)\.js"/g, '$1"') : text);
    }
    const output = await runWith(home, cell.run, target);
    const found = [...output.matchAll(/^outcome: (\{.*\})$/gm)].map(([, line]) => JSON.parse(line));
    const results = judge(cell, output, found);
    const [warning] = /^.*(?:DeprecationWarning|\[DEP\d+\]).*$/m.exec(output) ?? [];
    if (warning !== undefined) results.push({ title: "No deprecation warning", failure: warning });
    return results;
  } finally {
    if (!given.includes("--keep")) rmSync(target, { recursive: true, force: true });
  }
}

function checkDocument() {
  const written = readFileSync(document, "utf8");
  const current = writePlaces(written, outcomes, cells);
  if (given.includes("--write")) writeFileSync(document, current);
  if (given.includes("--write") || written === current) return 0;
  console.log(`\nFAILED   ${document} is not current. Run: npm run everywhere -- --write`);
  return 1;
}
