import "../../../src/index.js";
import { createRunScope, ToolExecutor } from "../../../src/execution/index.js";
import { DoInProcess } from "./tools.js";

/** An application whose tools never end: the test kills it. It tells the ids of their processes. */
const executor = new ToolExecutor({ tools: [DoInProcess] });
const call = (what: string) => executor.call({ id: "1", name: DoInProcess.identifier, arguments: { what } }, createRunScope());

const { data } = await call("child");
process.stdout.write(`${JSON.stringify(data)}\n`);
await Promise.all([call("loop"), call("child and loop")]);
