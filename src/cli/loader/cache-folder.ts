import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** Where the program keeps what it compiles, beside the packages that a file is installed with; `undefined` if there are none. */
export function cacheFolder(path: string): string | undefined {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const packages = join(folder, "node_modules");
    if (existsSync(packages)) return join(packages, ".cache/toolwright");
    if (folder === dirname(folder)) return undefined;
  }
}
