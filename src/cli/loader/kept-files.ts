import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { cacheFolder } from "./cache-folder.js";

/**
 * The compiled code of a file, as node_modules/.cache of the application keeps it, else as `compile` returns it, which is kept then.
 * `inputs`: all that the code depends on. There is one entry for each file, and where none can be written nothing is kept.
 */
export function keptOrCompiled(path: string, inputs: readonly string[], compile: () => string): string {
  const entry = entryOf(path);
  const digest = digestOf(...inputs);
  const kept = entry && readEntry(entry);
  if (kept?.startsWith(digest) === true) return kept.slice(digest.length);
  const code = compile();
  if (entry !== undefined) writeEntry(entry, digest + code);
  return code;
}

function entryOf(path: string): string | undefined {
  const folder = cacheFolder(path);
  return folder && join(folder, "compiled", digestOf(path));
}

const digestOf = (...texts: readonly string[]): string => createHash("sha256").update(JSON.stringify(texts)).digest("hex");

function readEntry(entry: string): string | undefined {
  try {
    return readFileSync(entry, "utf8");
  } catch {
    return undefined;
  }
}

/** By a rename: several processes may load the same file. */
function writeEntry(entry: string, text: string): void {
  const written = `${entry}.${process.pid}`;
  try {
    mkdirSync(dirname(entry), { recursive: true });
    writeFileSync(written, text);
    renameSync(written, entry);
  } catch {
    // A read-only folder, or a full disk: the file is compiled again next time.
  }
}
