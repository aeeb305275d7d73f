import { type Fault, fail, type Repair, succeed } from "../../schema/index.js";
import { ArgumentsCopy, type ArgumentsError, parseArgumentsText, saysNothing } from "../../schema/internal.js";
import type { InputReading, ToolPlan } from "../../tool/internal.js";
import type { BoundTool } from "./prepared-call.js";

/** Reads the arguments of a call, text or object, against the tool's parameters. Throws only what a rule of the tool throws. */
export function readArguments({ plan }: BoundTool, value: unknown): InputReading | Promise<InputReading> {
  if (typeof value === "string") {
    const parsed = parseArgumentsText(value);
    if (!parsed.ok) return saysNothing(value) ? readNothing(plan, value, faultOf(parsed.error)) : fail([faultOf(parsed.error)]);
    const reading = plan.readInput(parsed.value, { owned: true, repair: true, size: value.length });
    return parsed.repaired ? now(reading, (settled) => marked(settled, { path: "", from: value, to: parsed.value })) : reading;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    const kind = value === null ? "null" : Array.isArray(value) ? "an array" : typeof value;
    const fault = { path: "", message: `must be an object of the tool's parameters, got ${kind}`, keyword: "type" };
    const isNothing = value === undefined || value === null || (Array.isArray(value) && value.length === 0);
    return isNothing ? readNothing(plan, value, fault) : fail([fault]);
  }
  const copy = new ArgumentsCopy();
  const own = copy.take(value);
  if (copy.error !== undefined) return fail([faultOf(copy.error)]);
  return plan.readInput(own, { owned: true, repair: true, size: copy.size });
}

/** A fault's message continues after its subject, the arguments. */
const faultOf = ({ message, code }: ArgumentsError): Fault => ({
  path: "",
  message: message.replace(/^The arguments /, ""),
  keyword: code,
});

/** A tool that requires no arguments runs without any. For other tools, the value that came instead is the fault. */
const readNothing = (plan: ToolPlan, from: unknown, fault: Fault): InputReading | Promise<InputReading> =>
  now(plan.readInput({}, { owned: true, repair: true }), (reading) =>
    reading.ok ? marked(reading, { path: "", from, to: {} }) : fail([fault]),
  );

/** A text that is JSON only if it is read leniently counts as repaired as a whole. */
const marked = (reading: InputReading, repair: Repair): InputReading =>
  reading.ok ? succeed({ ...reading.value, repairs: [repair, ...(reading.value.repairs ?? [])] }) : reading;

const now = (reading: InputReading | Promise<InputReading>, next: (settled: InputReading) => InputReading) =>
  reading instanceof Promise ? reading.then(next) : next(reading);
