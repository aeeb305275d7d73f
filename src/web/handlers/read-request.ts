import { answer, approve, approveEdited, type Decision, decisionFromForm, deny } from "../../confirmation/index.js";
import type { Prompt } from "../../agent/index.js";
import { saysNothing } from "../../conversation/internal.js";
import { unknownMemberOf } from "../../confirmation/internal.js";
import type { ContentPart } from "../../models/index.js";
import { isRecord } from "../../schema/internal.js";
import type { JsonObject } from "../json-object.js";
import type { RunDecisions } from "../ui/approval-responses.js";
import { WebRequestError } from "../web-request-error.js";

/** The prompt of `{ "prompt": "..." }`, or of a list of content parts there; `undefined` without. Throws `WebRequestError` (400). */
export function readPrompt({ prompt }: JsonObject): Prompt | undefined {
  if (prompt === undefined) return undefined;
  const content = Array.isArray(prompt) ? prompt.map(readPart) : prompt;
  if ((typeof content === "string" || Array.isArray(content)) && !saysNothing(content)) return content;
  throw new WebRequestError(400, 'The body must be { "prompt": "..." }: a text, or a list of content parts; not a blank one.');
}

function readPart(part: unknown, index: number): ContentPart {
  const { type, text, mediaType, data, url, filename } = isRecord(part) ? part : {};
  if (type === "text" && typeof text === "string") return { type, text };
  if ((type === "image" || type === "file") && typeof mediaType === "string") {
    const named = type === "file" && typeof filename === "string" ? { filename } : {};
    if (typeof data === "string") return { type, mediaType, ...named, data };
    if (typeof url === "string" && /^https?:\/\//i.test(url)) return { type, mediaType, ...named, url };
  }
  throw new WebRequestError(
    400,
    `prompt[${index}] isn't a content part: { type: "text", text }, or { type: "image" or "file", mediaType, and data (base64) or an http(s) url }.`,
  );
}

/** `{ runId, decisions }`, or the form of `confirmationCardHtml`. Throws `WebRequestError` (400). */
export function readDecisions(body: JsonObject): RunDecisions {
  const { runId, decisions } = body;
  if ("confirmationId" in body) return readForm(body);
  if (typeof runId === "string" && Array.isArray(decisions) && decisions.length > 0)
    return { runId, decisions: decisions.map(readDecision) };
  throw new WebRequestError(400, 'The body must be { "runId": "...", "decisions": [{ "callId": "...", "decision": "approve" }] }.');
}

function readForm(fields: JsonObject): RunDecisions {
  try {
    const { runId, decision } = decisionFromForm(new Map(Object.entries(fields)));
    return { runId, decisions: [decision] };
  } catch (error) {
    if (error instanceof TypeError) throw new WebRequestError(400, error.message);
    throw error;
  }
}

function readDecision(value: unknown, index: number): Decision {
  const unknown = isRecord(value) ? unknownMemberOf(value) : undefined;
  if (unknown !== undefined) throw new WebRequestError(400, `decisions[${index}]: ${unknown}`);
  if (isRecord(value) && value.decidedBy !== undefined) {
    throw new WebRequestError(400, `decisions[${index}]: the server says who decided, by its option decidedBy. Leave decidedBy out.`);
  }
  const { callId, confirmationId, decision, reason, arguments: edited, value: answered } = isRecord(value) ? value : {};
  if (typeof callId === "string" && (confirmationId === undefined || typeof confirmationId === "string")) {
    const call = confirmationId === undefined ? callId : { callId, id: confirmationId };
    if (decision === "approve") return approve(call);
    if (decision === "deny") return deny(call, typeof reason === "string" ? reason : undefined);
    if (decision === "approve_edited" && isRecord(edited)) return approveEdited(call, edited);
    if (decision === "answer" && answered !== undefined) return answer(call, answered);
  }
  throw new WebRequestError(
    400,
    `decisions[${index}] isn't a decision: { callId, confirmationId?, decision: "approve" | "deny" | "approve_edited" | "answer", reason?, arguments?, value? }.`,
  );
}
