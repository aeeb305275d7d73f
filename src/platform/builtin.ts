import { nodeRequire } from "./beside.js";

/**
 * A module of Node, loaded when it is first needed: a bundle for the edge mustn't import what its runtime lacks. Before Node 20.16 only
 * `require` loads it at once.
 */
export const builtin = ((name: string): unknown =>
  process.getBuiltinModule?.(name) ?? nodeRequire()(name)) as typeof process.getBuiltinModule;
