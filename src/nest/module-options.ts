import type { FactoryProvider, ModuleMetadata } from "@nestjs/common";
import type { AgentClass, AgentListener, GenerateOptions } from "../agent/index.js";
import type { ToolClass } from "../tool/index.js";

/** Options of `ToolwrightModule.forRoot`, for all runs of a Nest application. See docs/13-other-frameworks.md. */
export interface ToolwrightModuleOptions {
  /** Receive the events of every run, in addition to the listeners that `generate` is given. */
  readonly listeners?: readonly AgentListener[];
  /**
   * Returns the `toolContext` of a run that answers a request. Called after guards, when the run begins, and again when it is
   * resumed, with the request that resumes it. A `toolContext` that `generate` is given replaces it.
   *
   * `request` is what Nest injects as `REQUEST`: the request of Express or Fastify, the context of GraphQL, ...
   */
  readonly toolContext?: (
    // Adapters have requests of their own, and guards add to them.
    // biome-ignore lint/suspicious/noExplicitAny: see above
    request: any,
  ) => GenerateOptions["toolContext"] | Promise<NonNullable<GenerateOptions["toolContext"]>>;
  /**
   * Milliseconds that runs have to reach the end of a step when the application shuts down: they end with the outcome `interrupted`. The
   * others are aborted. Default: 0, all are aborted at once.
   */
  readonly shutdownDeadline?: number;
}

/** Options of `ToolwrightModule.forRootAsync`: a factory with injected services. See docs/13-other-frameworks.md. */
export interface ToolwrightModuleAsyncOptions
  extends Pick<ModuleMetadata, "imports">,
    Pick<FactoryProvider<ToolwrightModuleOptions>, "inject" | "useFactory"> {}

/** Options of `ToolwrightModule.forFeature`: the tools and agents of a module. See docs/13-other-frameworks.md. */
export interface ToolwrightFeatureOptions {
  /** Tools that get the services of this module. Agents of other modules may use them too. */
  readonly tools?: readonly ToolClass[];
  /** Agents that can be injected into controllers and services, and get the services of this module. */
  readonly agents?: readonly AgentClass[];
}

// Found also by another copy of the package (ESM beside CommonJS).
export const moduleOptions = Symbol.for("toolwright.nest.options");
