import type { Confirmation } from "../../confirmation/index.js";
import { decidedAbout } from "../../confirmation/internal.js";
import type { PreparedCall } from "../../execution/index.js";
import { approvalOf, canonicalHash } from "../../execution/internal.js";

/**
 * What a person is asked of a call: the value of LangGraph's interrupt. Answer it by `approve(request)`, `deny(request, reason)`
 * or `approveEdited(request, arguments)`, as the `resume` of a `Command`.
 */
export interface ConfirmationRequest
  extends Pick<Confirmation, "id" | "callId" | "tool" | "description" | "category" | "consequence" | "input" | "used" | "hidden"> {
  /** Why the last answer decided nothing. */
  readonly problem?: string;
}

/** Without a run and without times: LangGraph runs the node again, and the request must be the same then. */
export function confirmationRequestOf(call: PreparedCall): ConfirmationRequest {
  const { name, description, category, consequence } = call.definition;
  return {
    id: canonicalHash([call.id, ...decidedAbout(call)]),
    callId: call.id,
    tool: name,
    description,
    category,
    consequence,
    ...approvalOf(call),
  };
}
