import assert from "node:assert/strict";
import { mock } from "node:test";
import { Agent, createTool, model, ToolTimeoutError, usesTools } from "toolwright";
import { ToolExecutor } from "toolwright/execution";
import { ScriptedModel } from "toolwright/models";
import { type Check, outcomesOf } from "./readme.js";

const slow = createTool({
  name: "slow",
  description: "Waits. Use in tests.",
  inputSchema: { type: "object" },
  timeout: 60_000,
  execute: () => new Promise(() => {}),
});

/** Lets what is pending begin its waiting, then moves the mocked clock. */
async function pass(milliseconds: number) {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  mock.timers.tick(milliseconds);
}

async function mocked(run: () => Promise<void>): Promise<undefined> {
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  try {
    await run();
  } finally {
    mock.timers.reset();
  }
}

const checks: readonly Check[] = [
  {
    title: "A tool's timeout",
    run: () =>
      mocked(async () => {
        const call = assert.rejects(new ToolExecutor({ tools: [slow] }).run("slow", {}), ToolTimeoutError);
        await pass(60_000);
        await call;
      }),
  },
  {
    title: "A tool's timeout after one of a real clock",
    async run() {
      const short = createTool({
        name: "short",
        description: "Waits. Use in tests.",
        inputSchema: { type: "object" },
        timeout: 20,
        execute: () => new Promise(() => {}),
      });
      await assert.rejects(new ToolExecutor({ tools: [short] }).run("short", {}), ToolTimeoutError);
      await mocked(async () => {
        const call = assert.rejects(new ToolExecutor({ tools: [short] }).run("short", {}), ToolTimeoutError);
        await pass(20);
        await call;
      });
      await assert.rejects(new ToolExecutor({ tools: [short] }).run("short", {}), ToolTimeoutError);
    },
  },
  {
    title: "A tool's timeout in an agent's run",
    run: () =>
      mocked(async () => {
        @model(new ScriptedModel([{ toolCalls: [{ name: "slow", arguments: {} }] }, "Too slow."]))
        @usesTools([slow])
        class SlowAgent extends Agent {}
        const run = new SlowAgent().generate("Wait.");
        await pass(60_000);
        assert.equal((await run).text, "Too slow.");
      }),
  },
  {
    title: "A model's timeout",
    run: () =>
      mocked(async () => {
        const hanging = { id: "test/hanging", generate: () => new Promise<never>(() => {}) };
        @model(hanging, { timeout: 30_000, retries: 0 })
        class HangingAgent extends Agent {}
        const run = new HangingAgent().generate("Hello?");
        await pass(30_000);
        assert.equal((await run).outcome.reason, "model_error");
      }),
  },
];

void outcomesOf(checks).then((lines) => {
  console.log(lines);
  process.exit();
});
