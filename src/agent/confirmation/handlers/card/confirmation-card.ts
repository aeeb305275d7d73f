import type { Confirmation } from "../../confirmation.js";
import { approve, type Decision, deny } from "../../decision.js";
import { type ShownArgument, shownArguments } from "../shown-arguments.js";
import { visibleText } from "../visible-text.js";

/** A button of the card, and what to post as JSON to the endpoint that decides when it is pressed. */
export interface ConfirmationAction {
  readonly name: "approve" | "deny";
  readonly label: string;
  readonly payload: { readonly runId: string; readonly decisions: readonly [Decision] };
}

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
 * A confirmation as a card for a chat page (seed 003, "Chat UI: send confirmation card, wait for button click"), for a
 * page that draws it itself; `confirmationCardHtml` draws it as a form. The decisions are bound to what the card shows.
 *
 * ```ts
 * const card = confirmationCard(confirmation);
 * card.title; // "Run refund_tool?"
 * card.arguments; // [{ name: "order", text: "\"A-17\"" }]
 * card.actions[1].payload; // { runId, decisions: [{ callId, confirmationId, decision: "approve" }] }
 * ```
 */
export function confirmationCard(confirmation: Confirmation): ConfirmationCard {
  const { runId, agent, tool, description, category, consequence, expiresAt } = confirmation;
  return {
    title: `Run ${visibleText(tool)}?`,
    description: visibleText(description),
    lines: [
      { name: "agent", text: visibleText(agent) },
      { name: "category", text: category },
      { name: "consequence", text: consequence },
    ],
    arguments: shownArguments(confirmation),
    expiresAt,
    actions: [
      { name: "deny", label: "Deny", payload: { runId, decisions: [deny(confirmation)] } },
      { name: "approve", label: "Approve", payload: { runId, decisions: [approve(confirmation)] } },
    ],
  };
}
