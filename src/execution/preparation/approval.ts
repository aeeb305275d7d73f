import { type ApprovalInput, approvalInput } from "../../tool/internal.js";
import type { PreparedCall } from "./prepared-call.js";

/** What a person is shown of the arguments of a call. */
export interface ShownApproval extends ApprovalInput {
  /** The values that a transform made of the input, by parameter: these are used. Left out if there are none. */
  readonly used?: Record<string, unknown>;
}

/** The arguments as a person approves them, in every form in which one is asked. */
export function approvalOf({ definition, settled, transformed }: PreparedCall): ShownApproval {
  const shown = approvalInput(definition.parametersSchema, settled.input);
  if (transformed === undefined) return shown;
  const used = approvalInput(definition.parametersSchema, transformed);
  return { input: shown.input, used: used.input, hidden: [...new Set([...shown.hidden, ...used.hidden])] };
}
