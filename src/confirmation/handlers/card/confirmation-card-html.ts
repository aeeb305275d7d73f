import { escapeHtml } from "../../../redaction/internal.js";
import { checkOptionNames, type OptionNames } from "../../../tool/internal.js";
import type { Confirmation } from "../../confirmation.js";
import { approve, type Decision, deny } from "../../decision.js";
import type { ShownArgument } from "../shown-confirmation.js";
import { confirmationCard } from "./confirmation-card.js";

/** Options of `confirmationCardHtml`. */
export interface ConfirmationCardOptions {
  /** The URL of the endpoint that receives the decision, such as a `decideHandler`. */
  readonly action: string;
  /** Additional hidden fields that the endpoint needs, such as a CSRF token. */
  readonly fields?: Readonly<Record<string, string>>;
}

const optionNames: OptionNames<ConfirmationCardOptions> = { action: true, fields: true };

/**
 * Renders a confirmation as an HTML form without scripts and styles: `<form class="confirmation">`. All values are escaped.
 *
 * ```ts
 * confirmationCardHtml(confirmation, { action: "/decide", fields: { csrf: session.token } });
 * ```
 *
 * The form posts `runId`, `callId`, `confirmationId`, `decision` (`approve` or `deny`) and `reason`; read it with
 * `decisionFromForm`. Pressing Enter in the reason's field denies, because browsers press the first button. See
 * docs/04-confirmation.md.
 */
export function confirmationCardHtml(confirmation: Confirmation, options: ConfirmationCardOptions): string {
  checkOptionNames(options, optionNames, "confirmationCardHtml");
  const { action, fields = {} } = options;
  const { title, description, lines, arguments: shown, expiresAt, actions } = confirmationCard(confirmation);
  const { runId, callId, id: confirmationId } = confirmation;
  return [
    `<form class="confirmation" method="post" action="${escapeHtml(action)}">`,
    `<h2>${escapeHtml(title)}</h2>`,
    `<p>${escapeHtml(description)}</p>`,
    `<dl>${lines.map(row).join("")}</dl>`,
    `<h3>Arguments</h3>`,
    `<dl>${shown.map(row).join("")}</dl>`,
    `<p>Expires at <time datetime="${escapeHtml(expiresAt)}">${escapeHtml(expiresAt)}</time></p>`,
    ...Object.entries({ ...fields, runId, callId, confirmationId }).map(
      ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
    ),
    `<label>Reason for denying <input name="reason" autocomplete="off"></label>`,
    ...actions.map(({ name, label }) => `<button name="decision" value="${name}">${label}</button>`),
    "</form>",
  ].join("\n");
}

/** Line breaks stay in `pre`, whose `wrap` breaks long lines: blanks would push what follows out of the page. A line break right behind the tag would be dropped by the parser. */
const row = ({ name, text }: ShownArgument): string =>
  `<dt><bdi>${escapeHtml(name)}</bdi></dt><dd><pre dir="auto" wrap>\n${escapeHtml(text)}</pre></dd>`;

/** The fields of a form: `URLSearchParams`, `FormData`, a `Map`. */
interface FormFields {
  get(name: string): unknown;
}

/**
 * Reads the form that `confirmationCardHtml` renders: the id of the run to resume, and the decision. Throws `TypeError` for any
 * other form.
 *
 * ```ts
 * const { runId, decision } = decisionFromForm(await request.formData());
 * await agent.resume(await states.load(runId), { decisions: [decision] });
 * ```
 *
 * See docs/04-confirmation.md.
 */
export function decisionFromForm(form: FormFields): { readonly runId: string; readonly decision: Decision } {
  const [runId, callId, id, decision, reason] = ["runId", "callId", "confirmationId", "decision", "reason"].map((name) => form.get(name));
  if (typeof runId === "string" && typeof callId === "string" && typeof id === "string") {
    const seen = { callId, id };
    if (decision === "approve") return { runId, decision: approve(seen) };
    if (decision === "deny") return { runId, decision: deny(seen, (typeof reason === "string" && reason.trim()) || undefined) };
  }
  throw new TypeError(
    "decisionFromForm: this isn't the form of confirmationCardHtml, which has the fields runId, callId, confirmationId, and decision (approve or deny).",
  );
}
