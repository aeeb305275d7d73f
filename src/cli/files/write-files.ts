import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CommandError, UsageError } from "../exit-codes.js";

/** Texts by their paths in a folder. */
export type Files = Readonly<Record<string, string>>;

/** Writes all files, or none: throws `UsageError` if one is there already, and takes back what it wrote if one can't be written. */
export function writeFiles(folder: string, files: Files): void {
  const paths = Object.keys(files);
  const present = paths.filter((path) => existsSync(join(folder, path)));
  if (present.length > 0) {
    throw new UsageError(`${present.join(", ")} would be written over in ${folder}. Choose an empty folder, or move what is there.`);
  }
  const written: string[] = [];
  try {
    for (const path of paths) {
      const file = join(folder, path);
      mkdirSync(dirname(file), { recursive: true });
      written.push(file);
      writeFileSync(file, files[path] ?? "", { flag: "wx" });
    }
  } catch (error) {
    for (const file of written) rmSync(file, { force: true });
    throw new CommandError(`The files couldn't be written, and none is left: ${(error as Error).message}`, undefined, { cause: error });
  }
}
