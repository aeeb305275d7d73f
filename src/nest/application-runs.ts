import type { OnModuleDestroy } from "@nestjs/common";
import type { Agent, AgentClass } from "../agent/index.js";
import { aroundRun } from "../agent/internal.js";
import type { Container } from "../execution/index.js";
import { withinTime } from "../timing/index.js";
import { follow, unlessAborted } from "../tool/internal.js";
import type { ToolwrightModuleOptions } from "./module-options.js";

/** The runs of one application: what they are given, and their end when it is shut down. */
export class ApplicationRuns implements OnModuleDestroy {
  readonly #options: ToolwrightModuleOptions;
  readonly #running = new Map<AbortController, GovernedRun>();
  #isEnding = false;

  constructor(options: ToolwrightModuleOptions) {
    this.#options = options;
  }

  /** Gives the runs of an agent what the application says of all runs. */
  govern(agent: Agent, container: Container, request: object | undefined): void {
    const { listeners = [], toolContext } = this.#options;
    const own = (agent.constructor as AgentClass).definition.container;
    agent[aroundRun] = (asked, run) =>
      this.#track(agent, asked.abortSignal, async (abortSignal) => {
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

  /**
   * Ends the runs that are under way: with the outcome `interrupted` if they reach the end of a step in time, otherwise with `aborted`. It does
   * so before servers wait for their connections, and most services close.
   */
  async onModuleDestroy(): Promise<void> {
    this.#isEnding = true;
    const { shutdownDeadline = 0 } = this.#options;
    const runs = [...this.#running.values()];
    const ended = Promise.allSettled(runs.map(({ running }) => running));
    if (shutdownDeadline > 0) {
      for (const { agent } of runs) agent.interrupt(new ApplicationEnds().message);
      await withinTime(ended, shutdownDeadline);
    }
    for (const controller of this.#running.keys()) controller.abort(new ApplicationEnds());
    await ended;
  }

  async #track<Result>(agent: Agent, signal: AbortSignal | undefined, run: (abortSignal: AbortSignal) => Promise<Result>): Promise<Result> {
    const controller = new AbortController();
    if (this.#isEnding) controller.abort(new ApplicationEnds());
    const unfollow = follow(signal, controller);
    const running = run(controller.signal);
    this.#running.set(controller, { agent, running });
    try {
      return await running;
    } finally {
      unfollow();
      this.#running.delete(controller);
    }
  }
}

interface GovernedRun {
  readonly agent: Agent;
  readonly running: Promise<unknown>;
}

/** The reason of a run's signal when the application shuts down. */
class ApplicationEnds extends Error {
  override readonly name = "ApplicationEnds";

  constructor() {
    super("The application is shutting down.");
  }
}
