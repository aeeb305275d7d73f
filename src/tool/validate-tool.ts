import { describeFaults, fail, type Result, succeed } from "../schema/index.js";
import { inheritanceFault } from "../schema/internal.js";
import { planOf } from "./definition/make-tool-plan.js";
import type { ToolClass } from "./tool-class.js";
import type { InputReading } from "./definition/tool-plan.js";

/**
 * Checks arguments against a tool's parameters and all rules on its fields, without repairs. Returns them with defaults, or an
 * error message.
 *
 * A tool with asynchronous rules needs `validateToolInputAsync`. See docs/02-tools.md.
 */
export function validateToolInput(tool: ToolClass, input: unknown): Result<Record<string, unknown>, string> {
  const reading = planOf(tool).readInput(input, strict);
  if (reading instanceof Promise) {
    reading.catch(() => undefined);
    throw new TypeError(`${tool.identifier} has asynchronous validation rules: use await validateToolInputAsync(tool, input).`);
  }
  return inputResult(reading, input);
}

/** Like `validateToolInput`, for tools with asynchronous rules too. See docs/02-tools.md. */
export async function validateToolInputAsync(tool: ToolClass, input: unknown): Promise<Result<Record<string, unknown>, string>> {
  return inputResult(await planOf(tool).readInput(input, strict), input);
}

const strict = { owned: false, repair: false } as const;

function inputResult(reading: InputReading, input: unknown): Result<Record<string, unknown>, string> {
  if (!reading.ok) return fail(describeFaults(reading.error, "arguments"));
  const fault = inheritanceFault(input);
  return fault === undefined ? succeed(reading.value.input) : fail(fault);
}
