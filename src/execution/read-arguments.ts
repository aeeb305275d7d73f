import { checkArgumentsValue, fail, parseArgumentsText } from "../schema/index.js";
import type { InputReading } from "../tool/index.js";
import type { BoundTool } from "./prepared-call.js";

const ownedInput = { owned: true, repair: true } as const;
const foreignInput = { owned: false, repair: true } as const;

/** Reads the arguments of a call, text or object, against the tool's parameters. Throws only what a rule of the tool throws. */
export function readArguments({ plan }: BoundTool, value: unknown): InputReading | Promise<InputReading> {
  if (typeof value === "string") {
    const parsed = parseArgumentsText(value);
    if (!parsed.ok) return fail([{ path: "", message: parsed.error.message, keyword: parsed.error.code }]);
    return plan.readInput(parsed.value, ownedInput);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    const kind = value === null ? "null" : Array.isArray(value) ? "an array" : typeof value;
    return fail([{ path: "", message: `must be an object of the tool's parameters, got ${kind}`, keyword: "type" }]);
  }
  const error = checkArgumentsValue(value);
  if (error !== undefined) return fail([{ path: "", message: error.message, keyword: error.code }]);
  return plan.readInput(value, foreignInput);
}
