import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { buildSync } from "esbuild";
import { repositoryRoot } from "./code-blocks.js";

/** Compiles sources into a folder, for processes and threads that a test starts. Other test files may do the same at the same time. */
export function compileSources(folder: string, entryPoints: Readonly<Record<string, string>>, manifest: object = {}): void {
  const { outputFiles } = buildSync({
    entryPoints,
    outdir: folder,
    // The program of isolated tools is looked for beside the folder of the sources.
    chunkNames: "chunks/[name]-[hash]",
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    packages: "external",
    // What comes from CommonJS asks for it.
    banner: { js: 'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);' },
    write: false,
    tsconfigRaw: { compilerOptions: { experimentalDecorators: true } },
    alias: { "typebox/schema": join(repositoryRoot, "build/vendor/typebox-schema.cjs") },
    logLevel: "error",
  });
  place(join(folder, "package.json"), Buffer.from(JSON.stringify({ type: "module", ...manifest })));
  for (const { path, contents } of outputFiles) place(path, contents);
}

function place(path: string, contents: Uint8Array): void {
  if (existsSync(path) && readFileSync(path).equals(contents)) return;
  mkdirSync(dirname(path), { recursive: true });
  const part = `${path}.${process.pid}`;
  writeFileSync(part, contents);
  renameSync(part, path);
}
