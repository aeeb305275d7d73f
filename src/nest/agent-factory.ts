import type { AgentClass } from "../agent/index.js";
import type { ApplicationRuns } from "./application-runs.js";
import type { Feature } from "./feature.js";
import type { Features } from "./features.js";
import type { RequestContexts } from "./request-contexts.js";

/** What all factories of an application share. */
export interface ApplicationParts {
  readonly features: Features;
  readonly runs: ApplicationRuns;
  readonly contexts: RequestContexts;
}

/**
 * Creates agents in classes that can't have an agent injected: singleton controllers, jobs and gateways. Each agent is a new
 * conversation.
 *
 * ```ts
 * const agent = await this.agents.create(WeatherAgent, request);
 * await sendEventStream(agent.stream(request.body.prompt), response);
 * ```
 *
 * Inject it (`constructor(private readonly agents: AgentFactory) {}`) in modules that import `ToolwrightModule.forFeature(...)`.
 * See docs/13-other-frameworks.md.
 */
export class AgentFactory {
  readonly #feature: Feature;
  readonly #application: ApplicationParts;

  /** @internal */
  constructor(feature: Feature, application: ApplicationParts) {
    this.#feature = feature;
    this.#application = application;
  }

  /**
   * Creates an agent with the services of the module whose `forFeature` lists it.
   *
   * - With a `request`: request-scoped services are those of this request, and the module's option `toolContext` is called with it.
   * - Without one: the agent has its own request-scoped services, and `toolContext` is what you pass to `generate`.
   *
   * Throws `ToolDefinitionError` if Nest doesn't know a service, and Nest's own errors if it can't create one.
   */
  async create<Class extends AgentClass>(agentClass: Class, request?: object): Promise<InstanceType<Class>> {
    const { features, runs, contexts } = this.#application;
    const home = features.homeOf(agentClass, this.#feature);
    const context = contexts.of(request);
    // Nest makes what it is given the class of.
    const agent = (await home.make(agentClass, context)) as InstanceType<Class>;
    runs.govern(
      agent,
      features.container(home, () => context),
      request,
    );
    return agent;
  }
}
