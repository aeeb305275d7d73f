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
 * Makes agents where none can be injected: in controllers that are made once, in jobs and gateways. Each is a new
 * conversation. A module that imports `ToolwrightModule.forFeature(...)` can inject it.
 *
 * ```ts
 * @Controller("chat")
 * class ChatController {
 *   constructor(private readonly agents: AgentFactory) {}
 *
 *   @Post()
 *   async chat(@Req() request: Request, @Res() response: Response) {
 *     const agent = await this.agents.create(WeatherAgent, request);
 *     await sendEventStream(agent.stream(request.body.prompt), response);
 *   }
 * }
 * ```
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
   * A new agent, made with the services of the module whose `forFeature` lists it. `request`: what the agent answers, which
   * the option `toolContext` is asked about; services with request scope are those of this request. Without one they are
   * the agent's own, and `toolContext` is what `generate` is given.
   *
   * Throws `ToolDefinitionError` where Nest can't know a service, and Nest's own errors where it can't make one.
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
