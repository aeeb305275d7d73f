import { createRunScope, type ExecutorOptions, type RunScope, ToolExecutor } from "../../src/execution/index.js";
import type { ToolClass, ToolListener, ToolResult } from "../../src/tool/index.js";

/** Calls one tool as a model would. */
export function caller(tool: ToolClass, options: Partial<ExecutorOptions> = {}, scope: Partial<RunScope> = {}) {
  const executor = new ToolExecutor({ tools: [tool], ...options });
  const run = createRunScope(scope);
  let calls = 0;
  return (input: unknown = {}): Promise<ToolResult> => {
    calls += 1;
    return executor.call({ id: `call_${calls}`, name: tool.identifier, arguments: input as string }, run);
  };
}

/** A listener that keeps all it hears, in order, as `[event, payload]`. */
export function recordingListener() {
  const events: [string, any][] = [];
  const keep = (name: string) => (payload: unknown) => void events.push([name, payload]);
  const listener: ToolListener = {
    toolStarted: keep("toolStarted"),
    toolProgress: keep("toolProgress"),
    toolFinished: keep("toolFinished"),
    lateResult: keep("lateResult"),
    log: keep("log"),
  };
  return { events, listener, of: (name: string) => events.filter(([event]) => event === name).map(([, payload]) => payload) };
}

export const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** The error that a promise rejects with. */
export const rejection = (promise: Promise<unknown>): Promise<any> =>
  promise.then(
    (value) => {
      throw new Error(`Expected a rejection, got ${JSON.stringify(value)}`);
    },
    (error: unknown) => error,
  );
