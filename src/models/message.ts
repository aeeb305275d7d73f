import type { Attachment, ContentPart, ToolErrorType } from "../tool/index.js";

export type { Attachment, ContentPart, FilePart, ImagePart } from "../tool/index.js";

/** A tool call as the model wrote it. */
export interface ToolCall {
  /** The id of the call, which its result refers to. */
  readonly id: string;
  /** The tool's name. */
  readonly name: string;
  /** The JSON text as the model wrote it: neither parsed nor validated. */
  readonly arguments: string;
  /** Data that the provider needs back unchanged, such as a thought signature. */
  readonly providerMetadata?: Record<string, unknown>;
}

/** The instructions, as the first message of a request. */
export interface SystemMessage {
  readonly role: "system";
  readonly content: string;
}

/** A message of the user. */
export interface UserMessage {
  readonly role: "user";
  /** The id that a page (`useChat`) gave the message. It isn't sent to models. */
  readonly id?: string;
  /** A string, or a list of parts. */
  readonly content: string | readonly ContentPart[];
}

/** Returns the text of a message's content: its text parts, joined by line breaks. See docs/03-agents.md. */
export const messageText = (content: string | readonly ContentPart[]): string =>
  typeof content === "string" ? content : content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");

/** An answer of the model: text, tool calls, or both. */
export interface AssistantMessage {
  readonly role: "assistant";
  /** The text; empty if the model only called tools. */
  readonly content: string;
  /** The tool calls that the model requested. */
  readonly toolCalls?: readonly ToolCall[];
  /** The reasoning text, if the provider returned it. */
  readonly reasoning?: string;
  /** Data that the provider needs back unchanged in the next request. */
  readonly providerMetadata?: Record<string, unknown>;
}

/** The result of one tool call. */
export interface ToolMessage {
  readonly role: "tool";
  /** The id of the call that it answers. */
  readonly toolCallId: string;
  /** The name of the tool that was called. */
  readonly toolName: string;
  /** The text that the model reads. A note stands in place of each attachment: `[image/png, 12.3 KB]`. */
  readonly content: string;
  /** The images and files of the result, in the order of their notes. */
  readonly attachments?: readonly Attachment[];
  /** Why the call failed; absent if it succeeded. */
  readonly errorType?: ToolErrorType;
}

/** A message of a conversation, as plain JSON. */
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage;
