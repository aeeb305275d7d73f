import { readFileSync } from "node:fs";
import { UsageError } from "../exit-codes.js";

/** The value in a JSON file. Throws `UsageError` if there is none. */
export function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new UsageError(`${file} can't be read as JSON: ${(error as Error).message}`);
  }
}
