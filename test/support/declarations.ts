import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { repositoryRoot } from "./code-blocks.js";

const kept = join(repositoryRoot, "build/declarations");

/**
 * A folder with the types of src/ in `src`, as users get them. A program that imports these is checked in a fraction of the time, because
 * the compiler checks no bodies of src/; `npm run typecheck` does. The folder stays until src/, a package or the options change.
 */
export async function declarationsOfSource(): Promise<string> {
  const sources = ["package-lock.json", "tsconfig.json", "tsconfig.build.json", ...filesOf("src")];
  const folder = join(kept, hashOf(sources.map((file) => `${file}\n${readFileSync(join(repositoryRoot, file), "utf8")}`)));
  if (existsSync(folder)) return folder;
  rmSync(kept, { recursive: true, force: true });
  mkdirSync(kept, { recursive: true });
  // Two tests may get here at the same time: each writes a folder of its own, and the first becomes the one that stays.
  const own = mkdtempSync(join(kept, "new-"));
  const options = ["-p", join(repositoryRoot, "tsconfig.build.json"), "--noCheck", "--emitDeclarationOnly", "--outDir", join(own, "src")];
  await promisify(execFile)(join(repositoryRoot, "node_modules/.bin/tsc"), options);
  try {
    renameSync(own, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    rmSync(own, { recursive: true });
  }
  return folder;
}

/** What a compiler found in files that import from `folder`, the declarations. It runs again only if the inputs changed. */
export async function foundOnce<Found>(folder: string, inputs: readonly string[], compile: () => Promise<Found>): Promise<Found> {
  const file = join(folder, `${hashOf(inputs)}.json`);
  if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8")) as Found;
  const found = await compile();
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, JSON.stringify(found));
  renameSync(unfinished, file);
  return found;
}

/** The files below a folder, as paths from the root of the repository. */
export const filesOf = (folder: string): readonly string[] =>
  readdirSync(join(repositoryRoot, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(repositoryRoot, join(entry.parentPath, entry.name)))
    .sort();

const hashOf = (texts: readonly string[]): string => createHash("sha256").update(JSON.stringify(texts)).digest("hex").slice(0, 16);
