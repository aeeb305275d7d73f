import { existsSync, readFileSync } from "node:fs";
import { extname, resolve } from "node:path";
import { type EvaluationCase, EvaluationError, type EvaluationReport, readCases } from "../../evaluation/index.js";
import { checkCase } from "../../evaluation/internal.js";
import { UsageError } from "../exit-codes.js";
import type { Host } from "../host.js";
import { loadModules } from "../modules/load-modules.js";
import { readableMembers } from "../modules/readable-members.js";

/** The cases of a file: JSON Lines, a JSON list, or a module that exports a list. */
export async function casesIn(name: string, host: Host): Promise<readonly EvaluationCase[]> {
  const cases = await readFrom(name, host);
  if (cases.length > 0) return cases;
  throw new UsageError(`${name} has no case. Write at least one, such as { "prompt": "...", "expect": { "calls": [] } }.`);
}

async function readFrom(name: string, host: Host): Promise<readonly EvaluationCase[]> {
  const ending = extname(name);
  if (ending === ".jsonl" || ending === ".ndjson") return usable(() => readCases(readText(name, host), name));
  if (ending === ".json") return checkAll(parse(readText(name, host), name), name);
  const [module] = await loadModules([name], {}, host);
  const lists = readableMembers(module?.exported ?? {}).flatMap(([, value]) => (Array.isArray(value) ? [value as readonly unknown[]] : []));
  if (lists.length !== 1)
    throw new UsageError(`${name} exports ${lists.length} lists: export one, the cases: export const cases: EvaluationCase[] = [...].`);
  return checkAll(lists[0], name);
}

/** The report that an earlier evaluation printed with `--json`. */
export function reportIn(name: string, host: Host): EvaluationReport {
  const report = parse(readText(name, host), name) as EvaluationReport | null;
  if (report?.version === 1 && Array.isArray(report.results)) return report;
  throw new UsageError(`--baseline: ${name} isn't a report. Write one with: toolwright eval ... --out ${name}.`);
}

function checkAll(list: unknown, name: string): readonly EvaluationCase[] {
  if (!Array.isArray(list)) throw new UsageError(`${name} must hold a list of cases.`);
  return usable(() => list.map((one, index) => checkCase(one, `${name}, case ${index + 1}`)));
}

/** A mistake in the cases is one of the person who gave them. */
function usable<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw error instanceof EvaluationError ? new UsageError(error.message) : error;
  }
}

function readText(name: string, { directory }: Host): string {
  const file = resolve(directory, name);
  if (!existsSync(file)) throw new UsageError(`There is no file ${name} in ${directory}.`);
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`${name} can't be read: ${(error as Error).message}`);
  }
}

function parse(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${name} is no JSON: ${(error as Error).message}`);
  }
}
