import { insteadOfName } from "../tool/internal.js";

/**
 * A person's decision about one tool call, as plain JSON. Make it with `approve`, `deny` or `approveEdited`, or with `answer` for a call
 * that waits for an answer. `decidedBy` says who decided: `{ ...approve(confirmation), decidedBy: user.name }`. See
 * docs/04-confirmation.md.
 */
export type Decision =
  | (OfPerson & { readonly decision: "approve" })
  | (OfPerson & { readonly decision: "deny"; readonly reason?: string })
  | EditedDecision
  | Answer;

interface OfPerson {
  /** The id of the call. */
  readonly callId: string;
  /** The id of the confirmation that the person saw. Without it, the decision isn't bound to arguments. */
  readonly confirmationId?: string;
  /** Who decided: a name or an id of your application, at most 200 characters. It is recorded and shown, and never checked. */
  readonly decidedBy?: string;
}

/** The answer to a call that waits for one. Made by `answer`. */
export interface Answer extends OfPerson {
  readonly decision: "answer";
  /** The answer as JSON. It is validated against `answerSchema` of the question. */
  readonly value: unknown;
}

/** A decision that approves a call with other arguments. Made by `approveEdited`. */
export interface EditedDecision extends OfPerson {
  readonly decision: "approve_edited";
  /** The arguments to use. They are validated like a model's. */
  readonly arguments: Readonly<Record<string, unknown>>;
}

/**
 * The call that a decision is about: the confirmation that the person saw, or only the id of the call.
 *
 * Pass the confirmation if you can: the decision is then valid for these arguments only.
 */
export type Decided = string | { readonly callId: string; readonly id: string };

/**
 * Approves a tool call with the arguments that the person saw: `resume(state, { decisions: [approve(confirmation)] })`.
 *
 * See docs/04-confirmation.md.
 */
export const approve = (call: Decided): Decision => ({ ...target(call), decision: "approve" });

/** Denies a tool call: `deny(confirmation, "Too expensive.")`. The model reads the reason. See docs/04-confirmation.md. */
export const deny = (call: Decided, reason?: string): Decision => ({
  ...target(call),
  decision: "deny",
  ...(reason !== undefined && { reason }),
});

/**
 * Approves a tool call with other arguments: `approveEdited(confirmation, { amount: 50 })`. They are validated like a model's
 * arguments.
 *
 * See docs/04-confirmation.md.
 */
export const approveEdited = (call: Decided, edited: Readonly<Record<string, unknown>>): Decision => ({
  ...target(call),
  decision: "approve_edited",
  arguments: edited,
});

/**
 * Answers a call that waits for an answer: `resume(state, { decisions: [answer(question, "blue")] })`. The value is validated against
 * `question.answerSchema`, and the model reads it as an untrusted result.
 *
 * See docs/24-calls-answered-elsewhere.md.
 */
export const answer = (call: Decided, value: unknown): Decision => ({ ...target(call), decision: "answer", value });

/** The members of each decision. One that isn't among them would be ignored: an approval with `arguments` would run those that were shown. */
const membersOf: Readonly<Record<Decision["decision"], readonly string[]>> = {
  approve: ["callId", "confirmationId", "decision", "decidedBy"],
  deny: ["callId", "confirmationId", "decision", "decidedBy", "reason"],
  approve_edited: ["callId", "confirmationId", "decision", "decidedBy", "arguments"],
  answer: ["callId", "confirmationId", "decision", "decidedBy", "value"],
};

/** The most characters of `decidedBy`. */
export const longestDecider = 200;

/** The error for an unknown member of a decision; `undefined` if it has none, or is no decision. */
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
    "A decision takes the id of a call, or the confirmation that the person saw: approve(confirmation), deny(confirmation, reason), approveEdited(confirmation, arguments), answer(question, value).",
  );
}
