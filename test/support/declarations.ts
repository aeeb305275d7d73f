import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { repositoryRoot } from "./code-blocks.js";

/**
 * Writes the types of src/ to `folder`, as users get them. A program that imports these is checked in a fraction of the time, because
 * the compiler checks no bodies of src/; `npm run typecheck` does.
 */
export async function writeDeclarations(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  const compiler = join(repositoryRoot, "node_modules/.bin/tsc");
  const options = ["-p", join(repositoryRoot, "tsconfig.build.json"), "--noCheck", "--emitDeclarationOnly", "--outDir", folder];
  await promisify(execFile)(compiler, options);
}
