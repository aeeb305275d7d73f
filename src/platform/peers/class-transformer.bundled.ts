import type { Beside } from "../beside.js";

// What stands for class-transformer.ts in a bundle. A bundler takes the package's files for `import`, and some take others than Node
// does: the decorators wrote to the storage of those files.

export function loadClassTransformer(beside: Beside): unknown {
  try {
    return require("class-transformer");
  } catch (error) {
    return beside("class-transformer", error);
  }
}

export function loadTransformerStorages(beside: Beside): readonly unknown[] {
  return [importedStorage(), requiredStorage(beside)];
}

function importedStorage(): unknown {
  try {
    return require("class-transformer/esm5/storage");
  } catch {
    return undefined;
  }
}

function requiredStorage(beside: Beside): unknown {
  try {
    return require("class-transformer/cjs/storage");
  } catch (error) {
    return beside("class-transformer/cjs/storage", error);
  }
}
