import { type DynamicModule, Module, type Provider, Scope } from "@nestjs/common";
import { ModulesContainer, REQUEST } from "@nestjs/core";
import { AgentFactory } from "./agent-factory.js";
import { ApplicationRuns } from "./application-runs.js";
import { checkAsyncOptions, checkFeatureOptions, checkRootOptions } from "./check-module-options.js";
import { Feature } from "./feature.js";
import { Features } from "./features.js";
import {
  moduleOptions,
  type ToolwrightFeatureOptions,
  type ToolwrightModuleAsyncOptions,
  type ToolwrightModuleOptions,
} from "./module-options.js";
import { RequestContexts } from "./request-contexts.js";
import { ToolContainer } from "./tool-container.js";
import { ToolwrightCoreModule } from "./toolwright-core-module.js";
import type { ToolBody } from "../execution/internal.js";
import { type ToolClass, ToolDefinitionError } from "../tool/index.js";

/**
 * Adds tools and agents to a Nest application.
 *
 * - once: `ToolwrightModule.forRoot({ toolContext: (request) => ({ user: request.user }) })`
 * - per module: `ToolwrightModule.forFeature({ tools: [WeatherTool], agents: [WeatherAgent] })`
 * - in a controller: `constructor(private readonly agent: WeatherAgent) {}`
 *
 * It adds no routes: use your own controllers, with their prefixes, versions, guards and interceptors. See
 * docs/13-other-frameworks.md.
 */
@Module({})
export class ToolwrightModule {
  /**
   * Sets options for all runs of the application. Import it at most once; a second import stops the application at its start.
   * Without it, a run's `toolContext` is only what you pass to `generate`.
   */
  static forRoot(options: ToolwrightModuleOptions): DynamicModule {
    return root({ provide: moduleOptions, useValue: checkRootOptions(options, "ToolwrightModule.forRoot") });
  }

  /**
   * Like `forRoot`, with injected services:
   *
   * ```ts
   * ToolwrightModule.forRootAsync({ imports: [AuditModule], inject: [AuditListener], useFactory: (audit) => ({ listeners: [audit] }) });
   * ```
   */
  static forRootAsync(options: ToolwrightModuleAsyncOptions): DynamicModule {
    checkAsyncOptions(options);
    const { imports = [], inject = [], useFactory } = options;
    const make = async (...services: readonly unknown[]) =>
      checkRootOptions(await useFactory(...services), "ToolwrightModule.forRootAsync, by its useFactory");
    return root({ provide: moduleOptions, inject, useFactory: make }, imports);
  }

  /**
   * Registers the tools and agents of the importing module. They get the services that this module sees: its providers, and what
   * its imports export. A missing service stops the application at its start with a `ToolDefinitionError`.
   *
   * Agents can be injected in this module, and in modules that import it if it exports `ToolwrightModule`. They are request-scoped:
   * each request has its own conversation. Use `AgentFactory` if request scope isn't wanted. Don't list agents as `providers`:
   * users would share a conversation, so the application stops at its start with an `AgentDefinitionError`.
   */
  static forFeature(options: ToolwrightFeatureOptions): DynamicModule {
    checkFeatureOptions(options);
    const { tools = [], agents = [] } = options;
    // Named, because Nest may distinguish modules by their content.
    const token = Symbol(`toolwright feature ${(features += 1)}`);
    const listed = [...new Set(tools)];
    const offered = [...new Set(agents)];
    return {
      module: ToolwrightModule,
      imports: [ToolwrightCoreModule],
      providers: [
        // What tests override.
        ...listed.map((tool) => ({ provide: tool, useValue: tool })),
        {
          provide: token,
          inject: [Features, ModulesContainer, ...listed],
          useFactory: (all: Features, modules: ModulesContainer, ...provided: unknown[]) => {
            for (const [index, tool] of listed.entries()) {
              const body = overridingBody(tool, provided[index]);
              if (body !== undefined) all.stub(tool, body);
            }
            return new Feature(token, listed, offered, all, modules);
          },
        },
        {
          provide: AgentFactory,
          inject: [token, Features, ApplicationRuns, RequestContexts],
          useFactory: (feature: Feature, all: Features, runs: ApplicationRuns, contexts: RequestContexts) =>
            new AgentFactory(feature, { features: all, runs, contexts }),
        },
        {
          provide: ToolContainer,
          inject: [token, Features, RequestContexts],
          useFactory: (feature: Feature, all: Features, contexts: RequestContexts) => all.toolContainer(feature, contexts),
        },
        ...offered.map((agent) => ({
          provide: agent,
          scope: Scope.REQUEST,
          inject: [AgentFactory, REQUEST],
          useFactory: (factory: AgentFactory, request: object | undefined) => factory.create(agent, request),
        })),
      ],
      exports: [AgentFactory, ToolContainer, ...offered],
    };
  }
}

/** How many features there are in this process. */
let features = 0;

const root = (options: Provider<ToolwrightModuleOptions>, imports: ToolwrightModuleAsyncOptions["imports"] = []): DynamicModule => ({
  module: ToolwrightModule,
  global: true,
  imports: [ToolwrightCoreModule, ...imports],
  providers: [options],
  exports: [moduleOptions],
});

/**
 * The fake that a test put in a tool's place by `overrideProvider(WeatherTool).useValue(stubTool(WeatherTool, ...))`;
 * `undefined` if it is the tool still. Throws `ToolDefinitionError` for anything else.
 */
function overridingBody(tool: ToolClass, provided: unknown): ToolBody | undefined {
  if (provided === tool) return undefined;
  const stub = provided as { readonly tool?: unknown; readonly body?: unknown } | null | undefined;
  if (stub?.tool === tool && typeof stub.body === "function") return stub.body as ToolBody;
  throw new ToolDefinitionError(
    `${tool.name}: it was overridden by something that is no stub of it. ` +
      `Write overrideProvider(${tool.name}).useValue(stubTool(${tool.name}, () => "..."));`,
  );
}
