import { answer, approve, approveEdited, type Decided, type Decision, deny } from "../../confirmation/index.js";
import { isRecord } from "../../schema/internal.js";
import { WebRequestError } from "../../web/internal.js";
import type { JsonObject } from "./json-body.js";

/** The decision that the page sent about a call: `{ decision: "approve" }`, bound to the confirmation that it showed. */
export function readDecision(sent: JsonObject, call: Decided): Decision {
  switch (sent.decision) {
    case "approve":
      return approve(call);
    case "deny":
      return typeof sent.reason === "string" && sent.reason !== "" ? deny(call, sent.reason) : deny(call);
    case "approve_edited":
      if (isRecord(sent.arguments)) return approveEdited(call, sent.arguments);
      throw new WebRequestError(400, '"arguments" of an edited approval must be a JSON object.');
    case "answer":
      return answer(call, sent.value);
    default:
      throw new WebRequestError(400, '"decision" must be "approve", "deny", "approve_edited" or "answer".');
  }
}

/** The decisions of a body: `{ decisions: [{ callId, confirmationId, decision }] }`. */
export function readDecisions({ decisions }: JsonObject): readonly Decision[] {
  if (!Array.isArray(decisions) || decisions.length === 0) throw new WebRequestError(400, '"decisions" must be a list of decisions.');
  return decisions.map((sent: unknown) => {
    if (isRecord(sent) && typeof sent.callId === "string" && typeof sent.confirmationId === "string") {
      return readDecision(sent, { callId: sent.callId, id: sent.confirmationId });
    }
    throw new WebRequestError(400, "Each decision names the call and the confirmation that was shown: callId and confirmationId.");
  });
}
