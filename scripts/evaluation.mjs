/**
 * npm run evaluation [-- --html report.html] [--answers folder]
 *
 * How often the embedded keyword model picks the right tool and arguments on real questions (test/data/README.md), measured by
 * `toolwright/evaluation`. Rows that need one call are halved by a hash of their ids: the model's rules may be tuned on one half, and 300 rows
 * of the other are asked here, in the order of their hashes. Then the same rows are asked with descriptions that are changed as `checkTools`
 * says, by rule: a sentence that says when to use the tool, and descriptions of parameters made of their names. And once without descriptions.
 * With the whole collection, it fails if docs/benchmarks.md has other figures.
 */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { Agent, createTool, model, usesTools } from "toolwright";
import { compareEvaluations, comparisonText, evaluate, evaluationHtml, evaluationText } from "toolwright/evaluation";
import { checkTools } from "toolwright/lint";
import { dataFolder, isSubset } from "../test/support/data-folder.cjs";
import { caseOf, defineTools, offerOf, readRows, surprises } from "./corpus-rows.mjs";

const mostRows = 300;
const { values: given } = parseArgs({ options: { html: { type: "string" }, answers: { type: "string" } } });

const hashOf = (id) => createHash("sha256").update(id).digest("hex");
const isForDevelopment = (row) => Number.parseInt(hashOf(row.id).at(-1), 16) % 2 === 0;

/** The tools of the row that a case is of. */
class AskedAgent extends Agent {}
model("embedded/keyword")(AskedAgent);
usesTools(({ tools }) => tools)(AskedAgent);

/** The case of a row, whose context has the tools that are offered. */
const offering = (row, change) => {
  const tool = tools.get(row.expected[0].tool_id);
  return { ...caseOf(row, tools), context: { tools: offerOf(row, tool, tools).map(change) } };
};

const improved = new Map();

let changedTools = 0;

/** The tool with a description as `checkTools` asks for. */
function improve(toolClass) {
  let better = improved.get(toolClass);
  if (better !== undefined) return better;
  const { name, description, parametersSchema } = toolClass.definition;
  const findings = checkTools([toolClass]);
  const lacksTrigger = findings.some(({ rule }) => rule === "says-when-to-use");
  const [does] = description.split(/(?<=\.)\s/);
  const trigger = `Use when the user asks to ${wordsOf(name)}.`;
  const properties = Object.fromEntries(
    Object.entries(parametersSchema.properties ?? {}).map(([parameter, schema]) => {
      const isBare = findings.some((finding) => finding.rule === "describes-parameters" && finding.parameter === parameter);
      return [parameter, isBare ? { ...schema, description: `The ${wordsOf(parameter)}` } : schema];
    }),
  );
  if (findings.some(({ rule }) => rule === "says-when-to-use" || rule === "describes-parameters")) changedTools += 1;
  better = createTool({
    name,
    description: lacksTrigger ? `${does.replace(/\.?$/, ".")} ${trigger}${description.slice(does.length)}` : description,
    inputSchema: { ...parametersSchema, ...(parametersSchema.properties && { properties }) },
    execute: () => null,
  });
  improved.set(toolClass, better);
  return better;
}

/** `getWeather_now` as words. */
const wordsOf = (name) =>
  name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replace(/[^a-zA-Z0-9]+/g, " ")
    .trim()
    .toLowerCase();

const tools = defineTools();
const asked = readRows()
  .map(([row]) => row)
  .filter((row) => row.expected.length === 1 && tools.get(row.expected[0].tool_id)?.toolClass !== undefined && !isForDevelopment(row))
  .sort((one, other) => hashOf(one.id).localeCompare(hashOf(other.id)))
  .slice(0, mostRows);

const evaluateWith = (change) =>
  evaluate({ agent: AskedAgent, cases: asked.map((row) => offering(row, change)), ...(given.answers && { answers: given.answers }) });

const unchanged = (tool) => tool;
const undescribed = ({ definition: { name, parametersSchema } }) =>
  createTool({ name, description: "A tool.", inputSchema: parametersSchema, execute: () => null });

const report = await evaluateWith(unchanged);
const improvedReport = await evaluateWith(improve);
const undescribedReport = await evaluateWith(undescribed);
const comparison = compareEvaluations(report, improvedReport, { score: "tool" });
const byChance = asked.reduce((sum, row) => sum + 1 / offering(row, unchanged).context.tools.length, 0) / asked.length;

console.log(`data: ${dataFolder}\n${evaluationText(report).split("\n\n")[0]}\n  by chance    ${(100 * byChance).toFixed(1)} % right tool`);
console.log(`\nDescriptions changed as checkTools says, ${changedTools} of ${improved.size} tools. ${comparisonText(comparison)}`);
console.log(`\nWithout descriptions. ${comparisonText(compareEvaluations(report, undescribedReport, { score: "tool" }))}`);
if (given.html !== undefined) writeFileSync(given.html, evaluationHtml(report));
if (surprises.length > 0) console.log(`${surprises.length} surprises:\n${surprises.map((text) => `- ${text}`).join("\n")}`);

const figures = [report.summary.scores.tool, report.summary.passed].map(({ share }) => `${(100 * share).toFixed(1)} %`);
const documented = /<!-- evaluation -->.*?<!-- \/evaluation -->/s.exec(readFileSync("docs/benchmarks.md", "utf8"))?.[0] ?? "";
const isTrue = isSubset || figures.every((figure) => documented.includes(`| ${figure} |`));
if (!isTrue) console.error(`docs/benchmarks.md has other figures: right tool ${figures[0]}, and arguments ${figures[1]}.`);
const errors = [report, improvedReport, undescribedReport].reduce((sum, { summary }) => sum + summary.errors, 0);
process.exitCode = isTrue && errors === 0 ? 0 : 1;
