import { deny } from "../../../src/confirmation/index.js";
import { createRunScope, ToolExecutor } from "../../../src/execution/index.js";
import { toLangChainTools } from "../../../src/adapters/langchain/index.js";
import {
  createTool,
  failure,
  ToolAuthorizationError,
  type ToolClass,
  type ToolErrorType,
  type ToolResult,
} from "../../../src/tool/index.js";
import "../../../src/isolation/index.js";
import { DoInProcess } from "../../isolation/modules/tools.js";
import { compileTools } from "../../isolation/support.js";
import { type Examples, errorOf, type Known, type Met } from "./example.js";
import { denied, nameShared } from "./registries.js";
import { agentWith, pausedState, RefundTool, toolThat, WeatherTool } from "./subjects.js";

const run = (name: string, input: unknown, tools: readonly ToolClass[] = [WeatherTool, RefundTool]): Promise<Met> =>
  errorOf(() => new ToolExecutor({ tools }).run(name, input));

/** Calls a tool of LangChain, as code does. */
const invoke = (toolClass: ToolClass, input: Record<string, unknown>): Promise<Met> =>
  errorOf(() => toLangChainTools([toolClass])[0]?.invoke(input));

/** The result of one call, or of the last of several in one run. */
async function callOf(name: string, input: Record<string, unknown>, tools: readonly ToolClass[] = [WeatherTool], times = 1): Promise<Met> {
  const executor = new ToolExecutor({ tools });
  const scope = createRunScope();
  for (let earlier = 1; earlier < times; earlier += 1) await executor.call({ id: `call_0${earlier}`, name, arguments: input }, scope);
  return metIn(await executor.call({ id: "call_1", name, arguments: input }, scope));
}

function metIn({ error, errorType }: ToolResult): Met {
  if (error === undefined) throw new Error("The call didn't fail.");
  return { name: errorType, message: error };
}

const overloaded = () => Promise.reject(new Error("API rate limit exceeded"));
const count = createTool({
  name: "count",
  description: "Counts the open orders. Use when the user asks how many there are.",
  inputSchema: { type: "object" },
  outputSchema: { type: "object", properties: { orders: { type: "integer" } }, required: ["orders"] },
  execute: () => ({ orders: "twelve" }),
});
const slow = toolThat(() => new Promise(() => undefined), 20);
const limited = createTool({
  name: "search",
  description: "Searches. Use when the user looks for something.",
  inputSchema: { type: "object" },
  rateLimit: { calls: 1, period: 60_000, whenExceeded: "reject" },
  execute: () => "found",
});
const refusing = toolThat(() => {
  throw new ToolAuthorizationError("search", "The plan of this account has no search.");
});

const restart = createTool({
  name: "restart",
  description: "Restarts a server. Use when an operator asks for it.",
  inputSchema: { type: "object" },
  access: { roles: ["operator"] },
  execute: () => "restarted",
});

/** What `ToolExecutor.run` throws, and a tool of its own accord. */
export const callingErrors: Examples<
  | "ToolError"
  | "ToolNotFoundError"
  | "ToolValidationError"
  | "ToolInputValidationError"
  | "ToolOutputValidationError"
  | "ToolExecutionError"
  | "ToolAuthorizationError"
  | "ToolTimeoutError"
  | "ToolInterrupt"
  | "ToolFailureError"
> = {
  ToolError: [() => run("wether", { city: "Paris" })],
  ToolNotFoundError: [() => run("wether", { city: "Paris" }), nameShared],
  ToolValidationError: [() => run("weather", { city: "Paris", days: 3 })],
  ToolInputValidationError: [() => run("weather", {})],
  ToolOutputValidationError: [() => run("count", {}, [count])],
  ToolExecutionError: [() => run("search", {}, [toolThat(overloaded)])],
  ToolAuthorizationError: [() => run("search", {}, [refusing]), () => run("restart", {}, [restart]), denied],
  ToolTimeoutError: [() => run("search", {}, [slow])],
  ToolInterrupt: [() => run("refund", { order: "A-17" }), () => invoke(RefundTool, { order: "A-17" })],
  ToolFailureError: [() => invoke(WeatherTool, {})],
};

/** The `errorType` of a failed result. */
export const errorTypes: Examples<Known<ToolErrorType>> = {
  unknown_tool: [() => callOf("wether", {})],
  unauthorized: [() => callOf("search", {}, [refusing])],
  validation_error: [() => callOf("weather", { city: 7, days: 3 })],
  confirmation_denied: [
    async () => {
      const response = await agentWith(["I won't."]).resume(await pausedState(), { decisions: [deny("call_1", "Too much.")] });
      const { errorType = "", content = "" } = response.steps[0]?.toolCalls[0] ?? {};
      return { name: errorType, message: content };
    },
  ],
  cancelled: [
    async () => {
      const executor = new ToolExecutor({ tools: [WeatherTool] });
      const scope = createRunScope({ abortSignal: AbortSignal.abort() });
      return metIn(await executor.call({ id: "call_1", name: "weather", arguments: { city: "Paris" } }, scope));
    },
  ],
  timeout_error: [() => callOf("search", {}, [slow])],
  execution_error: [
    () => callOf("search", {}, [toolThat(overloaded)]),
    () => {
      compileTools();
      return callOf("do_in_process", { what: "exit" }, [DoInProcess]);
    },
    () => callOf("search", {}, [toolThat(() => failure("No results."))]),
    () => callOf("search", {}, [toolThat(() => ({ pages: [{ scan: Buffer.from("hi") }] }))]),
  ],
  unhandled_error: [() => callOf("search", {}, [toolThat(() => Promise.reject(undefined))])],
  output_validation_error: [() => callOf("count", {}, [count])],
  retries_exhausted: [() => callOf("search", {}, [toolThat(overloaded)], 4)],
  limit_exceeded: [() => callOf("search", {}, [limited], 2)],
};
