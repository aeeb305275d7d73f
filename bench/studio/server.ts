/** Serves the studio with many tools and a long run, and an empty page, for bench/studio.mjs: prints their addresses as JSON. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InProcessRuntime } from "../../src/durable/index.js";
import { Agent, category, createTool, description, identifier, model, Tool, usesTools } from "../../src/index.js";
import { ScriptedModel } from "../../src/models/index.js";
import { MemoryStorage } from "../../src/storage/index.js";
import { startStudio } from "../../src/studio/index.js";

const toolCount = 5_000;
/** Each has an answer, a call and a result: four events. */
const stepCount = 1_250;

@identifier("look")
@description("Looks something up. Use to find a fact.")
@category("read")
class LookTool extends Tool {
  call() {
    return { found: "A lamp of brass, in the second room on the left.", price: 20 };
  }
}

const steps = Array.from({ length: stepCount }, () => ({ text: "I look again.", toolCalls: [{ name: "look" }] }));
@identifier("searcher")
@model(new ScriptedModel([...steps, "Found."]))
@usesTools([LookTool])
class Searcher extends Agent {}

const storage = new MemoryStorage();
const runtime = new InProcessRuntime({ storage, agents: [Searcher] });
await runtime.start(Searcher, "Look for the lamp", { runId: "long", maxSteps: stepCount + 1, budget: {} });
const { reason } = await runtime.result("long");
if (reason !== "success") throw new Error(`The long run ended with ${reason}.`);

const tools = Array.from({ length: toolCount }, (_, number) => ({
  tool: createTool({
    name: `tool_${number}`,
    description: `Looks up the record number ${number} of the shop. Use when the user asks about it.`,
    inputSchema: { type: "object", properties: { id: { type: "string", description: "The record" } }, required: ["id"] },
    execute: () => number,
  }),
  module: `tools-${number % 20}.ts`,
}));

const empty = mkdtempSync(join(tmpdir(), "toolwright-empty-"));
writeFileSync(join(empty, "page.js"), 'document.body.textContent = "Empty";');
writeFileSync(join(empty, "page.css"), "");
writeFileSync(join(empty, "icon.svg"), '<svg xmlns="http://www.w3.org/2000/svg"/>');

const shown = { tools, agents: [], findings: [], context: {}, storage, runtime, changedFiles: () => [], port: 0 };
const few = await startStudio({ ...shown, tools: tools.slice(0, 20), page: "dist/studio" });
const many = await startStudio({ ...shown, page: "dist/studio" });
const blank = await startStudio({ ...shown, tools: [], page: empty });
process.stdout.write(`${JSON.stringify({ few: few.url, many: many.url, blank: blank.url })}\n`);
