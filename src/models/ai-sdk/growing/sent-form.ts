import type { ChatRequest, ModelTool } from "../../chat-model.js";
import type { Message } from "../../message.js";
import type { ChangeEntry, GrowingRequest } from "../../prefix.js";
import type { AiSdkLanguageModel, AiSdkMessage } from "../language-model.js";
import { changesByReference, changesByValue } from "./anthropic-changes.js";
import { changeRuleOf } from "./change-rules.js";
import { frozenForm } from "./frozen-form.js";
import { allowListForm } from "./open-ai-changes.js";

/** The tools in the provider's form. */
export type ToWire = (tools: readonly ModelTool[]) => readonly ModelTool[];

/** What a request is sent as. */
export interface SentForm {
  readonly messages: readonly (Message | ChangeEntry)[];
  /** What is declared at the beginning of the request. */
  readonly tools: readonly ModelTool[];
  /** Declared as well, and no part of the beginning: they are loaded by a change. */
  readonly laterTools?: readonly ModelTool[];
  /** The names of the tools that may be called, if it isn't all that are declared. */
  readonly allowedTools?: readonly string[];
  /** Writes a change of the messages. Changes that come together are written together. */
  readonly writeChange?: (change: ChangeEntry) => readonly AiSdkMessage[];
  /** Whether thinking before this request is left out, in this request and in all later ones. */
  readonly stripsThinking?: boolean;
}

/** The form of a request that this model takes. The beginning of earlier requests is kept if the model has a way to learn what changed. */
export function sentForm(request: ChatRequest, model: AiSdkLanguageModel, toWire: ToWire): SentForm {
  const { growing } = request;
  if (growing === undefined) return request;
  switch (changeRuleOf(model)) {
    case "by_value":
      return changesByValue(growing, toWire) ?? request;
    case "by_reference":
      return changesByReference(growing) ?? request;
    case "allow_list":
      return allowListForm(request, growing, model, toWire);
    case "frozen":
      return frozenForm(request, growing);
    default:
      return request;
  }
}

/** All changes of a request, in their order. */
export const changesIn = ({ messages }: GrowingRequest): readonly ChangeEntry[] => messages.filter((entry) => entry.role === "change");

/** Instructions that replace earlier ones, as a message behind them. */
export const changedInstructions = (instructions: string | null): string =>
  instructions === null
    ? "The instructions above don't apply any more."
    : `The instructions have changed. These replace the earlier ones:\n\n${instructions}`;
