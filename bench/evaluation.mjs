/** Runs of an agent with real tools and the embedded model, alone and as `evaluate` judges them and keeps their answers. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, model, usesTools } from "toolwright";
import { evaluate } from "toolwright/evaluation";
import { caseOf, defineTools, readRows } from "../scripts/corpus-rows.mjs";

const toolCount = 20;
const concurrency = 4;

/**
 * Milliseconds of processor time per run. Both kinds take turns, and the least time counts: other processes only lengthen it. Answers are
 * kept in a new folder each round, so that each is asked for.
 */
export async function measureEvaluation({ rounds, processorTime }) {
  const tools = defineTools();
  const rows = readRows()
    .map(([row]) => row)
    .filter(({ expected }) => expected.length === 1 && tools.get(expected[0].tool_id)?.toolClass !== undefined);
  const byName = new Map(rows.map(({ expected: [{ tool_id }] }) => [tools.get(tool_id).name, tools.get(tool_id)]));
  const offered = [...byName.values()].slice(0, toolCount);
  class AskedAgent extends Agent {}
  model("embedded/keyword")(AskedAgent);
  usesTools(offered.map(({ toolClass }) => toolClass))(AskedAgent);
  const cases = rows.filter(({ expected: [{ tool_id }] }) => offered.includes(tools.get(tool_id))).map((row) => caseOf(row, tools));

  async function generate() {
    const pending = cases.values();
    const work = async () => {
      for (const { prompt, messages } of pending) {
        const agent = new AskedAgent();
        if (messages !== undefined) agent.restore(messages);
        await agent.generate(prompt, { maxSteps: 1 });
      }
    };
    await Promise.all(Array.from({ length: concurrency }, work));
  }
  const folder = mkdtempSync(join(tmpdir(), "toolwright-bench-"));
  const evaluated = async (round) => {
    const { summary } = await evaluate({ agent: AskedAgent, cases, concurrency, answers: join(folder, String(round)) });
    assert.deepEqual([summary.errors, summary.keptRequests], [0, 0]);
  };
  let [alone, judged] = [Infinity, Infinity];
  for (let round = 0; round < rounds; round++) {
    alone = Math.min(alone, await processorTime(generate));
    judged = Math.min(judged, await processorTime(() => evaluated(round)));
  }
  rmSync(folder, { recursive: true });
  return { alone: alone / cases.length, evaluated: judged / cases.length };
}
