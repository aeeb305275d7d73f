import type { Tool, ToolClass, ToolContext } from "../../tool/index.js";
import { isSameTool, originalOf, type ReadyInput } from "../../tool/internal.js";
import type { BoundTool } from "../preparation/prepared-call.js";
import type { Container } from "./container.js";

const stubContainerMark = Symbol.for("toolwright.stubContainer");

/** Code that runs in place of a tool's own. */
export type ToolBody = (ready: ReadyInput, context: ToolContext) => unknown;

/**
 * A container for tests: some tools have another body, and their classes are never constructed. A call is still found, checked,
 * limited, confirmed and recorded by the tool's own definition. `withStubs` of `toolwright/testing` makes it.
 */
export class StubContainer implements Container {
  /** Makes the tools that have no other body. */
  readonly others: Container | undefined;
  /** Whether it was made for a test, in whose own thread isolated tools run. Nest's applications have stubs too. */
  readonly isForTest: boolean;
  readonly #bodies: ReadonlyMap<ToolClass, ToolBody>;

  constructor(bodies: ReadonlyMap<ToolClass, ToolBody>, others: Container | undefined, isForTest = false) {
    this.isForTest = isForTest;
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

  /** The tool with its other body; `undefined` if it has none. */
  bind(toolClass: ToolClass, plan: BoundTool["plan"]): BoundTool | undefined {
    // The stub of a class replaces it under every name that a registry gives it. The stub of a registry's tool replaces that name only.
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

  /** True for one of another copy of the package (ESM beside CommonJS) too. Otherwise the real tool would run. */
  static [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === "object" && value !== null && (value as Record<symbol, unknown>)[stubContainerMark] === true;
  }
}
