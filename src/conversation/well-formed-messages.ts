import type { ChatResponse, Message, UserMessage } from "../models/index.js";

/**
 * The message with each half of a surrogate pair replaced by U+FFFD. Providers reject a request with one, and the history would
 * repeat it for ever.
 */
export function wellFormedMessage(message: Message): Message {
  switch (message.role) {
    case "user":
      return { ...message, content: wellFormedContent(message.content) };
    case "assistant":
      return withWellFormedCalls({ ...message, content: message.content.toWellFormed() });
    default:
      return { ...message, content: message.content.toWellFormed() };
  }
}

/** The same for what a user says. */
export function wellFormedContent(content: UserMessage["content"]): UserMessage["content"] {
  if (typeof content === "string") return content.toWellFormed();
  return content.map((part) => (part.type === "text" ? { ...part, text: part.text.toWellFormed() } : part));
}

/** The same for an answer: its text and the arguments of its calls. */
export const wellFormedAnswer = (response: ChatResponse): ChatResponse =>
  response.text.isWellFormed() && response.toolCalls.every((call) => call.arguments.isWellFormed())
    ? response
    : withWellFormedCalls({ ...response, text: response.text.toWellFormed() });

type WithCalls = Pick<Extract<Message, { readonly role: "assistant" }>, "toolCalls">;

const withWellFormedCalls = <Answer extends WithCalls>(answer: Answer): Answer =>
  answer.toolCalls === undefined
    ? answer
    : { ...answer, toolCalls: answer.toolCalls.map((call) => ({ ...call, arguments: call.arguments.toWellFormed() })) };

/** Puts characters together that a provider sent in two pieces. */
export class WholeCharacters {
  #held = "";

  /** What is whole of the text so far, and wasn't given before. */
  take(piece: string): string {
    const text = this.#held + piece;
    const last = text.charCodeAt(text.length - 1);
    const isCut = last >= 0xd800 && last <= 0xdbff;
    this.#held = isCut ? text.slice(-1) : "";
    return (isCut ? text.slice(0, -1) : text).toWellFormed();
  }

  /** What is left when the text has ended: nothing, or the half of a character. */
  rest(): string {
    const rest = this.#held.toWellFormed();
    this.#held = "";
    return rest;
  }
}
