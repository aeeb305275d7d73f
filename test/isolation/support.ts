import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { buildSync } from "esbuild";
import { repositoryRoot } from "../support/code-blocks.js";

/** Where the threads and processes of the tests find the tools of this folder, compiled. */
export const compiledTools = join(repositoryRoot, "build/test/isolation");

/** Compiles the sources and the tools for them. Other test files do the same at the same time. */
export function compileTools(): void {
  const { outputFiles } = buildSync({
    entryPoints: {
      "isolation/far-side": join(repositoryRoot, "src/isolation/far-side.ts"),
      ...Object.fromEntries(modules.map((name) => [name, join(__dirname, `modules/${name}.ts`)])),
    },
    outdir: compiledTools,
    // The program of threads and processes is looked for beside the folder of the sources.
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
  place(join(compiledTools, "package.json"), Buffer.from('{ "type": "module" }'));
  for (const { path, contents } of outputFiles) place(path, contents);
}

const modules = ["tools", "services", "throws-at-load", "services-without-container", "stdio-server", "busy-application"];

function place(path: string, contents: Uint8Array): void {
  if (existsSync(path) && readFileSync(path).equals(contents)) return;
  mkdirSync(dirname(path), { recursive: true });
  const part = `${path}.${process.pid}`;
  writeFileSync(part, contents);
  renameSync(part, path);
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
