import type { Confirmation } from "../../agent/index.js";
import { definitionHash, type PreparedCall } from "../../execution/index.js";
import { canonicalHash } from "../../execution/internal.js";
import { approvalInput } from "../../tool/internal.js";

/**
 * What a person is asked of a call: the value of LangGraph's interrupt. Answer it by `approve(request)`, `deny(request, reason)`
 * or `approveEdited(request, arguments)`, as the `resume` of a `Command`.
 */
export interface ConfirmationRequest
  extends Pick<Confirmation, "id" | "callId" | "tool" | "description" | "category" | "consequence" | "input" | "hidden"> {
  /** Why the last answer decided nothing. */
  readonly problem?: string;
}

/** Without a run and without times: LangGraph runs the node again, and the request must be the same then. */
export function confirmationRequestOf(call: PreparedCall): ConfirmationRequest {
  const { name, description, category, consequence, parametersSchema } = call.definition;
  return {
    id: canonicalHash([call.id, definitionHash(call.definition), call.input]),
    callId: call.id,
    tool: name,
    description,
    category,
    consequence,
    ...approvalInput(parametersSchema, call.input),
  };
}
