import type { ModelTool } from "./chat-model.js";
import type { Message } from "./message.js";

/** What of a conversation's instructions and tools changed at one place of its history. Members that are left out stayed as they were. */
export interface ConversationChange {
  /** The instructions from here on; `null` if there are none any more. */
  readonly instructions?: string | null;
  /** The tools that can be called from here on. A definition replaces an earlier one of the same name. */
  readonly offered?: readonly ModelTool[];
  /** The names of the tools that can't be called from here on. */
  readonly withdrawn?: readonly string[];
}

/** A change at its place in the history. It is no message: a model that can't read it gets the instructions and tools as they are now. */
export interface ChangeEntry extends ConversationChange {
  readonly role: "change";
}

/** A change in stored form. */
export interface PlacedChange extends ConversationChange {
  /** How many messages of the history come before it. */
  readonly after: number;
}

/** What the first request of a conversation began with, as it went out, and what changed since. Plain JSON. */
export interface ConversationPrefix {
  /** The instructions; left out if there were none. */
  readonly instructions?: string;
  /** The tools, in their order. */
  readonly tools: readonly ModelTool[];
  /** Left out if nothing changed. */
  readonly changes?: readonly PlacedChange[];
}

/**
 * A request that only grows: it begins like all earlier ones of its conversation, and what changed since stands in its place.
 *
 * Providers cache the beginning of a request, and some reject or ignore a model's thinking after the beginning has changed.
 */
export interface GrowingRequest {
  /** The first instructions, then the history with the changes. */
  readonly messages: readonly (Message | ChangeEntry)[];
  /** The tools of the first request. */
  readonly tools: readonly ModelTool[];
}

/** The part of a request that isn't as it was in the request before. Of several, the one that comes first. */
export type ChangedPart = "model" | "tools" | "instructions" | "messages";
