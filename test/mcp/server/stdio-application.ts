import { createTool, type ToolContext } from "../../../src/index.js";
import { serveMcp } from "../../../src/mcp/index.js";

/** A process that serves tools over stdio, some of which misbehave. The test bundles and starts it. */

const object = { type: "object" } as const;

const noisy = createTool("noisy", "Prints.", object, () => {
  // biome-ignore lint/suspicious/noConsole: what the test is about
  console.log("noise of console.log");
  process.stdout.write("noise of write\n");
  return "quiet";
});
const refund = createTool({
  name: "refund",
  description: "Refunds.",
  inputSchema: object,
  requiresConfirmation: true,
  execute: () => "Refunded.",
});
const wait = createTool("wait", "Waits.", object, async (_, { abortSignal }: ToolContext) => {
  process.stderr.write("waiting\n");
  await new Promise((resolve) => abortSignal.addEventListener("abort", resolve));
  process.stderr.write("aborted\n");
});
const hold = createTool("hold", "Keeps the process busy, whatever happens.", object, () => {
  setInterval(() => undefined, 1_000);
  process.stderr.write("holding\n");
  return "holding";
});

const stop = createTool("stop", "Stops serving.", object, () => {
  setImmediate(async () => {
    await (await serving).close();
    process.stdout.write("the application's own again\n");
  });
  return "stopping";
});

const serving = serveMcp({ name: "shop", version: "1.0.0", tools: [noisy, refund, wait, hold, stop], transport: "stdio" });
process.stdout.write("noise after the start\n");
