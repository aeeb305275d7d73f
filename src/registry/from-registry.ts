import { SharedSetting } from "../execution/internal.js";
import type { ToolClass } from "../tool/index.js";
import type { ToolRegistry, ToolSelection } from "./tool-registry.js";

const sharedRegistry = new SharedSetting<ToolRegistry>();

/** Names the registry that `fromRegistry` takes tools from, for runs that are asked for from now on. `undefined` takes it away. */
export function useRegistry(registry: ToolRegistry | undefined): void {
  sharedRegistry.value = registry;
}

/**
 * Tools of the registry that was given to `useRegistry`, looked up at the start of each run: an agent's class may be defined
 * before the registry is. Selects as `registry.select` does.
 *
 * ```ts
 * @usesTools(fromRegistry("billing/*"))
 * class BillingAgent extends Agent {}
 * ```
 *
 * Where a process has several registries, ask the right one: `@usesTools(({ tenant }) => registryOf(tenant).select("billing/*"))`.
 * A run throws `TypeError` where there is no registry, and what `select` throws.
 */
export function fromRegistry(selection: ToolSelection): () => readonly ToolClass[] {
  // The same list as long as the registry is the same: agents keep what they made of it.
  let latest: { readonly registry: ToolRegistry; readonly tools: readonly ToolClass[] } | undefined;
  return () => {
    const registry = sharedRegistry.value;
    if (registry === undefined) {
      throw new TypeError(
        `fromRegistry(${JSON.stringify(selection)}): there is no registry. Call useRegistry(createRegistry({ ... })) before the run.`,
      );
    }
    if (latest?.registry !== registry) latest = { registry, tools: registry.select(selection) };
    return latest.tools;
  };
}
