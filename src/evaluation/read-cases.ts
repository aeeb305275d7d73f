import { checkCase, type EvaluationCase } from "./evaluation-case.js";
import { EvaluationError } from "./evaluation-error.js";

/**
 * Reads cases from the text of a JSON Lines file: one case a line; empty lines are skipped.
 *
 * `readCases(await readFile("cases.jsonl", "utf8"), "cases.jsonl")`
 *
 * `name` stands in error messages. Throws `EvaluationError` for a line that is no JSON or no case, with its number. See
 * docs/29-evaluation.md.
 */
export function readCases(text: string, name = "cases"): readonly EvaluationCase[] {
  const lines = text.replace(/^\uFEFF/, "").split("\n");
  return lines.flatMap((line, index) =>
    line.trim() === "" ? [] : [checkCase(parse(line, `${name} line ${index + 1}`), `${name} line ${index + 1}`)],
  );
}

function parse(line: string, place: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new EvaluationError(`${place}: it is no JSON (${(error as Error).message}). Each line is one case, as one JSON object.`, {
      cause: error,
    });
  }
}
