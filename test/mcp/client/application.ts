/** An application that uses a server, tells the id of its process, and then ends in the way that it is told. */
import { mcpToolbox } from "../../../src/mcp/index.js";
import { invokeTool } from "../../../src/testing/index.js";

const [server = "", scenario = "", way] = process.argv.slice(2);

async function run(): Promise<void> {
  const box = await mcpToolbox({ command: process.execPath, args: [server, "stdio", scenario] }, { prefix: "box" });
  const [Pid] = box.tools;
  if (Pid !== undefined) process.stdout.write(`${String(await invokeTool(Pid))}\n`);
  if (way === "exit") process.exit(0);
  if (way === "crash") {
    setImmediate(() => {
      throw new Error("crashed");
    });
  }
  if (way === "close") await box.close();
}

void run();
