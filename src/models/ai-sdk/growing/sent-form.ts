import type { ModelTool } from "../../chat-model.js";
import type { Message } from "../../message.js";
import type { ChangeEntry, GrowingRequest } from "../../prefix.js";
import type { AiSdkMessage } from "../language-model.js";

/** The tools in the provider's form. */
export type ToWire = (tools: readonly ModelTool[]) => readonly ModelTool[];

/** Writes a change as the provider takes it. */
export type ChangeWriter = (change: ChangeEntry) => readonly AiSdkMessage[];

/** What a request is sent as. */
export interface SentForm {
  readonly messages: readonly (Message | ChangeEntry)[];
  /** What is declared at the beginning of the request. */
  readonly tools: readonly ModelTool[];
  /** Declared as well, and no part of the beginning: they are loaded by a change. */
  readonly laterTools?: readonly ModelTool[];
  /** The names of the tools that may be called, if it isn't all that are declared. */
  readonly allowedTools?: readonly string[];
  /** Makes what writes the changes of one request, in their order: what it writes depends on what it wrote before. */
  readonly changeWriter?: () => ChangeWriter;
  /** The tools that each result of a search loads, if the search is in OpenAI's own form. */
  readonly searches?: ReadonlyMap<Message, readonly ModelTool[]>;
  /** Whether thinking before this request is left out, in this request and in all later ones. */
  readonly stripsThinking?: boolean;
  /** Whether the beginning is written anew, and is that of all later requests. */
  readonly restarts?: boolean;
}

/** All changes of a request, in their order. */
export const changesIn = ({ messages }: GrowingRequest): readonly ChangeEntry[] => messages.filter((entry) => entry.role === "change");

/** Instructions that replace earlier ones, as a message behind them. */
export const changedInstructions = (instructions: string | null): string =>
  instructions === null
    ? "The instructions above don't apply any more."
    : `The instructions have changed. These replace the earlier ones:\n\n${instructions}`;
