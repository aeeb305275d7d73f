import { planOf } from "../../tool/internal.js";
import type { ToolClass } from "../../tool/index.js";
import type { Checked } from "../api.js";

/** Every fault of arguments, by the rules that a call checks. Nothing of the tool runs but its validation. */
export async function checkArguments(tool: ToolClass, given: Record<string, unknown>): Promise<Checked> {
  const reading = await planOf(tool).readInput(given, { owned: false, repair: false });
  if (reading.ok) return { faults: [], input: reading.value.input };
  return { faults: reading.error.map(({ path, message }) => ({ path, message })) };
}
