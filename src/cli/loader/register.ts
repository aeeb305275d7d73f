import nodeModule from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { MessageChannel } from "node:worker_threads";
import { CommandError } from "../exit-codes.js";
import { isTypeScript, findSwc } from "./compile-file.js";
import { findSource } from "./find-source.js";
import { type HooksWork, initialize, load, resolve } from "./hooks.js";
import { collectLoadedFiles, type LoadedFile } from "./loaded-files.js";

/** Since Node 22.15: in the same thread, for `import` and `require`. */
type RegisterHooks = (hooks: { resolve: typeof resolve; load: typeof load }) => void;

let isRegistered = false;
let compiles = false;

/** Lets Node load TypeScript, if the file is TypeScript. `hooks`: the URL of hooks.js. Throws `CommandError` if the compiler isn't installed. */
export async function loadsTypeScript(path: string, hooks: URL): Promise<void> {
  if (!isTypeScript(path)) return;
  try {
    findSwc(path);
  } catch (error) {
    throw new CommandError(
      `${path} is TypeScript, and loading it needs the package @swc/core. Install it: npm install --save-dev @swc/core. Or compile the module, and name the JavaScript file.`,
      undefined,
      { cause: error },
    );
  }
  if (compiles) return;
  compiles = true;
  process.setSourceMapsEnabled(true);
  register(hooks, { compiles });
  resolveForRequire();
}

/** Returns a function that lists the application's files that were loaded since. `hooks`: the URL of hooks.js. To be called before any module is loaded. */
export function recordLoadedFiles(hooks: URL): () => readonly LoadedFile[] {
  const { port1, port2 } = new MessageChannel();
  register(hooks, { reports: port2 });
  return collectLoadedFiles(port1);
}

function register(hooks: URL, work: HooksWork): void {
  const { registerHooks } = nodeModule as { readonly registerHooks?: RegisterHooks };
  if (registerHooks === undefined) {
    nodeModule.register(hooks, { data: work, transferList: work.reports === undefined ? [] : [work.reports] });
    return;
  }
  initialize(work);
  if (!isRegistered) registerHooks({ resolve, load });
  isRegistered = true;
}

/** Node 20 and 22 ask this function, and no hook, where a file is that an imported CommonJS module requires. */
interface CommonJsResolver {
  _resolveFilename(request: string, parent: { readonly filename?: string } | undefined, ...others: unknown[]): string;
}

function resolveForRequire(): void {
  // Node's types don't list it.
  const resolver = nodeModule as unknown as CommonJsResolver;
  const original = resolver._resolveFilename;
  resolver._resolveFilename = (request, parent, ...others) => {
    const importer = parent?.filename === undefined ? undefined : pathToFileURL(parent.filename).href;
    const found = findSource(request, importer);
    return found === undefined ? original.call(resolver, request, parent, ...others) : fileURLToPath(found);
  };
}
