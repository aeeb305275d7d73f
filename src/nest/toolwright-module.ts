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
import { overridingBody } from "./overrides.js";
import { RequestContexts } from "./request-contexts.js";
import { ToolContainer } from "./tool-container.js";
import { ToolwrightCoreModule } from "./toolwright-core-module.js";

/**
 * Tools and agents in a Nest application.
 *
 * ```ts
 * @Module({ imports: [ToolwrightModule.forRoot({ toolContext: (request) => ({ user: request.user }) }), ChatModule] })
 * class AppModule {}
 *
 * @Module({
 *   imports: [ToolwrightModule.forFeature({ tools: [WeatherTool], agents: [WeatherAgent] }), WeatherModule],
 *   controllers: [ChatController],
 * })
 * class ChatModule {}
 *
 * @Controller("chat")
 * class ChatController {
 *   constructor(private readonly agent: WeatherAgent) {}
 *
 *   @Post()
 *   chat(@Body("prompt") prompt: string, @Res() response: Response) {
 *     return sendEventStream(this.agent.stream(prompt), response);
 *   }
 * }
 * ```
 *
 * It adds no routes: prefixes, versions, guards and interceptors are those of your controllers.
 */
@Module({})
export class ToolwrightModule {
  /**
   * What holds for all runs of the application. To be imported once; a second one ends the start of the application. It may be
   * left out: runs have the `toolContext` that `generate` is given then, and no other.
   */
  static forRoot(options: ToolwrightModuleOptions): DynamicModule {
    return root({ provide: moduleOptions, useValue: checkRootOptions(options, "ToolwrightModule.forRoot") });
  }

  /**
   * As `forRoot`, with injected services:
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
   * The tools and agents of the module that imports this, which are made with the services that it sees: its providers and what
   * the modules that it imports export. A missing one ends the start of the application by a `ToolDefinitionError`.
   *
   * Agents can be injected there, and where it is exported (`exports: [ToolwrightModule]`). They have request scope: each
   * request has a conversation of its own. `AgentFactory` makes them where request scope isn't wanted. Among the `providers` of
   * a module users would share them, which ends the start of the application by an `AgentDefinitionError`.
   */
  static forFeature(options: ToolwrightFeatureOptions): DynamicModule {
    checkFeatureOptions(options);
    const { tools = [], agents = [] } = options;
    // Named, because Nest may tell modules apart by what they look like.
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
