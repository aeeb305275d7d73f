import { type ApprovalInput, approvalInput } from "../../tool/internal.js";
import type { PreparedCall } from "./prepared-call.js";

/** The arguments of a call as a person sees them. */
export interface ShownApproval extends ApprovalInput {
  /** The values that a transform made from the input, by parameter. The tool gets these. Absent if there are none. */
  readonly used?: Record<string, unknown>;
}

/** The arguments as a person approves them, the same wherever a person is asked. */
export function approvalOf({ definition, settled, transformed }: PreparedCall): ShownApproval {
  const shown = approvalInput(definition.parametersSchema, settled.input);
  if (transformed === undefined) return shown;
  const used = approvalInput(definition.parametersSchema, transformed);
  return { input: shown.input, used: used.input, hidden: [...new Set([...shown.hidden, ...used.hidden])] };
}
