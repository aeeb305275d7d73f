import { describeFaults, fail, type Result, succeed } from "../../schema/index.js";
import type { ToolClass } from "../../tool/index.js";
import { isToolResponse, planOf } from "../../tool/internal.js";
import { messageOfThrown } from "./failure.js";
import { readData } from "./read-data.js";
import { toJson } from "./returned-value.js";

/**
 * Checks a return value against a tool's output schema, as a call does. Returns the data of the result, or an error message.
 *
 * The value is converted to JSON first, so a `Date` fits `@returns(Date)`. A tool without an output schema accepts any JSON. See
 * docs/02-tools.md.
 */
export function validateToolOutput(tool: ToolClass, output: unknown): Result<unknown, string> {
  if (isToolResponse(output) && output.kind === "failure") return fail(`the tool failed: ${String(output.value)}`);
  const { name } = tool.definition;
  try {
    const asJson = (value: unknown) => toJson(value, Number.POSITIVE_INFINITY, name);
    const { data } = asJson(isToolResponse(output) ? output.value : output);
    const { readOutput } = planOf(tool);
    if (readOutput === undefined) return succeed(data);
    const read = readData(data, readOutput, asJson);
    return read.ok ? succeed(read.value.data) : fail(describeFaults(read.error, "output"));
  } catch (error) {
    // Bytes, a stream and an iterator have no form in JSON.
    return fail(messageOfThrown(error));
  }
}
