/** What a person decided of one tool call. Plain JSON. Made by `approve`, `deny` and `approveEdited`. */
export type Decision =
  | { readonly callId: string; readonly confirmationId?: string; readonly decision: "approve" }
  | { readonly callId: string; readonly confirmationId?: string; readonly decision: "deny"; readonly reason?: string }
  | EditedDecision;

/** Made by `approveEdited`. */
export interface EditedDecision {
  readonly callId: string;
  readonly confirmationId?: string;
  readonly decision: "approve_edited";
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** The id of a call, or the confirmation that the person saw: then the decision holds for nothing else. */
export type Decided = string | { readonly callId: string; readonly id: string };

/** The call may run, with the arguments that were shown. */
export const approve = (call: Decided): Decision => ({ ...target(call), decision: "approve" });

/** The call must not run; the model reads the reason. */
export const deny = (call: Decided, reason?: string): Decision => ({
  ...target(call),
  decision: "deny",
  ...(reason !== undefined && { reason }),
});

/** The call may run with these arguments in place of those shown; they are validated like those of a model. */
export const approveEdited = (call: Decided, edited: Readonly<Record<string, unknown>>): Decision => ({
  ...target(call),
  decision: "approve_edited",
  arguments: edited,
});

const target = (call: Decided): { callId: string; confirmationId?: string } =>
  typeof call === "string" ? { callId: call } : { callId: call.callId, confirmationId: call.id };
