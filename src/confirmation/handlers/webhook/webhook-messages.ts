import type { Confirmation } from "../../confirmation.js";
import { approve, approveEdited, type Decision, deny, unknownMemberOf } from "../../decision.js";
import { keyOf, openSigned, signedHeaders, type WebhookMessage, WebhookVerificationError } from "./webhook-signature.js";

/** An HTTP body with the headers that sign it. */
export interface SignedMessage {
  /** The headers to send with the body. */
  readonly headers: Record<string, string>;
  /** The JSON text to send. */
  readonly body: string;
}

/**
 * What each direction says it is. It is signed with the rest, so that the question can't be sent back as its own answer.
 * Shape: `{ type, timestamp, data }` (Standard Webhooks, "Payload structure").
 */
const requested = "confirmation.requested";
const decided = "confirmation.decided";

export function signConfirmation(confirmation: Confirmation, secret: string): SignedMessage {
  return signed(confirmation.id, requested, confirmation, keyOf(secret, "confirmByWebhook"));
}

/**
 * Verifies a request of `confirmByWebhook` on your server and returns its confirmation.
 *
 * ```ts
 * const confirmation = verifyWebhook({ headers: request.headers, body: await request.text() }, secret);
 * ```
 *
 * Pass the raw body, as `node:http` or a `Request` gives it. Throws `WebhookVerificationError` if the signature is wrong or older
 * than five minutes (respond with 401), and `RangeError` for a secret of less than 32 bytes. See docs/04-confirmation.md.
 */
export function verifyWebhook(message: WebhookMessage, secret: string): Confirmation {
  const { id, payload } = openSigned(message, keyOf(secret, "verifyWebhook"));
  const { type, data } = Object(payload) as { type?: unknown; data?: Partial<Confirmation> };
  if (type === requested && data?.id === id) return data as Confirmation; // the signer made it with `signConfirmation`
  throw new WebhookVerificationError(
    "unexpected",
    `The message is signed, but it isn't "${requested}". Verify what confirmByWebhook posted, not an answer to it.`,
  );
}

/**
 * Signs a decision on your server, as the response to the poll of `confirmByWebhook`.
 *
 * ```ts
 * const { headers, body } = signDecision(deny(confirmation, "Too much."), secret);
 * response.writeHead(200, headers).end(body);
 * ```
 *
 * Sign it again for each response, because a signature is valid for five minutes. Throws `TypeError` if the decision was made with
 * only a call's id: use `approve(confirmation)`, which is bound to what the person saw. See docs/04-confirmation.md.
 */
export function signDecision(decision: Decision, secret: string): SignedMessage {
  if (decision.confirmationId === undefined) {
    throw new TypeError(
      `signDecision: the decision for "${decision.callId}" doesn't name the confirmation that the person saw. Make it with the confirmation: approve(confirmation), deny(confirmation, reason), approveEdited(confirmation, arguments).`,
    );
  }
  const unknown = unknownMemberOf({ ...decision });
  if (unknown !== undefined) throw new TypeError(`signDecision: ${unknown}`);
  return signed(decision.confirmationId, decided, decision, keyOf(secret, "signDecision"));
}

/** The decision of a signed answer. Throws `WebhookVerificationError` if it isn't to be trusted or decides something else. */
export function readDecision(message: WebhookMessage, confirmation: Confirmation, key: Uint8Array): Decision {
  const { id, payload } = openSigned(message, key);
  const { type, data } = Object(payload) as { type?: unknown; data?: Record<string, unknown> };
  if (type !== decided || typeof data !== "object" || data === null) {
    throw new WebhookVerificationError("unexpected", `The answer is signed, but it isn't "${decided}". Make it with signDecision.`);
  }
  const { callId, confirmationId, decision, reason, decidedBy, arguments: edited } = data;
  if (id !== confirmation.id || confirmationId !== confirmation.id || callId !== confirmation.callId) {
    throw new WebhookVerificationError("unexpected", `The answer decides another call: ${JSON.stringify(callId)}.`);
  }
  const unknown = unknownMemberOf(data);
  if (unknown !== undefined) throw new WebhookVerificationError("unexpected", `The answer is signed, but can't be meant. ${unknown}`);
  const by = typeof decidedBy === "string" ? { decidedBy } : {};
  if (decision === "approve") return { ...approve(confirmation), ...by };
  if (decision === "deny" && (reason === undefined || typeof reason === "string")) return { ...deny(confirmation, reason), ...by };
  if (decision === "approve_edited" && typeof edited === "object" && edited !== null && !Array.isArray(edited)) {
    return { ...approveEdited(confirmation, edited as Readonly<Record<string, unknown>>), ...by };
  }
  throw new WebhookVerificationError("unexpected", "The answer is signed, but it neither approves nor denies. Make it with signDecision.");
}

function signed(id: string, type: string, data: Confirmation | Decision, key: Uint8Array): SignedMessage {
  const body = JSON.stringify({ type, timestamp: new Date().toISOString(), data });
  return { headers: signedHeaders(id, body, key), body };
}
