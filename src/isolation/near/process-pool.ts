import type { FarCall } from "../messages.js";
import { Child } from "./child.js";
import { farSideFile } from "./far-side-file.js";
import { type Caller, mostAtOnce, type Pool, type SentCall } from "./pool.js";

const pools = new Map<string, ProcessPool>();

/** The processes that keep these variables of the application's environment. */
export function poolOfProcesses(environment: readonly string[]): Pool {
  const key = JSON.stringify([...environment].sort());
  let pool = pools.get(key);
  if (pool === undefined) pools.set(key, (pool = new ProcessPool(environment)));
  return pool;
}

/** A call in a process, or in the queue. */
interface Entry {
  readonly call: FarCall;
  readonly caller: Caller;
  child: Child | undefined;
}

class ProcessPool implements Pool {
  readonly #environment: readonly string[];
  readonly #children = new Set<Child>();
  /** Those of the children that aren't ready yet. */
  readonly #starting = new Set<Child>();
  /** The one that was used last is used next, so that others become old. */
  readonly #idle: Child[] = [];
  readonly #queue: Entry[] = [];

  constructor(environment: readonly string[]) {
    this.#environment = environment;
  }

  run(call: FarCall, caller: Caller): SentCall {
    const entry: Entry = { call, caller, child: undefined };
    const idle = this.#idle.pop();
    if (idle !== undefined) {
      this.#give(idle, entry);
    } else {
      this.#queue.push(entry);
      this.#startFor(call);
    }
    return {
      send: (message) => {
        if (entry.child !== undefined) entry.child.send(message);
        else if (message.kind === "abort") this.#leaveQueue(entry);
      },
      kill: () => {
        if (entry.child === undefined) this.#leaveQueue(entry);
        else entry.child.kill();
      },
      close: () => {
        if (entry.child !== undefined) this.#free(entry.child);
      },
    };
  }

  /** Starts a process for a call in the queue, unless enough of them start or there are enough. */
  #startFor({ module }: FarCall): void {
    if (this.#starting.size >= this.#queue.length || this.#children.size >= mostAtOnce()) return;
    const child = new Child(farSideFile(module), this.#environment, {
      ready: () => {
        this.#starting.delete(child);
        this.#free(child);
      },
      ended: (_child, reason, caller) => this.#ended(child, reason, caller),
    });
    this.#children.add(child);
    this.#starting.add(child);
  }

  #give(child: Child, entry: Entry): void {
    entry.child = child;
    try {
      child.run(entry.call, entry.caller);
    } catch (error) {
      entry.caller.lost(error as Error);
      this.#free(child);
    }
  }

  #free(child: Child): void {
    if (!this.#children.has(child)) return;
    const next = this.#queue.shift();
    if (next !== undefined) {
      this.#give(child, next);
      return;
    }
    child.rest();
    this.#idle.push(child);
  }

  #ended(child: Child, reason: Error, caller: Caller | undefined): void {
    this.#children.delete(child);
    const place = this.#idle.indexOf(child);
    if (place !== -1) this.#idle.splice(place, 1);
    // A process that can't start would be started again for ever.
    const hasFailedToStart = this.#starting.delete(child);
    const lost = hasFailedToStart ? this.#queue.shift()?.caller : caller;
    lost?.lost(reason);
    const [next] = this.#queue;
    if (next !== undefined) this.#startFor(next.call);
  }

  #leaveQueue(entry: Entry): void {
    const place = this.#queue.indexOf(entry);
    if (place !== -1) this.#queue.splice(place, 1);
  }
}
