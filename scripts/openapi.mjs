/**
 * npm run openapi [-- FILE...]
 *
 * Imports OpenAPI documents (JSON and YAML; by default those in `openapi/` of the data folder: test/data/README.md), and prints of each: its operations, the tools that were made, and what was refused
 * with the reason. Each tool's schema is compiled, and one call of each kind (method, places of parameters, type of the
 * body) is made to a server on this machine, which checks what it received against the document. Fails if anything differs.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { validateToolInput } from "toolwright/execution";
import { openApiToolbox, secret } from "toolwright/http";
import { invokeTool } from "toolwright/testing";
import { parse } from "yaml";
import { dataFolder } from "../test/support/data-folder.cjs";
import { checkDocument } from "../test/support/openapi/check-document.js";

const folder = join(dataFolder, "openapi");
const named = process.argv.slice(2);
if (named.length === 0 && !existsSync(folder)) {
  process.stderr.write(`openapi/ not found in ${folder}. Set TOOLWRIGHT_DATA to the folder that holds it, or name files.\n`);
  process.exit(1);
}
const files = named.length > 0 ? named : readdirSync(folder).map((name) => join(folder, name));

const totals = { documents: 0, operations: 0, tools: 0, refused: 0, calls: 0, problems: 0 };

for (const file of files.filter((name) => /\.(json|ya?ml)$/.test(name))) {
  const text = readFileSync(file, "utf8");
  const document = file.endsWith(".json") ? JSON.parse(text) : parse(text, { merge: true });
  const report = await checkDocument(document, { openApiToolbox, secret, validateToolInput, invokeTool });
  const { operations, tools, refused, called, uncalled, problems, error } = report;
  totals.documents += 1;
  for (const [name, count] of Object.entries({
    operations,
    tools,
    refused: refused.length,
    calls: called.length,
    problems: problems.length,
  })) {
    totals[name] += count;
  }
  console.log(`\n${basename(file)}: ${operations} operations, ${tools} tools, ${refused.length} refused, ${called.length} kinds of calls`);
  if (error !== undefined) console.log(`  no toolbox: ${error}`);
  for (const { operation, reason } of refused) console.log(`  refused: ${operation}: ${reason}`);
  for (const kind of called) console.log(`  called: ${kind}`);
  for (const kind of uncalled) console.log(`  not called, since no arguments were found: ${kind}`);
  for (const problem of problems) console.log(`  PROBLEM: ${problem}`);
}

const { documents, operations, tools, refused, calls, problems } = totals;
console.log(
  `\n${documents} documents: ${operations} operations, ${tools} tools, ${refused} refused; ${calls} kinds of calls, ${problems} problems.`,
);
process.exit(problems === 0 ? 0 : 1);
