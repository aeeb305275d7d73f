import type { Beside } from "../beside.js";

/** The package class-transformer, an optional peer. */
export function loadClassTransformer(beside: Beside): unknown {
  try {
    return require("class-transformer");
  } catch (error) {
    return beside("class-transformer", error);
  }
}

/** The modules that hold what its decorators wrote. */
export function loadTransformerStorages(beside: Beside): readonly unknown[] {
  return [storage(beside)];
}

function storage(beside: Beside): unknown {
  try {
    return require("class-transformer/cjs/storage");
  } catch (error) {
    return beside("class-transformer/cjs/storage", error);
  }
}
