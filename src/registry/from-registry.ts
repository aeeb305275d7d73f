import { SharedSetting } from "../execution/internal.js";
import type { ToolClass } from "../tool/index.js";
import type { ToolRegistry, ToolSelection } from "./tool-registry.js";

const sharedRegistry = new SharedSetting<ToolRegistry>();

/**
 * Sets the registry that `fromRegistry` takes tools from, for runs that start from now on. `undefined` removes it. See
 * docs/09-registries.md.
 */
export function useRegistry(registry: ToolRegistry | undefined): void {
  sharedRegistry.value = registry;
}

/**
 * Takes tools from the registry that `useRegistry` set, at the start of each run: `@usesTools(fromRegistry("billing/*"))`.
 *
 * The agent's class can be defined before the registry. The argument is the same as for `registry.select`. If a process has several
 * registries, use the right one: `@usesTools(({ tenant }) => registryOf(tenant).select("billing/*"))`.
 *
 * The run throws `TypeError` if no registry is set, and the errors of `select`. See docs/09-registries.md.
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
