/** Loads a package by Node's own resolution; undefined if it isn't there. `error` is what failed before. */
export type Beside = (name: string, error: unknown) => unknown;

/** The `require` of this file, or of the bundle that holds it. What stands for it in ES modules, scripts/build.mjs says. */
export const nodeRequire = (): NodeJS.Require => require;

/** What Node and bundlers say of a `require` whose package isn't there. */
const notThere = /^(Cannot find module|Could not resolve|Dynamic require of|require is not defined|No such module)/;

const isMissing = (error: unknown): boolean =>
  error instanceof Error && ((error as NodeJS.ErrnoException).code === "MODULE_NOT_FOUND" || notThere.test(error.message));

/**
 * What a file in peers/ calls if the `require` that a bundler sees has failed: the package may lie beside the bundle. Throws what
 * another failure threw, such as a package that is there and can't be loaded.
 */
export const beside: Beside = (name, error) => {
  if (!isMissing(error)) throw error;
  try {
    return nodeRequire()(name);
  } catch (failure) {
    // Some runtimes have no place to look from.
    if (isMissing(failure) || (failure as NodeJS.ErrnoException).code === "ERR_INVALID_ARG_VALUE") return undefined;
    throw failure;
  }
};

/** The CommonJS modules that Node has loaded, by path; undefined if the runtime keeps no such list. */
export function loadedModules(): NodeJS.Dict<NodeJS.Module> | undefined {
  try {
    return nodeRequire().cache;
  } catch {
    return undefined;
  }
}
