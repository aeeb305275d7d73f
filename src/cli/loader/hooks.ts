import type { LoadHook, ResolveHook } from "node:module";
import type { MessagePort } from "node:worker_threads";
import { fileURLToPath } from "node:url";
import { compileFile, isTypeScript } from "./compile-file.js";
import { findSource } from "./find-source.js";
import { isOfApplication, type LoadedFile } from "./loaded-files.js";

// Node calls the same two functions in its own thread (`registerHooks`), or in another one (`register`), where `next` returns promises.

/** What the hooks do besides letting Node load a file. */
export interface HooksWork {
  /** Where the files that are loaded are reported. */
  readonly reports?: MessagePort;
  /** Whether TypeScript is found and compiled. */
  readonly compiles?: boolean;
}

let work: HooksWork = {};

/** Node calls it in the thread of the hooks each time that they are registered. They do what any registration asked for. */
export function initialize(added: HooksWork): void {
  work = { ...work, ...added };
}

/** Leads imports of TypeScript files to them. */
export const resolve: ResolveHook = (specifier, context, next) => {
  const url = work.compiles === true ? findSource(specifier, context.parentURL) : undefined;
  // Node's own function takes no URL from `require`.
  return url === undefined ? next(specifier, context) : { url, shortCircuit: true };
};

/** Compiles them, and reports the files of the application. */
export const load: LoadHook = (url, context, next) => {
  const path = url.startsWith("file:") ? fileURLToPath(url) : "";
  if (isOfApplication(path)) work.reports?.postMessage({ path, at: Date.now() } satisfies LoadedFile);
  return work.compiles === true && isTypeScript(path) ? { ...compileFile(path), shortCircuit: true } : next(url, context);
};
