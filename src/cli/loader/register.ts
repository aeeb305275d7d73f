import { realpathSync } from "node:fs";
import nodeModule, { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { MessageChannel } from "node:worker_threads";
import { CommandError } from "../exit-codes.js";
import { findSwc, formatOf, isTypeScript } from "./compile-file.js";
import { isPlain, readableMembers } from "../modules/readable-members.js";
import { compileRequired } from "./compile-required.js";
import { type HooksWork, initialize, load, resolve } from "./hooks.js";
import { collectLoadedFiles, type LoadedFile } from "./loaded-files.js";

/** Since Node 22.15: in the same thread, for `import` and `require`. */
type RegisterHooks = (hooks: { resolve: typeof resolve; load: typeof load }) => void;
const { registerHooks } = nodeModule as { readonly registerHooks?: RegisterHooks };

let isRegistered = false;
let compiles = false;

/** Loads a module of the application, TypeScript or not. `hooks`: the URL of hooks.js. Throws `CommandError` if the compiler isn't installed. */
export async function importModule(path: string, hooks: URL): Promise<unknown> {
  // Node loads what a link leads to.
  const file = realpathSync(path);
  if (!isTypeScript(file)) return import(pathToFileURL(file).href);
  refuseWithoutCompiler(path, file);
  compileTypeScript(hooks);
  // Node's `import` gives a CommonJS module a `require` that asks the hooks about each file, in their thread on Node 20.
  return formatOf(file) === "commonjs" ? namespaceOf(createRequire(file)(file)) : import(pathToFileURL(file).href);
}

function compileTypeScript(hooks: URL): void {
  if (compiles) return;
  compiles = true;
  process.setSourceMapsEnabled(true);
  compileRequired();
  register(hooks, { compiles });
}

function refuseWithoutCompiler(path: string, file: string): void {
  try {
    findSwc(file);
  } catch (error) {
    throw new CommandError(
      `${path} is TypeScript, and loading it needs the package @swc/core. Install it: npm install --save-dev @swc/core. Or compile the module, and name the JavaScript file.`,
      undefined,
      { cause: error },
    );
  }
}

/** What a CommonJS module exports, by its names in their order, as `import` has it. */
function namespaceOf(exported: unknown): object {
  if (typeof exported !== "object" || exported === null || !isPlain(exported)) return { default: exported };
  const members = [...readableMembers(exported)].sort(([first], [second]) => (first < second ? -1 : 1));
  return Object.fromEntries(members);
}

/** Returns a function that lists the application's files that were loaded since. `hooks`: the URL of hooks.js. To be called before any module is loaded. */
export function recordLoadedFiles(hooks: URL): () => readonly LoadedFile[] {
  const { port1, port2 } = new MessageChannel();
  register(hooks, { reports: port2 });
  return collectLoadedFiles(port1);
}

function register(hooks: URL, work: HooksWork): void {
  if (registerHooks === undefined) {
    nodeModule.register(hooks, { data: work, transferList: work.reports === undefined ? [] : [work.reports] });
    return;
  }
  initialize(work);
  if (!isRegistered) registerHooks({ resolve, load });
  isRegistered = true;
}
