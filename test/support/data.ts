import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { dataFolder } from "./data-folder.cjs";

/** The absolute path of a data file or folder (`"hostile/args.json"`), or `undefined` if it is absent. */
export function dataFile(name: string): string | undefined {
  const path = resolve(dataFolder, name);
  return existsSync(path) ? path : undefined;
}

/** The items of a JSON Lines file; empty lines are passed over. The caller says what the items look like. */
export function readJsonLines<Item>(path: string): readonly Item[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line) as Item);
}

/** Reads a JSON file. The caller says what it holds. */
export const readJson = <Content>(path: string): Content => JSON.parse(readFileSync(path, "utf8")) as Content;

/**
 * A `describe` for tests that need data files: given their absolute paths, or skipped with a notice if one is absent.
 *
 * ```ts
 * describeData(["hostile/args.json"], (path) => {
 *   for (const { text, outcome } of readJson<HostileArguments[]>(path)) it(...);
 * });
 * ```
 */
export function describeData<const Names extends readonly [string, ...string[]]>(
  names: Names,
  tests: (...paths: { [Index in keyof Names]: string }) => void,
): void {
  const absent = names.filter((name) => dataFile(name) === undefined);
  if (absent.length === 0) {
    describe(names.join(", "), () => tests(...(names.map((name) => resolve(dataFolder, name)) as { [Index in keyof Names]: string })));
    return;
  }
  const notice = `skipped: ${absent.join(", ")} not found in ${dataFolder} (unset TOOLWRIGHT_DATA for the subset in test/data)`;
  process.stderr.write(`${notice}\n`);
  // biome-ignore lint/suspicious/noSkippedTests: a folder named by TOOLWRIGHT_DATA may lack some of the files, and the tests say so
  it.skip(notice, () => undefined);
}
