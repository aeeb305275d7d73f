import type { InjectionToken, OnModuleInit } from "@nestjs/common";
import type { ContextId, ModulesContainer } from "@nestjs/core";
import type { AgentClass } from "../agent/index.js";
import { type ToolClass, ToolDefinitionError } from "../tool/index.js";
import { originalOf } from "../tool/internal.js";
import { type AnyClass, type Dependency, dependenciesOf } from "./dependencies.js";
import type { Features } from "./features.js";
import { HostModule } from "./host-module.js";
import { refuseSharedInstances } from "./start-check.js";

/** One `forFeature`: the tools and agents of the module that imports it. */
export class Feature implements OnModuleInit {
  readonly #tools: ReadonlySet<ToolClass>;
  readonly #agents: ReadonlySet<AgentClass>;
  readonly #features: Features;
  readonly #modules: ModulesContainer;
  readonly #token: symbol;
  readonly #checked = new WeakSet<AnyClass>();
  #host: HostModule | undefined;

  /** `token`: what Nest knows the feature by. */
  constructor(token: symbol, tools: Iterable<ToolClass>, agents: Iterable<AgentClass>, features: Features, modules: ModulesContainer) {
    this.#token = token;
    this.#tools = new Set([...tools].map(originalOf));
    this.#agents = new Set(agents);
    this.#features = features;
    this.#modules = modules;
    features.add(this);
  }

  lists(type: AnyClass): boolean {
    return this.#tools.has(type as ToolClass) || this.#agents.has(type as AgentClass);
  }

  /** Found when it is needed: while Nest makes the features, modules may still be exchanged. */
  get host(): HostModule {
    if (this.#host !== undefined) return this.#host;
    const host = new HostModule(this.#modules, this.#token);
    // Nest has no event for modules that are loaded lazily.
    refuseSharedInstances(this.#modules);
    this.#host = host;
    return host;
  }

  /** Reads the definitions and looks for the services, so that mistakes end the start of the application. */
  onModuleInit(): void {
    for (const { definition } of this.#tools) void definition;
    // What another container makes, or a stub stands for, wants nothing of Nest.
    const attached = [...this.#agents].flatMap(({ definition: { tools, container } }) =>
      typeof tools === "function" || container !== undefined ? [] : tools.map(originalOf),
    );
    for (const type of new Set<AnyClass>([...this.#tools, ...this.#agents, ...attached])) {
      if (!this.#features.isStubbed(type)) this.#features.homeOf(type, this).#check(type);
    }
  }

  /** A new instance, with the services of the host; those with request scope are the ones of `context`. */
  make(type: AnyClass, context: ContextId): Promise<object> {
    this.#check(type);
    return this.host.reference.create(type, context);
  }

  /** Nest would pass undefined, or the services of a parent, if it doesn't know a type. */
  #check(type: AnyClass): void {
    if (this.#checked.has(type)) return;
    const missing = dependenciesOf(type).find(({ token }) => !this.host.sees(token));
    if (missing !== undefined) throw new ToolDefinitionError(`${type.name}: ${whatIsMissing(missing, this.host.name)}`);
    this.#checked.add(type);
  }
}

function whatIsMissing({ token, place }: Dependency, host: string): string {
  const name = typeof token === "function" ? token.name : String(token);
  if (nameless.has(token)) {
    return (
      `${place} is declared as an interface, a union or a primitive, which leaves only ${name}. ` +
      "Declare a class, or name the provider: @Inject(TOKEN)."
    );
  }
  return `${host} has no ${name} for ${place}. Add it to the providers of ${host}, or import a module that exports it.`;
}

/** What compilers emit for types that are no classes. */
const nameless: ReadonlySet<InjectionToken> = new Set<InjectionToken>([Object, String, Number, Boolean, Symbol, BigInt, Function, Array]);
