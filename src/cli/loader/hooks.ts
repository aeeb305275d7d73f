import type { LoadHook, ResolveHook } from "node:module";
import type { MessagePort } from "node:worker_threads";
import { fileURLToPath } from "node:url";
import { compileFile, isTypeScript } from "./compile-file.js";
import { findSource } from "./find-source.js";
import { isOfApplication, type LoadedFile } from "./loaded-files.js";

// Node calls the same two functions in its own thread (`registerHooks`), or in another one (`register`), where `next` returns promises.

/** Where the files that are loaded are reported. */
let reports: MessagePort | undefined;

/** Node calls it before the others, in their thread. */
export function initialize(port?: MessagePort): void {
  reports = port;
}

/** Leads imports of TypeScript files to them. */
export const resolve: ResolveHook = (specifier, context, next) => {
  const url = findSource(specifier, context.parentURL);
  // Node's own function takes no URL from `require`.
  return url === undefined ? next(specifier, context) : { url, shortCircuit: true };
};

/** Compiles them, and reports the files of the application. */
export const load: LoadHook = (url, context, next) => {
  const path = url.startsWith("file:") ? fileURLToPath(url) : "";
  if (reports !== undefined && isOfApplication(path)) reports.postMessage({ path, at: Date.now() } satisfies LoadedFile);
  return isTypeScript(path) ? { ...compileFile(path), shortCircuit: true } : next(url, context);
};
