import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { keptOrCompiled } from "./kept-files.js";
import { type CompilerOptions, compilerOptionsFor } from "./tsconfig.js";

/** The form in which Node runs a file. */
export type ModuleFormat = "module" | "commonjs";

export interface CompiledFile {
  readonly source: string;
  readonly format: ModuleFormat;
}

/** The part of `@swc/core` that is used, which isn't installed with the package. */
interface Swc {
  transformSync(source: string, options: object): { readonly code: string };
}

/** Whether a file is the application's own TypeScript. */
export const isTypeScript = (path: string): boolean => /\.[cm]?tsx?$/.test(path) && !/[\\/]node_modules[\\/]/.test(path);

/** The place of the compiler: beside the application, or beside this package. Throws Node's error if it is in neither. */
export function findSwc(application: string): string {
  try {
    return createRequire(application).resolve("@swc/core");
  } catch {
    return createRequire(import.meta.url).resolve("@swc/core");
  }
}

/** What swc writes for the type of a member whose class may be missing. It throws while the class isn't made yet, as in files that import each other. */
const emittedType = /typeof ([\w$.]{1,200}) === "undefined" \? Object : \1/g;

/** The compiler is loaded for the first file that has changed. */
function compile(source: string, path: string, options: object): string {
  const compiler = findSwc(path);
  const { version } = JSON.parse(readFileSync(join(dirname(compiler), "package.json"), "utf8")) as { readonly version: string };
  return keptOrCompiled(path, [source, JSON.stringify(options), version, emittedType.source], () => {
    const { transformSync } = createRequire(import.meta.url)(compiler) as Swc;
    // The compiler of TypeScript gives `undefined` then.
    return transformSync(source, options).code.replace(emittedType, "(() => { try { return $1 ?? Object } catch { return Object } })()");
  });
}

/** Compiles one file as its tsconfig.json says: with the types that legacy decorators read, or with standard decorators. */
export function compileFile(path: string): CompiledFile {
  const options = compilerOptionsFor(path);
  const format = formatOf(path);
  const source = compile(readFileSync(path, "utf8"), path, {
    filename: path,
    configFile: false,
    swcrc: false,
    sourceMaps: "inline",
    module: {
      // As ES modules, with `import x = require("x")`.
      type: format === "module" ? "nodenext" : "commonjs",
      ignoreDynamic: true,
      noInterop: !interoperates(path, options),
      // Node reads the names of the exports from it, for ES modules that import them.
      exportInteropAnnotation: true,
    },
    jsc: {
      target: "es2022",
      keepClassNames: true,
      parser: { syntax: "typescript", tsx: path.endsWith("x"), decorators: true },
      // Node wants `with { type: "json" }`.
      experimental: { keepImportAttributes: true },
      transform:
        options.experimentalDecorators === true
          ? {
              legacyDecorator: true,
              decoratorMetadata: options.emitDecoratorMetadata === true,
              useDefineForClassFields: definesFields(options),
            }
          : { decoratorVersion: "2023-11", useDefineForClassFields: definesFields(options) },
    },
  });
  return { source, format };
}

/** TypeScript's default: what ES2022 and later do. */
const definesFields = ({ useDefineForClassFields, target }: CompilerOptions): boolean =>
  useDefineForClassFields ?? (target === undefined || /^es(next|20(2[2-9]|[3-9]\d))$/i.test(target));

/** Whether `import * as` is a copy of what a CommonJS module exports. TypeScript's default since 6, and for modules that aren't compiled to CommonJS. */
function interoperates(path: string, { esModuleInterop, module }: CompilerOptions): boolean {
  if (esModuleInterop !== undefined) return esModuleInterop;
  if (module?.toLowerCase() !== "commonjs") return true;
  try {
    const { version } = createRequire(path)("typescript/package.json") as { readonly version: string };
    return Number.parseInt(version, 10) >= 6;
  } catch {
    return true;
  }
}

/** As Node and the compiler decide: by the ending, by "type" of package.json, else by what the compiler would write. */
export function formatOf(path: string): ModuleFormat {
  if (/\.mtsx?$/.test(path)) return "module";
  if (/\.ctsx?$/.test(path)) return "commonjs";
  const type = packageTypeOf(dirname(path));
  if (type !== undefined) return type;
  const { module } = compilerOptionsFor(path);
  return module === undefined || /^(es|preserve)/i.test(module) ? "module" : "commonjs";
}

const typeOfFolder = new Map<string, ModuleFormat | undefined>();

function packageTypeOf(folder: string): ModuleFormat | undefined {
  if (typeOfFolder.has(folder)) return typeOfFolder.get(folder);
  const file = join(folder, "package.json");
  const parent = dirname(folder);
  const type = existsSync(file) ? typeIn(file) : parent === folder ? undefined : packageTypeOf(parent);
  typeOfFolder.set(folder, type);
  return type;
}

function typeIn(file: string): ModuleFormat | undefined {
  const { type } = JSON.parse(readFileSync(file, "utf8")) as { readonly type?: unknown };
  return type === "module" || type === "commonjs" ? type : undefined;
}
