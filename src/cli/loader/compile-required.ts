import nodeModule from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { CommandError } from "../exit-codes.js";
import { compileFile, formatOf, isTypeScript } from "./compile-file.js";
import { findSource } from "./find-source.js";
import { noteRequired } from "./loaded-files.js";

/** What Node's `require` is made of, which its types don't list. */
interface CommonJs {
  _resolveFilename(request: string, parent: Importer | undefined, isMain?: boolean, options?: { readonly paths?: unknown }): string;
  readonly _extensions: Record<string, Extension>;
}

interface Importer {
  readonly filename?: string;
}

type Extension = (module: CommonJsModule, path: string) => void;

interface CommonJsModule {
  /** `format` since Node 20.19 and 22.12; before, another argument is in its place. */
  _compile(source: string, path: string, format?: "module" | "commonjs"): void;
}

/** Lets `require` find and compile TypeScript. Where Node has `registerHooks`, they load the ES modules that are required. */
export function compileRequired(): void {
  const commonJs = nodeModule as unknown as CommonJs;
  findSources(commonJs);
  compileSources(commonJs);
}

/** Node 20 and 22 ask this function, and no hook, where a file is that a CommonJS module requires. */
function findSources(commonJs: CommonJs): void {
  const resolve = commonJs._resolveFilename;
  commonJs._resolveFilename = (request, parent, isMain, options) => {
    const importer = parent?.filename === undefined ? undefined : pathToFileURL(parent.filename).href;
    const found = options?.paths === undefined ? findSource(request, importer) : undefined;
    return found === undefined ? resolve.call(commonJs, request, parent, isMain, options) : fileURLToPath(found);
  };
}

function compileSources({ _extensions: extensions }: CommonJs): void {
  const { ".js": ofNode } = extensions;
  for (const ending of [".ts", ".cts", ".mts", ".tsx"]) {
    const otherwise = extensions[ending] ?? ofNode;
    extensions[ending] = (module, path) => {
      if (!isTypeScript(path)) return otherwise?.(module, path);
      noteRequired(path);
      if (formatOf(path) === "module" && "registerHooks" in nodeModule) return ofNode?.(module, path);
      const { source, format } = compileFile(path);
      const { require_module: requiresModules } = process.features as { readonly require_module?: boolean };
      if (format === "module" && requiresModules !== true) {
        throw new CommandError(
          `${path} is an ES module, and a CommonJS module requires it. Import it with import(), or update Node to 22.15.`,
        );
      }
      module._compile(source, path, requiresModules === true ? format : undefined);
    };
  }
}
