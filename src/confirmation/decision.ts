import { insteadOfName } from "../tool/internal.js";

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

/** The members of each decision. One that isn't among them would be ignored: an approval with `arguments` would run those that were shown. */
const membersOf: Readonly<Record<Decision["decision"], readonly string[]>> = {
  approve: ["callId", "confirmationId", "decision"],
  deny: ["callId", "confirmationId", "decision", "reason"],
  approve_edited: ["callId", "confirmationId", "decision", "arguments"],
};

/** What an unknown member of a decision is told as; `undefined` if it has none, or is no decision. */
export function unknownMemberOf(decision: Readonly<Record<string, unknown>>): string | undefined {
  const kind = Object.keys(membersOf).find((name): name is Decision["decision"] => name === decision.decision);
  if (kind === undefined) return undefined;
  const members = membersOf[kind];
  const unknown = Object.keys(decision).find((name) => !members.includes(name));
  if (unknown === undefined) return undefined;
  const fix = unknown === "arguments" ? 'Edited arguments take the decision "approve_edited".' : insteadOfName(unknown, members);
  return `A decision "${kind}" has no member "${unknown}", which would be ignored. ${fix}`;
}

/** Throws `TypeError` for what names no call, or no confirmation of it: the decision would hold for whatever is shown next. */
function target(call: Decided): { callId: string; confirmationId?: string } {
  if (typeof call === "string") return { callId: call };
  if (typeof call?.callId === "string" && typeof call.id === "string") return { callId: call.callId, confirmationId: call.id };
  throw new TypeError(
    "A decision takes the id of a call, or the confirmation that the person saw: approve(confirmation), deny(confirmation, reason), approveEdited(confirmation, arguments).",
  );
}
