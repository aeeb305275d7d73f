import type { LoadHook, ResolveHook } from "node:module";
import { fileURLToPath } from "node:url";
import { compileFile, isTypeScript } from "./compile-file.js";
import { findSource } from "./find-source.js";

// Node calls the same two functions in its own thread (`registerHooks`), or in another one (`register`), where `next` returns promises.

/** Leads imports of TypeScript files to them. */
export const resolve: ResolveHook = (specifier, context, next) => {
  const url = findSource(specifier, context.parentURL);
  // Node's own function takes no URL from `require`.
  return url === undefined ? next(specifier, context) : { url, shortCircuit: true };
};

/** Compiles them. */
export const load: LoadHook = (url, context, next) => {
  const path = url.startsWith("file:") ? fileURLToPath(url) : "";
  return isTypeScript(path) ? { ...compileFile(path), shortCircuit: true } : next(url, context);
};
