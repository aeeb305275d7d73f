import type { ExecutorOptions, RunScope } from "../../execution/index.js";

/** What the adapters take, each with the context that its framework gives to tools. */
export interface AdapterOptions<FrameworkContext> extends Pick<ExecutorOptions, "container" | "listeners" | "maxResultBytes"> {
  /**
   * The run that the calls belong to: `toolContext`, `profile`, `tags`, ...
   *
   * A value is one run: its calls share a retry ledger, and the tools that it doesn't permit aren't shown to the model. Make
   * the tools anew for each run then. A function is asked at each call, for tools that are made once. Left out, each call is a
   * run of its own, and tools with `@requires` aren't shown.
   */
  readonly scope?: Partial<RunScope> | ((context: FrameworkContext) => Partial<RunScope>);
}
