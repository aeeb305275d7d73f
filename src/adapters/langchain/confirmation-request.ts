import type { Confirmation } from "../../confirmation/index.js";
import { askedAnswer, decidedAbout } from "../../confirmation/internal.js";
import type { PreparedCall } from "../../execution/index.js";
import { approvalOf, canonicalHash } from "../../execution/internal.js";
import type { JsonSchema } from "../../schema/index.js";
import type { AnsweredBy } from "../../tool/index.js";

/**
 * The value of LangGraph's interrupt when a call needs a person's approval.
 *
 * Resume the graph with `approve(request)`, `deny(request, reason)` or `approveEdited(request, arguments)` as the `resume` of a
 * `Command`. See docs/13-other-frameworks.md.
 */
export interface ConfirmationRequest
  extends Pick<Confirmation, "id" | "callId" | "tool" | "description" | "category" | "consequenceLevel" | "input" | "used" | "hidden"> {
  /** The schema of the answer, if the call is answered by the client: resume the graph with `answer(request, value)` or `deny(request, reason)`. */
  readonly answerSchema?: JsonSchema;
  /** Who answers, if somebody does. */
  readonly answeredBy?: AnsweredBy;
  /** Why the last value that the graph was resumed with was not a valid decision. */
  readonly problem?: string;
}

/** Without a run and without times: LangGraph runs the node again, and the request must be the same then. */
export function confirmationRequestOf(call: PreparedCall): ConfirmationRequest {
  const { name, description, category, consequenceLevel } = call.definition;
  return {
    id: canonicalHash([call.id, ...decidedAbout(call)]),
    callId: call.id,
    tool: name,
    description,
    category,
    consequenceLevel,
    ...approvalOf(call),
    ...askedAnswer(call),
  };
}
