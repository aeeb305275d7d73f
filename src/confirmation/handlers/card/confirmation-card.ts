import type { Confirmation } from "../../confirmation.js";
import { approve, type Decision, deny } from "../../decision.js";
import { isQuestion } from "../../question.js";
import { fittingDetail } from "../detail.js";
import { type ShownArgument, type ShownConfirmation, shownConfirmation } from "../shown-confirmation.js";
import { visibleText } from "../visible-text.js";

/** A button of a confirmation card. */
export interface ConfirmationAction {
  readonly name: "approve" | "deny";
  /** The text of the button. */
  readonly label: string;
  /** The JSON body to post to the endpoint when the button is pressed. */
  readonly payload: { readonly runId: string; readonly decisions: readonly [Decision] };
}

/** What a card holds at most. A page can show the whole arguments from the confirmation. */
const mostCharacters = 8_000;
const mostLines = 100;

/** A confirmation as a page displays it. Plain JSON; the texts are for people and contain no HTML. */
export interface ConfirmationCard {
  /** The question, such as `Run refund_tool?`; `Run refund_tool again?` if it isn't known whether it took effect. */
  readonly title: string;
  /** What the tool does. */
  readonly description: string;
  /** Everything to display but the arguments: a warning if there is one, who asks, and what is at stake. */
  readonly lines: readonly ShownArgument[];
  /** The arguments alone. */
  readonly arguments: readonly ShownArgument[];
  /** After this time the call can't be approved, ISO 8601. */
  readonly expiresAt: string;
  /** The two buttons; the safe one comes first. */
  readonly actions: readonly [ConfirmationAction, ConfirmationAction];
}

/**
 * Makes the data of a card for a chat page that draws confirmations itself. `confirmationCardHtml` draws it as a form.
 *
 * ```ts
 * const card = confirmationCard(confirmation);
 * card.title; // "Run refund_tool?"
 * card.arguments; // [{ name: "order", text: "\"A-17\"" }]
 * card.actions[1].payload; // { runId, decisions: [{ callId, confirmationId, decision: "approve" }] }
 * ```
 *
 * The decisions are bound to the confirmation. Long values are cut, with a note of how much is missing, so that no argument can
 * push another one off the screen. See docs/04-confirmation.md.
 */
export function confirmationCard(confirmation: Confirmation): ConfirmationCard {
  const { runId, agent, tool, category, consequenceLevel, outcomeUnknown, expiresAt } = confirmation;
  if (isQuestion(confirmation)) {
    throw new TypeError(
      `confirmationCard: the call of "${tool}" waits for an answer. Show a form for question.answerSchema, and post answer(question, value).`,
    );
  }
  const shown = shownInCard(confirmation);
  return {
    title: `Run ${visibleText(tool)}${outcomeUnknown === true ? " again" : ""}?`,
    description: shown.description,
    lines: [
      ...shown.warnings,
      { name: "agent", text: visibleText(agent) },
      { name: "category", text: category },
      { name: "consequence", text: consequenceLevel },
    ],
    arguments: shown.arguments,
    expiresAt,
    actions: [
      { name: "deny", label: "Deny", payload: { runId, decisions: [deny(confirmation)] } },
      { name: "approve", label: "Approve", payload: { runId, decisions: [approve(confirmation)] } },
    ],
  };
}

/** What a person reads of a call, short enough for a card. */
export const shownInCard = (confirmation: Confirmation): ShownConfirmation =>
  fittingDetail((detail) => shownConfirmation(confirmation, detail), fits);

function fits({ arguments: shown }: ShownConfirmation): boolean {
  const texts = shown.map(({ name, text }) => `${name}: ${text}`);
  const lines = texts.reduce((sum, text) => sum + text.split("\n").length, 0);
  return lines <= mostLines && texts.join("").length <= mostCharacters;
}
