import { type OnModuleInit, Scope } from "@nestjs/common";
import type { ModulesContainer } from "@nestjs/core";
import { AgentDefinitionError } from "../agent/index.js";
import { isAgentClass } from "../agent/internal.js";
import { ToolDefinitionError } from "../tool/index.js";
import { isToolClass } from "../tool/internal.js";
import { AgentFactory } from "./agent-factory.js";
import type { Module } from "./host-module.js";
import { moduleOptions } from "./module-options.js";

type Provider = Module["providers"] extends Map<unknown, infer Value> ? Value : never;

/** Ends the start of an application whose modules can't mean what they say. */
export class StartCheck implements OnModuleInit {
  readonly #modules: ModulesContainer;

  constructor(modules: ModulesContainer) {
    this.#modules = modules;
  }

  onModuleInit(): void {
    refuseSecondRoot(this.#modules);
    refuseSharedInstances(this.#modules);
  }
}

/**
 * Throws if Nest would make one agent for several requests, or one tool for several calls. Of what a factory of the
 * application makes, it sees what is made once. An instance under `useValue` is meant to be one.
 */
export function refuseSharedInstances(modules: ModulesContainer): void {
  for (const module of modules.values()) {
    // A feature's own providers are none of these, unless a test overrode them.
    if (module.providers.has(AgentFactory)) continue;
    for (const provider of module.providers.values()) {
      // The target of an alias is checked at its own provider.
      if (!provider.isAlias) refuseShared(provider, module.name);
    }
  }
}

function refuseShared(provider: Provider, module: string): void {
  const type = typeOf(provider);
  if (isAgentClass(type) && (provider.scope !== Scope.REQUEST || provider.durable === true)) {
    throw new AgentDefinitionError(
      `${type.name}: ${placeOf(provider, type, module)}, so that requests share one, and users read each other's messages: ` +
        "an agent is one conversation. Take it out of the providers, and give the class to the module's imports: " +
        `ToolwrightModule.forFeature({ agents: [${type.name}] }). Each request then has its own. ` +
        `If a test or a script is one conversation, provide an instance: { provide: ${type.name}, useValue: agent }.`,
    );
  }
  if (isToolClass(type) && !provider.isTransient) {
    throw new ToolDefinitionError(
      `${type.name}: ${placeOf(provider, type, module)}, so that calls share one: a tool holds the arguments of its call. ` +
        "Take it out of the providers, and give the class to the module's imports: " +
        `ToolwrightModule.forFeature({ tools: [${type.name}] }). Each call then has its own.`,
    );
  }
}

function placeOf({ token }: Provider, type: { readonly name: string }, module: string): string {
  if (token === type) return `it is a provider of ${module}`;
  return `the provider ${typeof token === "function" ? token.name : String(token)} of ${module} is one`;
}

/** The class of what Nest or a factory makes, as far as it is made; nothing for an instance that it was given. */
function typeOf({ isNotMetatype, metatype, instance }: Provider): unknown {
  // Nest keeps a factory here, and nothing for an instance.
  if (!isNotMetatype || !metatype) return metatype;
  // The prototype's, because a proxy may refuse to be read before there is a request.
  return typeof instance === "object" && instance !== null ? Object.getPrototypeOf(instance)?.constructor : undefined;
}

function refuseSecondRoot(modules: ModulesContainer): void {
  // The importing module isn't known: Nest makes every module import a global one.
  const { length } = [...modules.values()].filter(({ providers }) => providers.has(moduleOptions));
  if (length > 1) {
    throw new ToolDefinitionError(
      `ToolwrightModule.forRoot is imported ${length} times, and only one would take effect. ` +
        "It holds for the whole application: import it once, in the application's first module, with all options.",
    );
  }
}
