import type { Agent, AgentStream, GenerateOptions } from "../../agent/index.js";
import { type ChatMessage, streamChatMessage } from "../../agent/internal.js";
import { isRecord } from "../../schema/internal.js";
import type { JsonObject } from "../json-object.js";
import { refuseNothingToContinue } from "../refuse-nothing-to-continue.js";
import { WebRequestError } from "../web-request-error.js";
import { lastMessage, lastUserMessage, postedMessages } from "./last-user-message.js";

/**
 * Answers what `useChat` posted, and keeps the agent's history in step with the page: regenerated, edited, repeated and removed
 * messages.
 *
 * ```ts
 * const agent = await new SupportAgent().load(store, chatId);
 * return toUiMessageStream(streamChat(agent, body, { abortSignal: request.signal }));
 * ```
 *
 * A regenerated or edited message replaces everything after it; a repeated request gets the existing answer, or continues the
 * stopped run. If the last message is the assistant's, the conversation continues, if it ends with a user message or tool results. Call
 * `approvalResponses` first, because approvals resume a run.
 *
 * Throws `WebRequestError`: 400 for an invalid body, 404 for a message that the conversation doesn't have. See
 * docs/14-web-applications.md.
 */
export function streamChat(agent: Agent, body: unknown, options: GenerateOptions = {}): AgentStream {
  if (hasNoQuestion(body)) {
    refuseNothingToContinue(agent, "Send a message of the user.");
    return agent.stream(undefined, options);
  }
  const stream = agent[streamChatMessage](postedMessage(body), options);
  if (stream !== undefined) return stream;
  throw new WebRequestError(404, "This conversation doesn't have the message: load the conversation again.");
}

/** `sendMessage()` without a message posts the page's messages as they are. */
const hasNoQuestion = (body: unknown): boolean =>
  lastMessage(body).role === "assistant" && (body as JsonObject).trigger !== "regenerate-message";

function postedMessage(body: unknown): ChatMessage {
  const messages = shownMessages(body);
  const { trigger, messageId } = body as JsonObject;
  const id = idOf(messages.at(-1));
  const isEdit = id !== undefined && messageId === id;
  return {
    prompt: lastUserMessage({ messages }),
    id,
    before: messages.slice(0, -1).flatMap((message) => idOf(message) ?? []),
    intent: trigger === "regenerate-message" ? "regenerate" : isEdit ? "edit" : "submit",
  };
}

/** The messages up to the question that is to be answered: a page may post the answer that it wants anew, too. */
function shownMessages(body: unknown): readonly JsonObject[] {
  const messages = postedMessages(body);
  const { trigger, messageId } = body as JsonObject;
  if (trigger !== "regenerate-message") return messages;
  const named = messages.findIndex((message) => messageId !== undefined && message.id === messageId);
  const end = messages.findLastIndex(({ role }, index) => role === "user" && (named === -1 || index <= named));
  return end === -1 ? messages : messages.slice(0, end + 1);
}

const idOf = (message: unknown): string | undefined =>
  isRecord(message) && typeof message.id === "string" && message.id !== "" ? message.id : undefined;
