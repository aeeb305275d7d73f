import type { Confirmation } from "../../confirmation.js";
import { approve, type Decision, deny } from "../../decision.js";
import { fittingDetail } from "../detail.js";
import { type ShownArgument, type ShownConfirmation, shownConfirmation } from "../shown-confirmation.js";
import { visibleText } from "../visible-text.js";

/** A button of the card, and what to post as JSON to the endpoint that decides when it is pressed. */
export interface ConfirmationAction {
  readonly name: "approve" | "deny";
  readonly label: string;
  readonly payload: { readonly runId: string; readonly decisions: readonly [Decision] };
}

/** What a card holds at most. A page can show the whole arguments from the confirmation. */
const mostCharacters = 8_000;
const mostLines = 100;

/** What a page shows of a confirmation. Plain JSON; every text is as a person can judge it, and none is HTML. */
export interface ConfirmationCard {
  readonly title: string;
  /** What the tool does. */
  readonly description: string;
  /** Who asks, and what is at stake; then the arguments. */
  readonly lines: readonly ShownArgument[];
  readonly arguments: readonly ShownArgument[];
  /** ISO 8601; afterwards the call can't be approved. */
  readonly expiresAt: string;
  /** The safe one first. */
  readonly actions: readonly [ConfirmationAction, ConfirmationAction];
}

/**
 * A confirmation as a card for a chat page, for a
 * page that draws it itself; `confirmationCardHtml` draws it as a form. The decisions are bound to the confirmation. Long values
 * are cut, and the card says how much isn't shown, so that no argument can push another one out of sight.
 *
 * ```ts
 * const card = confirmationCard(confirmation);
 * card.title; // "Run refund_tool?"
 * card.arguments; // [{ name: "order", text: "\"A-17\"" }]
 * card.actions[1].payload; // { runId, decisions: [{ callId, confirmationId, decision: "approve" }] }
 * ```
 */
export function confirmationCard(confirmation: Confirmation): ConfirmationCard {
  const { runId, agent, tool, category, consequence, expiresAt } = confirmation;
  const shown = fittingDetail((detail) => shownConfirmation(confirmation, detail), fits);
  return {
    title: `Run ${visibleText(tool)}?`,
    description: shown.description,
    lines: [
      { name: "agent", text: visibleText(agent) },
      { name: "category", text: category },
      { name: "consequence", text: consequence },
    ],
    arguments: shown.arguments,
    expiresAt,
    actions: [
      { name: "deny", label: "Deny", payload: { runId, decisions: [deny(confirmation)] } },
      { name: "approve", label: "Approve", payload: { runId, decisions: [approve(confirmation)] } },
    ],
  };
}

function fits({ arguments: shown }: ShownConfirmation): boolean {
  const texts = shown.map(({ name, text }) => `${name}: ${text}`);
  const lines = texts.reduce((sum, text) => sum + text.split("\n").length, 0);
  return lines <= mostLines && texts.join("").length <= mostCharacters;
}
