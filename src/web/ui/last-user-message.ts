import type { Prompt } from "../../agent/index.js";
import type { ContentPart } from "../../models/index.js";
import { isRecord } from "../../schema/internal.js";
import type { JsonObject } from "../json-object.js";
import { WebRequestError } from "../web-request-error.js";

/**
 * Reads the last user message from the body that `useChat` posts: a string, or content parts if it has images or files.
 *
 * ```ts
 * lastUserMessage({ id: "chat-1", messages: [{ id: "1", role: "user", parts: [{ type: "text", text: "Hello" }] }] }); // "Hello"
 * ```
 *
 * Earlier messages are ignored, because clients can change them: load the history on the server. Throws `WebRequestError` (400) if
 * the last message isn't the user's or is empty. See docs/14-web-applications.md.
 */
export function lastUserMessage(body: unknown): Prompt {
  const message = lastMessage(body);
  if (message.role !== "user") {
    throw new WebRequestError(
      400,
      `The last message is of the role "${String(message.role)}": send one of the user, or answers to approvals.`,
    );
  }
  const content = partsOf(message).flatMap((part, index) => contentOf(part, `parts[${index}]`));
  if (content.length === 0) throw new WebRequestError(400, "The last message is empty: give its parts a text or a file.");
  const texts = content.flatMap((part) => (part.type === "text" ? [part.text] : []));
  return texts.length === content.length ? texts.join("\n") : content;
}

/** The last of the `messages` that `useChat` posts. Throws `WebRequestError` (400) for another body. */
export const lastMessage = (body: unknown): JsonObject => postedMessages(body).at(-1) as JsonObject;

/** The `messages` that `useChat` posts: at least one. Throws `WebRequestError` (400) for another body. */
export function postedMessages(body: unknown): readonly JsonObject[] {
  const messages = isRecord(body) ? body.messages : undefined;
  if (Array.isArray(messages) && messages.length > 0 && messages.every(isRecord)) return messages;
  throw new WebRequestError(400, "The body must be what useChat posts: { id, messages: [{ id, role, parts: [{ type, text }] }] }.");
}

/** The parts of a UI message. Throws `WebRequestError` (400) if they are invalid. */
export function partsOf({ parts }: JsonObject): readonly JsonObject[] {
  if (Array.isArray(parts) && parts.every(isRecord)) return parts;
  throw new WebRequestError(400, "The last message has no list of parts: useChat of the AI SDK 5 and newer sends { id, role, parts }.");
}

/** Parts that aren't the user's words (data of the page) are passed over. */
function contentOf({ type, text, mediaType, url, filename }: JsonObject, place: string): readonly ContentPart[] {
  if (type === "text" && typeof text === "string") return text.trim() === "" ? [] : [{ type, text }];
  if (type !== "file") return [];
  if (typeof mediaType !== "string" || typeof url !== "string") {
    throw new WebRequestError(400, `${place} is a file, which has a mediaType and a url.`);
  }
  const source = sourceOf(url, place);
  if (mediaType.startsWith("image/")) return [{ type: "image", mediaType, ...source }];
  return [{ type: "file", mediaType, ...(typeof filename === "string" && { filename }), ...source }];
}

function sourceOf(url: string, place: string): { readonly data: string } | { readonly url: string } {
  if (/^https?:\/\//i.test(url)) return { url };
  const comma = url.indexOf(",");
  const data = /^data:[^,]*;base64$/i.test(url.slice(0, comma)) ? url.slice(comma + 1) : undefined;
  if (data !== undefined && /^[\w+/=-]+$/.test(data)) return { data };
  throw new WebRequestError(400, `${place} has a url that is neither http(s) nor data in base64: "${url.slice(0, 40)}".`);
}
