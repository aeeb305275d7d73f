import { isDeepStrictEqual } from "node:util";
import type { ModelMessage } from "ai";

/**
 * Whether the messages say that a person approved exactly this call: a request for its id, the tool call with the same
 * arguments, and a yes. Of several answers the first counts, as it does for the SDK.
 */
export function isApproved(messages: readonly ModelMessage[], toolCallId: string, input: unknown): boolean {
  const requests = new Set<string>();
  let isSame = false;
  for (const { content } of messages) {
    if (typeof content === "string") continue;
    for (const part of content) {
      if (part.type === "tool-call" && part.toolCallId === toolCallId) isSame = isDeepStrictEqual(part.input, input);
      else if (part.type === "tool-approval-request" && part.toolCallId === toolCallId) requests.add(part.approvalId);
      else if (part.type === "tool-approval-response" && requests.has(part.approvalId)) return isSame && part.approved === true;
    }
  }
  return false;
}
