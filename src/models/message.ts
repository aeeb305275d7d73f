import type { ToolErrorType } from "../tool/index.js";

/** A tool call as the model wrote it: `arguments` is the raw text, not yet trusted, not yet parsed. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  /** What a provider wants back untouched with the call (a thought signature, say). */
  readonly providerMetadata?: Record<string, unknown>;
}

export interface SystemMessage {
  readonly role: "system";
  readonly content: string;
}

/** Base64, or where the provider reads it. */
type FileData = { readonly data: string; readonly url?: undefined } | { readonly url: string; readonly data?: undefined };

export type ImagePart = { readonly type: "image"; readonly mediaType: string } & FileData;

export type FilePart = { readonly type: "file"; readonly mediaType: string; readonly filename?: string } & FileData;

/** A piece of what a user says: text, an image or another file. `imagePart` and `filePart` make the latter. */
export type ContentPart = { readonly type: "text"; readonly text: string } | ImagePart | FilePart;

export interface UserMessage {
  readonly role: "user";
  /** The id that a page (`useChat`) gave the message. Models don't read it. */
  readonly id?: string;
  readonly content: string | readonly ContentPart[];
}

/** The text of a message's content: that of its text parts, one below the other. */
export const messageText = (content: string | readonly ContentPart[]): string =>
  typeof content === "string" ? content : content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");

export interface AssistantMessage {
  readonly role: "assistant";
  readonly content: string;
  readonly toolCalls?: readonly ToolCall[];
  readonly reasoning?: string;
  readonly providerMetadata?: Record<string, unknown>;
}

/** The one result of the call `toolCallId`: `content` is the text that the model reads. */
export interface ToolMessage {
  readonly role: "tool";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly content: string;
  readonly errorType?: ToolErrorType;
}

/** A conversation is a list of these. Every message is plain JSON. */
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage;
