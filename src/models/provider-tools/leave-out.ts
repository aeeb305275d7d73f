import { warnProcess } from "../../redaction/internal.js";

/** Warns that a tool isn't sent to a model or provider. `reason` reads on: `it takes no $ref, which recursive types need`. */
export function leaveOut(tool: string, target: string, reason: string): void {
  warnProcess(`The tool "${tool}" is left out for ${target}: ${reason.replace(/\.$/, "")}. The other tools work.`);
}
