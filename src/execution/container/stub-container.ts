import type { Tool, ToolClass, ToolContext } from "../../tool/index.js";
import { isSameTool, originalOf, type ReadyInput } from "../../tool/internal.js";
import type { BoundTool } from "../preparation/prepared-call.js";
import type { Container } from "./container.js";

const stubContainerMark = Symbol.for("toolwright.stubContainer");

/** What runs in place of a tool's own code. */
export type ToolBody = (ready: ReadyInput, context: ToolContext) => unknown;

/**
 * A container of tests: some tools have another body, and their classes are never constructed. All else stays: a call
 * is found, checked, limited, confirmed and recorded by the tool's own definition. `withStubs` of `toolwright/testing` makes it.
 */
export class StubContainer implements Container {
  /** Makes the tools that have no other body. */
  readonly others: Container | undefined;
  readonly #bodies: ReadonlyMap<ToolClass, ToolBody>;

  constructor(bodies: ReadonlyMap<ToolClass, ToolBody>, others: Container | undefined) {
    this.#bodies = bodies;
    this.others = others;
  }

  // Containers type `get` by generics of their own: see `Container`.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  get(type: any): any {
    if (this.others !== undefined) return this.others.get(type);
    if (type.length === 0) return new type();
    throw new TypeError(
      `the constructor of ${type.name} wants services, and there is no container to take them from. Stub it, or give withStubs a container.`,
    );
  }

  /** What an executor is to hold of the tool where it has another body. */
  bind(toolClass: ToolClass, plan: BoundTool["plan"]): BoundTool | undefined {
    // A stub of a tool stands for it under whatever name a registry gives it, one of a registry's tool for that name alone.
    const named = [...this.#bodies].find(([stubbed]) => isSameTool(stubbed, toolClass));
    const body = named === undefined ? this.#bodies.get(originalOf(toolClass)) : named[1];
    if (body === undefined) return undefined;
    return {
      toolClass,
      definition: plan.definition,
      plan: { ...plan, inspect: undefined, run: (_instance, ready, context) => body(ready, context) },
      construct: () => Object.create(toolClass.prototype as object) as Tool,
    };
  }

  get [stubContainerMark](): true {
    return true;
  }

  /** Holds for one of another copy of the package (ESM beside CommonJS) too: else the real tool would run. */
  static [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === "object" && value !== null && (value as Record<symbol, unknown>)[stubContainerMark] === true;
  }
}
