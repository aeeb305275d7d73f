import type { OnModuleDestroy } from "@nestjs/common";
import type { Agent, AgentClass } from "../agent/index.js";
import { aroundRun } from "../agent/internal.js";
import type { Container } from "../execution/index.js";
import { follow, unlessAborted } from "../tool/internal.js";
import type { ToolwrightModuleOptions } from "./module-options.js";

/** The runs of one application: what they are given, and their end when it is shut down. */
export class ApplicationRuns implements OnModuleDestroy {
  readonly #options: ToolwrightModuleOptions;
  readonly #running = new Map<AbortController, Promise<unknown>>();
  #isEnding = false;

  constructor(options: ToolwrightModuleOptions) {
    this.#options = options;
  }

  /** Gives the runs of an agent what the application says of all runs. */
  govern(agent: Agent, container: Container, request: object | undefined): void {
    const { listeners = [], toolContext } = this.#options;
    const own = (agent.constructor as AgentClass).definition.container;
    agent[aroundRun] = (asked, run) =>
      this.#track(asked.abortSignal, async (abortSignal) => {
        // Asked now: guards run after the controller, and an agent that it injects, were made.
        // One that was given is whole: members of who sends this request don't belong into the run of somebody else.
        // A run that is aborted while its user is looked up ends by itself, before anything is done without a context.
        const isAsked = asked.toolContext === undefined && request !== undefined;
        const context = isAsked ? await unlessAborted(() => toolContext?.(request), abortSignal) : asked.toolContext;
        return run({
          ...asked,
          ...(context !== undefined && { toolContext: context }),
          container: asked.container ?? own ?? container,
          listeners: asked.listeners === undefined ? listeners : [...listeners, ...asked.listeners],
          abortSignal,
        });
      });
  }

  /** Ends the runs that are under way, with the outcome `aborted`: before servers wait for their connections, and most services close. */
  async onModuleDestroy(): Promise<void> {
    this.#isEnding = true;
    for (const controller of this.#running.keys()) controller.abort(new ApplicationEnds());
    await Promise.allSettled(this.#running.values());
  }

  async #track<Result>(signal: AbortSignal | undefined, run: (abortSignal: AbortSignal) => Promise<Result>): Promise<Result> {
    const controller = new AbortController();
    if (this.#isEnding) controller.abort(new ApplicationEnds());
    const unfollow = follow(signal, controller);
    const running = run(controller.signal);
    this.#running.set(controller, running);
    try {
      return await running;
    } finally {
      unfollow();
      this.#running.delete(controller);
    }
  }
}

/** The reason of a run's signal when the application shuts down. */
class ApplicationEnds extends Error {
  override readonly name = "ApplicationEnds";

  constructor() {
    super("The application is shutting down.");
  }
}
