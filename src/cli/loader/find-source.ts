import { existsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createPathsMatcher } from "get-tsconfig";
import { isTypeScript } from "./compile-file.js";
import { tsconfigOf } from "./tsconfig.js";

type PathsMatcher = ReturnType<typeof createPathsMatcher>;

const matchers = new Map<string, PathsMatcher>();

/**
 * The URL of the TypeScript file that an import of one means: `./tool.js` and `./tool` are `./tool.ts`, a folder is its index, and names may
 * come from "paths" of tsconfig.json. `undefined` if Node finds it by itself.
 */
export function findSource(specifier: string, importer: string | undefined): string | undefined {
  if (importer === undefined || !importer.startsWith("file:")) return undefined;
  const from = fileURLToPath(importer);
  if (!isTypeScript(from)) return undefined;
  const candidates = /^\.{1,2}(\/|$)/.test(specifier) ? [resolve(dirname(from), specifier)] : mappedBy(from, specifier);
  for (const candidate of candidates) {
    const found = fileOf(candidate);
    if (found !== undefined) return pathToFileURL(found).href;
  }
  return undefined;
}

function mappedBy(from: string, specifier: string): readonly string[] {
  if (/^([a-z]+:|#|\/)/.test(specifier)) return [];
  const tsconfig = tsconfigOf(from);
  if (tsconfig === undefined) return [];
  let matcher = matchers.get(tsconfig.path);
  if (matcher === undefined) {
    matcher = createPathsMatcher(tsconfig);
    matchers.set(tsconfig.path, matcher);
  }
  return matcher?.(specifier) ?? [];
}

const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile();

const written: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\.js$/, [".ts", ".tsx"]],
  [/\.mjs$/, [".mts"]],
  [/\.cjs$/, [".cts"]],
];

function fileOf(path: string): string | undefined {
  if (isFile(path)) return path;
  const replaced = written.flatMap(([ending, sources]) => (ending.test(path) ? sources.map((source) => path.replace(ending, source)) : []));
  const added = [".ts", ".tsx", ".mts", ".cts", ".js", "/index.ts", "/index.tsx", "/index.js"].map((ending) => path + ending);
  return [...replaced, ...added].find(isFile);
}
