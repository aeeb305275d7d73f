import { AsyncLocalStorage } from "node:async_hooks";
import type { ContextId } from "@nestjs/core";
import type { Container } from "../execution/index.js";
import { StubContainer, type ToolBody } from "../execution/internal.js";
import { type ToolClass, ToolDefinitionError } from "../tool/index.js";
import type { AnyClass } from "./dependencies.js";
import type { Feature } from "./feature.js";
import type { RequestContexts } from "./request-contexts.js";
import type { ToolContainer } from "./tool-container.js";

/** All `forFeature` of one application. */
export class Features {
  readonly #all: Feature[] = [];
  readonly #stubs = new Map<ToolClass, ToolBody>();

  add(feature: Feature): void {
    this.#all.push(feature);
  }

  /** Has another body run in place of the tool's own code, in the whole application. */
  stub(tool: ToolClass, body: ToolBody): void {
    this.#stubs.set(tool, body);
  }

  isStubbed(type: AnyClass): boolean {
    return this.#stubs.has(type as ToolClass);
  }

  /** The feature whose services a class is made with: that of a module that lists it, else the one that asks for it. */
  homeOf(type: AnyClass, asking: Feature): Feature {
    const [home, ...others] = this.#all.filter((feature) => feature.lists(type));
    if (home === undefined || [home, ...others].some(({ host }) => host.is(asking.host))) return asking;
    if (others.every(({ host }) => host.is(home.host))) return home;
    const names = [...new Set([home, ...others].map(({ host }) => host.name))].join(" and ");
    throw new ToolDefinitionError(
      `${type.name}: ${names} list it in ToolwrightModule.forFeature, and ${asking.host.name}, which uses it, doesn't, ` +
        `so that it isn't clear whose services it gets. List it in ${asking.host.name}, or in one of the others only.`,
    );
  }

  /** For `asking`, if the code that starts the answer passes the request. */
  toolContainer(asking: Feature, contexts: RequestContexts): ToolContainer {
    const answered = new AsyncLocalStorage<ContextId>();
    const container = this.container(asking, () => answered.getStore() ?? contexts.of(undefined));
    return Object.assign(container, {
      withRequest: <Result>(request: object, work: () => Result): Result => answered.run(contexts.of(request), work),
    });
  }

  /** Makes tools for `asking`; `context` selects the request whose scoped services they get. */
  container(asking: Feature, context: () => ContextId): Container {
    return new StubContainer(this.#stubs, { get: (type: AnyClass) => this.homeOf(type, asking).make(type, context()) });
  }
}
