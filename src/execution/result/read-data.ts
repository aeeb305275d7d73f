import { type Fault, type Result, succeed } from "../../schema/index.js";
import { integerReadings, keepDigits } from "../../schema/internal.js";
import type { ToolPlan } from "../../tool/internal.js";

interface JsonData {
  readonly data: unknown;
  readonly size: number;
}

/**
 * Data as the output schema reads it. In data, a long integer is the text of its digits, which keeps it whole; the schema asks for an
 * integer. `toJson`: the schema may make a value of another kind.
 */
export function readData(
  data: unknown,
  readOutput: NonNullable<ToolPlan["readOutput"]>,
  toJson: (output: unknown) => JsonData,
): Result<JsonData, readonly Fault[]> {
  const read = readOutput(data);
  if (read.ok) return succeed(toJson(read.value));
  // Other texts of digits stay texts.
  for (const candidate of integerReadings(data, read.error)) {
    const again = readOutput(candidate);
    if (again.ok) return succeed({ data: keepDigits(toJson(again.value).data, data), size: Number.POSITIVE_INFINITY });
  }
  return read;
}
