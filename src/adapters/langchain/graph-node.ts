import { setImmediate } from "node:timers/promises";
import type { RunnableConfig } from "@langchain/core/runnables";
import { isInterrupt } from "../../tool/internal.js";

/**
 * A node of a LangGraph graph while it runs. A node that is interrupted runs again from its start, with all of its calls: so
 * none of them may run before all are decided.
 */
export class GraphNode {
  #undecided = 0;
  #interrupt: unknown;
  readonly #waiting: (() => void)[] = [];
  #unnamed = 0;

  /** An id for a call that no model made: the same when the node runs again and calls in the same order. */
  nextId(): string {
    this.#unnamed += 1;
    return `call_${this.#unnamed}`;
  }

  /** Decides about one of the node's calls. */
  async decide<Decided>(decide: () => Promise<Decided>): Promise<Decided> {
    this.#undecided += 1;
    try {
      return await decide();
    } catch (error) {
      if (isInterrupt(error)) this.#interrupt ??= error;
      throw error;
    } finally {
      this.#undecided -= 1;
      if (this.#undecided === 0) for (const goOn of this.#waiting.splice(0)) goOn();
    }
  }

  /** Waits until all of the node's calls are decided. Throws the interrupt of the first that waits for a person. */
  async allDecided(): Promise<void> {
    // The node begins its calls one right after the other: in the next turn of the event loop all are there.
    await setImmediate();
    while (this.#undecided > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    if (this.#interrupt !== undefined) throw this.#interrupt;
  }
}

const nodes = new WeakMap<object, GraphNode>();

/** The node that a call belongs to; undefined if none could be interrupted: outside of a graph, or without a checkpointer. */
export function graphNodeOf(config: RunnableConfig | undefined): GraphNode | undefined {
  // What LangGraph's own `interrupt` looks at. The first is one object for each time that a node runs.
  const { __pregel_scratchpad: scratchpad, __pregel_checkpointer: checkpointer } = config?.configurable ?? {};
  if (typeof scratchpad !== "object" || scratchpad === null || !checkpointer) return undefined;
  let node = nodes.get(scratchpad);
  if (node === undefined) nodes.set(scratchpad, (node = new GraphNode()));
  return node;
}
