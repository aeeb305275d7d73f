import { createRunScope, ToolExecutor } from "../../src/execution/index.js";
import { createTool, type ToolCallRecord } from "../../src/tool/index.js";

const count = createTool({
  name: "count",
  description: "Counts.",
  inputSchema: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
  execute: ({ n }) => n,
});

async function recordOf(text: string): Promise<ToolCallRecord> {
  const records: ToolCallRecord[] = [];
  const executor = new ToolExecutor({ tools: [count], listeners: [{ toolFinished: (record) => records.push(record) }] });
  await executor.call({ id: "c1", name: "count", arguments: text }, createRunScope());
  return records[0] as ToolCallRecord;
}

describe("the record of a call", () => {
  it("marks text that was no JSON until it was read leniently", async () => {
    expect((await recordOf("{n: 1,}")).repairs).toEqual([{ path: "", from: "{n: 1,}", to: { n: 1 } }]);
  });

  it("marks what was repaired inside it too", async () => {
    expect((await recordOf("{n: '1'}")).repairs).toMatchObject([{ path: "" }, { path: "n", from: "1", to: 1 }]);
  });

  it("has no repairs if there were none", async () => {
    expect((await recordOf('{"n":1}')).repairs).toBeUndefined();
  });

  it("names in one sentence what is wrong with the text", async () => {
    expect((await recordOf('{"n":')).result.error).toMatch(/^arguments end too early, after /);
  });
});
