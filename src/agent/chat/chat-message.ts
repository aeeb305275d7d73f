import type { Message } from "../../models/index.js";
import type { Prompt } from "../run-options.js";

/** The post of a page that keeps the conversation itself: the user's last message, and its place in the history. */
export interface ChatMessage {
  readonly prompt: Prompt;
  /** The page's id of the message; `undefined` if it has none. */
  readonly id: string | undefined;
  /** The page's ids of the messages before it. */
  readonly before: readonly string[];
  /** `edit`: the message replaces the one with its id. `regenerate`: it is to be answered anew. */
  readonly intent: "submit" | "edit" | "regenerate";
}

/** What a posted message is in a history. */
export type Placement =
  /** A question that follows the first `keep` messages; the rest of the history is dropped. */
  | { readonly type: "ask"; readonly keep: number }
  /** A question that was asked before: the messages from `start` to `end` answer it. */
  | { readonly type: "repeated"; readonly start: number; readonly end: number }
  /** The conversation doesn't have the message. */
  | { readonly type: "unknown" };

/** Finds the place of a posted message. The page's ids decide: the conversation goes on as the page shows it. */
export function placeOf(history: readonly Message[], posted: ChatMessage): Placement {
  const { id, intent, prompt } = posted;
  const index = indexOfQuestion(history, posted);
  if (index === -1) return placeOfNew(history, posted);
  const end = nextQuestion(history, index);
  const isLast = end === history.length;
  const isSame = id !== undefined && JSON.stringify((history[index] as Message).content) === JSON.stringify(prompt);
  if (isSame && (intent === "submit" || (intent === "edit" && isLast))) return { type: "repeated", start: index + 1, end };
  return { type: "ask", keep: index };
}

/** The index of the question with the posted id; -1 if the history doesn't contain it. */
function indexOfQuestion(history: readonly Message[], { id, intent, prompt }: ChatMessage): number {
  const index = id === undefined ? -1 : history.findIndex((message) => message.role === "user" && message.id === id);
  if (index !== -1 || intent !== "regenerate") return index;
  // A history that was restored from elsewhere has no ids.
  const last = history.findLastIndex(({ role }) => role === "user");
  const message = history[last];
  const isMeant = message?.role === "user" && message.id === undefined && JSON.stringify(message.content) === JSON.stringify(prompt);
  return isMeant ? last : -1;
}

function placeOfNew(history: readonly Message[], { before, intent }: ChatMessage): Placement {
  const shown = new Set(before);
  const anchor = history.findLastIndex((message) => message.role === "user" && message.id !== undefined && shown.has(message.id));
  if (anchor !== -1) return { type: "ask", keep: nextQuestion(history, anchor) };
  if (intent === "submit" || history.length === 0) return { type: "ask", keep: history.length };
  return { type: "unknown" };
}

/** The first message after `index` that the user asked under an id of the page: the run asks the model for repairs without one. */
function nextQuestion(history: readonly Message[], index: number): number {
  const next = history.findIndex((message, position) => position > index && message.role === "user" && message.id !== undefined);
  return next === -1 ? history.length : next;
}
