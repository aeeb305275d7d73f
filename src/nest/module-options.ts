import type { FactoryProvider, ModuleMetadata } from "@nestjs/common";
import type { AgentClass, AgentListener, GenerateOptions } from "../agent/index.js";
import type { ToolClass } from "../tool/index.js";

/** What holds for all runs of a Nest application. */
export interface ToolwrightModuleOptions {
  /** Hear of each run, beside those that `generate` is given. */
  readonly listeners?: readonly AgentListener[];
  /**
   * The `toolContext` of a run that answers a request: asked when the run begins, after guards, and again when it is
   * resumed, of the request that it is resumed by. Runs that are given a `toolContext` have that one alone.
   *
   * `request` is what Nest injects as `REQUEST`: that of Express or Fastify, the context of GraphQL, ...
   */
  readonly toolContext?: (
    // Adapters have requests of their own, and guards add to them.
    // biome-ignore lint/suspicious/noExplicitAny: see above
    request: any,
  ) => GenerateOptions["toolContext"] | Promise<NonNullable<GenerateOptions["toolContext"]>>;
}

/** Options that are made by a factory with injected services. */
export interface ToolwrightModuleAsyncOptions
  extends Pick<ModuleMetadata, "imports">,
    Pick<FactoryProvider<ToolwrightModuleOptions>, "inject" | "useFactory"> {}

/** What a module offers. */
export interface ToolwrightFeatureOptions {
  /** Tools whose services are those of this module. Agents of other modules may use them too. */
  readonly tools?: readonly ToolClass[];
  /** Agents that can be injected into controllers and services, made with the services of this module. */
  readonly agents?: readonly AgentClass[];
}

// Found also by another copy of the package (ESM beside CommonJS).
export const moduleOptions = Symbol.for("toolwright.nest.options");
