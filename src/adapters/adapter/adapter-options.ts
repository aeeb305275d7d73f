import type { ExecutorOptions, RunScope } from "../../execution/index.js";

/** Options of the framework adapters: `toAiSdkTools`, `toLangChainTools` and `toOpenAiAgentsTools`. See docs/13-other-frameworks.md. */
export interface AdapterOptions<FrameworkContext> extends Pick<ExecutorOptions, "container" | "listeners" | "maxResultBytes"> {
  /**
   * The run that the calls belong to: `toolContext`, `profile`, `tags`, ...
   *
   * - An object is one run. Its calls share the retry ledger, and tools that it doesn't permit aren't sent to the model. Make new
   *   tools for each run.
   * - A function is called once per call, so tools can be made once for all runs.
   * - Without it, each call is a run of its own, and tools with `@access` aren't sent to the model.
   */
  readonly scope?: Partial<RunScope> | ((context: FrameworkContext) => Partial<RunScope>);
}
