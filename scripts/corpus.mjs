/**
 * npm run corpus [-- --json]
 *
 * Takes real tools and real calls of them (`tools.jsonl` and `calls.jsonl` in the data folder: test/data/README.md) and counts: tools that can be defined from their schema, calls that are accepted as they stand, calls
 * that break their schema and are refused. Then it counts how often the embedded keyword model picks the right tool and
 * the right arguments, on rows that need one call, and how often the search for deferred tools has the right one among its
 * results. An agent has no two tools of one name, so the search has one of each. The question, cut to its last 500 characters,
 * stands in place of the few words that a model would write.
 *
 * A row or call that can't be read, or names a tool that the file doesn't hold, is a surprise and isn't counted.
 */
import { isDeepStrictEqual } from "node:util";
import { Agent, deferred, model, usesTools } from "toolwright";
import { validateToolInput } from "toolwright/execution";
import { KeywordModel, ScriptedModel } from "toolwright/models";
import { dataFolder, isSubset } from "../test/support/data-folder.cjs";
import { defineTools, fitsPossible, offerOf, readRows, surprises, textsOf } from "./corpus-rows.mjs";

/** Whether the tool takes the arguments as they stand, with the reason if not; `ok` is undefined if it never got to judge them. */
function judge({ toolClass }, input) {
  if (toolClass === undefined) return { ok: undefined, error: "its tool is not defined" };
  try {
    return validateToolInput(toolClass, input);
  } catch (error) {
    return { ok: undefined, error: `validation threw ${error}` };
  }
}

function checkCalls(rows, tools) {
  const counts = { mustAccept: 0, accepted: 0, mustRefuse: 0, refused: 0 };
  for (const [{ id, expected }, place] of rows) {
    for (const { name, tool_id: toolId, args, violates } of expected) {
      const tool = tools.get(toolId);
      if (tool === undefined) {
        surprises.push(`${place}: call ${id} is of ${name} (${toolId}), which tools.jsonl doesn't hold`);
        continue;
      }
      const verdict = judge(tool, args);
      const faults = [violates ?? []].flat();
      counts[faults.length === 0 ? "mustAccept" : "mustRefuse"] += 1;
      if (verdict.ok === (faults.length === 0)) counts[verdict.ok ? "accepted" : "refused"] += 1;
      else if (verdict.ok) surprises.push(`call ${id} of ${name} (${toolId}) is accepted, but breaks ${faults.join("; ")}`);
      else surprises.push(`call ${id} of ${name} (${toolId}) ${verdict.ok === false ? "is refused" : "fails"}: ${verdict.error}`);
    }
  }
  return counts;
}

async function tryKeywordModel(rows, tools) {
  const model = new KeywordModel();
  const counts = { rows: 0, rightTool: 0, rightArguments: 0 };
  let byChance = 0;
  for (const [row, place] of rows) {
    const [call] = row.expected;
    const tool = tools.get(call?.tool_id);
    if (row.expected.length !== 1 || tool?.toolClass === undefined) continue;
    const offered = offerOf(row, tool, tools).map(({ definition: { name, description, parametersSchema } }) => ({
      name,
      description,
      parameters: parametersSchema,
    }));
    counts.rows += 1;
    byChance += 1 / offered.length;
    try {
      const { toolCalls } = await model.generate({
        messages: textsOf(row.question).map((content) => ({ role: "user", content })),
        tools: offered,
      });
      if (toolCalls.length !== 1 || toolCalls[0].name !== tool.toolClass.identifier) continue;
      counts.rightTool += 1;
      const chosen = JSON.parse(toolCalls[0].arguments);
      if (call.possible ? fitsPossible(call.possible, chosen) : isDeepStrictEqual(chosen, call.args)) counts.rightArguments += 1;
    } catch (error) {
      surprises.push(`${place}: the keyword model threw ${error}`);
    }
  }
  return { counts, byChance };
}

/** Asks `search_tools` of an agent whose tools are all deferred. */
async function trySearch(rows, tools) {
  const byName = new Map([...tools.values()].flatMap(({ name, toolClass }) => (toolClass === undefined ? [] : [[name, toolClass]])));
  const asked = rows
    .map(([{ question, expected }]) => ({ question, names: [...new Set(expected.map(({ name }) => name))] }))
    .filter(({ names }) => names.length > 0 && names.every((name) => byName.has(name)));
  const script = new ScriptedModel(
    asked.flatMap(({ question }) => {
      const query = textsOf(question).join(" ").slice(-500).toWellFormed();
      return [{ toolCalls: [{ name: "search_tools", arguments: { query } }] }, "Done."];
    }),
  );
  class SearchingAgent extends Agent {}
  model(script)(SearchingAgent);
  usesTools([deferred({ name: "all", tools: [...byName.values()] })])(SearchingAgent);
  const counts = { tools: byName.size, one: 0, oneFound: 0, several: 0, severalFound: 0 };
  for (const { names } of asked) {
    const { steps } = await new SearchingAgent().generate("Find the tools.");
    const found = steps[0]?.toolCalls[0]?.data?.tools?.map(({ name }) => name) ?? [];
    const kind = names.length === 1 ? "one" : "several";
    counts[kind] += names.length;
    counts[`${kind}Found`] += names.filter((name) => found.includes(wireForm(name))).length;
  }
  return counts;
}

/** The name of a tool as models read it. */
const wireForm = (name) => name.replaceAll(/[^\w-]/g, "_").slice(0, 64);

const tools = defineTools();
const rows = readRows();
const calls = checkCalls(rows, tools);
const { counts: keyword, byChance } = await tryKeywordModel(rows, tools);
const search = await trySearch(rows, tools);
const defined = [...tools.values()].filter(({ toolClass }) => toolClass !== undefined).length;

if (process.argv.includes("--json")) {
  process.stdout.write(
    `${JSON.stringify({ data: dataFolder, isSubset, tools: tools.size, defined, ...calls, surprises, keyword, search })}\n`,
  );
} else {
  const percent = (part, whole) => (whole === 0 ? "–" : `${((100 * part) / whole).toFixed(1)} %`);
  const line = (label, part, whole) =>
    console.log(`${label.padEnd(44)}${String(part).padStart(6)} of ${String(whole).padStart(6)}  ${percent(part, whole).padStart(7)}`);
  const subset = isSubset ? ", the subset that every clone has; the figures of docs/benchmarks.md are of the whole collection" : "";
  console.log(`data: ${dataFolder}${subset}`);
  line("tools that are defined", defined, tools.size);
  line("valid calls that are accepted, unrepaired", calls.accepted, calls.mustAccept);
  line("invalid calls that are refused", calls.refused, calls.mustRefuse);
  line("keyword model: right tool", keyword.rightTool, keyword.rows);
  line("  by chance", Math.round(byChance), keyword.rows);
  line("keyword model: right tool and arguments", keyword.rightArguments, keyword.rows);
  line("search: right tool among five, one is needed", search.oneFound, search.one);
  line("search: right tool among five, several are", search.severalFound, search.several);
  console.log(`tools of different names that are searched: ${search.tools}`);
  console.log(
    surprises.length === 0 ? "No surprises." : `${surprises.length} surprises:\n${surprises.map((text) => `- ${text}`).join("\n")}`,
  );
}
