import nodeModule, { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { MessageChannel } from "node:worker_threads";
import { CommandError } from "../exit-codes.js";
import { compileFile, findSwc, formatOf, isTypeScript } from "./compile-file.js";
import { findSource } from "./find-source.js";
import { type HooksWork, initialize, load, resolve } from "./hooks.js";
import { collectLoadedFiles, type LoadedFile } from "./loaded-files.js";

/** Since Node 22.15: in the same thread, for `import` and `require`. */
type RegisterHooks = (hooks: { resolve: typeof resolve; load: typeof load }) => void;
const { registerHooks } = nodeModule as { readonly registerHooks?: RegisterHooks };

let isRegistered = false;
let imports = false;
let requires = false;

/** Loads a module of the application, TypeScript or not. `hooks`: the URL of hooks.js. Throws `CommandError` if the compiler isn't installed. */
export async function importModule(path: string, hooks: URL): Promise<unknown> {
  if (!isTypeScript(path)) return import(pathToFileURL(path).href);
  refuseWithoutCompiler(path);
  process.setSourceMapsEnabled(true);
  compileForRequire(hooks);
  // Node's `import` gives a CommonJS module a `require` that asks the hooks about each file, in their thread on Node 20.
  if (formatOf(path) === "commonjs") return namespaceOf(createRequire(path)(path));
  compileForImport(hooks);
  return import(pathToFileURL(path).href);
}

function refuseWithoutCompiler(path: string): void {
  try {
    findSwc(path);
  } catch (error) {
    throw new CommandError(
      `${path} is TypeScript, and loading it needs the package @swc/core. Install it: npm install --save-dev @swc/core. Or compile the module, and name the JavaScript file.`,
      undefined,
      { cause: error },
    );
  }
}

/** As `import` gives what a CommonJS module exports: by names, in their order, and as a whole. */
function namespaceOf(exported: unknown): object {
  const members = typeof exported === "object" && exported !== null ? Object.entries(exported) : [];
  members.sort(([first], [second]) => (first < second ? -1 : 1));
  return { ...Object.fromEntries(members), default: exported };
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

function compileForImport(hooks: URL): void {
  if (imports) return;
  imports = true;
  register(hooks, { compiles: true });
}

/** What Node's `require` is made of, which its types don't list. */
interface CommonJs {
  _resolveFilename(request: string, parent: { readonly filename?: string } | undefined, ...others: unknown[]): string;
  readonly _extensions: Record<string, (module: CommonJsModule, path: string) => void>;
}

interface CommonJsModule {
  _compile(source: string, path: string): void;
}

function compileForRequire(hooks: URL): void {
  if (requires) return;
  requires = true;
  const commonJs = nodeModule as unknown as CommonJs;
  findSources(commonJs);
  if (registerHooks === undefined) compileExtensions(commonJs, hooks);
  else compileForImport(hooks);
}

/** Node 20 and 22 ask this function, and no hook, where a file is that a CommonJS module requires. */
function findSources(commonJs: CommonJs): void {
  const resolve = commonJs._resolveFilename;
  commonJs._resolveFilename = (request, parent, ...others) => {
    const importer = parent?.filename === undefined ? undefined : pathToFileURL(parent.filename).href;
    const found = findSource(request, importer);
    return found === undefined ? resolve.call(commonJs, request, parent, ...others) : fileURLToPath(found);
  };
}

function compileExtensions(commonJs: CommonJs, hooks: URL): void {
  for (const ending of [".ts", ".cts", ".mts", ".tsx"]) {
    const otherwise = commonJs._extensions[ending] ?? commonJs._extensions[".js"];
    commonJs._extensions[ending] = (module, path) => {
      if (!isTypeScript(path)) return otherwise?.(module, path);
      const { source, format } = compileFile(path);
      if (format === "module")
        throw new CommandError(
          `${path} is an ES module, and a CommonJS module requires it. Import it with import(), or update Node to 22.15.`,
        );
      // It may import what has to be compiled.
      if (/\bimport\s*\(/.test(source)) compileForImport(hooks);
      module._compile(source, path);
    };
  }
}
