import { join } from "node:path";
import { repositoryRoot } from "../support/code-blocks.js";
import { compileSources } from "../support/compile-sources.js";

/** Where the threads and processes of the tests find the tools of this folder, compiled. */
export const compiledTools = join(repositoryRoot, "build/test/isolation");

/** Compiles the sources and the tools for them. */
export function compileTools(): void {
  compileSources(compiledTools, {
    "isolation/far-side": join(repositoryRoot, "src/isolation/far-side.ts"),
    ...Object.fromEntries(modules.map((name) => [name, join(__dirname, `modules/${name}.ts`)])),
  });
}

const modules = ["tools", "services", "throws-at-load", "services-without-container", "stdio-server", "busy-application"];

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
