import { describeFaults, fail, type Result, succeed } from "../../schema/index.js";
import type { ToolClass } from "../../tool/index.js";
import { isToolResponse, planOf } from "../../tool/internal.js";
import { messageOfThrown } from "../failure.js";
import { toJson } from "./returned-value.js";

/**
 * Checks what a tool returns against its output schema, as a call does: it becomes JSON first, so that a `Date` fits
 * `@returns(Date)`. Any JSON fits a tool without output schema. The value is the result's data.
 */
export function validateToolOutput(tool: ToolClass, output: unknown): Result<unknown, string> {
  if (isToolResponse(output) && output.kind === "failure") return fail(`the tool failed: ${String(output.value)}`);
  const { name } = tool.definition;
  try {
    const { data } = toJson(isToolResponse(output) ? output.value : output, Number.POSITIVE_INFINITY, name);
    const { readOutput } = planOf(tool);
    if (readOutput === undefined) return succeed(data);
    const read = readOutput(data);
    return read.ok ? succeed(toJson(read.value, Number.POSITIVE_INFINITY, name).data) : fail(describeFaults(read.error, "output"));
  } catch (error) {
    // Bytes, a stream and an iterator have no form in JSON.
    return fail(messageOfThrown(error));
  }
}
