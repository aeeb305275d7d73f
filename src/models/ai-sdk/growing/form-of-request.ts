import type { ChatRequest, ModelTool } from "../../chat-model.js";
import type { GrowingRequest } from "../../prefix.js";
import { type AiSdkLanguageModel, referenceTo } from "../language-model.js";
import { changesByReference, changesByValue } from "./anthropic-changes.js";
import { runsProviderTool } from "../provider-calls.js";
import { changeRuleOf } from "./change-rules.js";
import { frozenForm, isFrozen } from "./frozen-form.js";
import { allowListForm } from "./open-ai-changes.js";
import { refuseManyLateTools } from "./late-limits.js";
import { restartingForm, sinceRestart } from "./restart.js";
import { changesIn, type SentForm, type ToWire } from "./sent-form.js";

/**
 * The form of a request that this model takes. The beginning of earlier requests is kept if the model has a way to learn what changed.
 * `isSearching`: the search for deferred tools is sent in OpenAI's own form. Throws `ModelError` if the conversation holds more than the
 * model takes.
 */
export function formOfRequest(request: ChatRequest, model: AiSdkLanguageModel, toWire: ToWire, isSearching: boolean): SentForm {
  // Nothing may have changed so far, and the thinking before one of the answers still be left out.
  if (isFrozen(model, request.messages)) return frozenForm(request, growingOf(request, model));
  if (request.growing === undefined) return request;
  const rule = changeRuleOf(model);
  const growing = withoutForeignTools(request.growing, model);
  if (rule === "by_value" || rule === "by_reference") refuseManyLateTools(sinceRestart(growing), referenceTo(model));
  switch (rule) {
    case "by_value":
      return restartingForm(growing, (since) => changesByValue(since, toWire));
    case "by_reference":
      return restartingForm(growing, changesByReference);
    case "allow_list":
      return allowListForm(request, growing, model, toWire, isSearching);
    default:
      return request;
  }
}

/** The form of a request whose thinking the provider has rejected, if the provider has no option to drop it. */
export const formWithoutThinking = (request: ChatRequest, model: AiSdkLanguageModel): SentForm =>
  frozenForm(request, growingOf(request, model), true);

const growingOf = ({ growing, messages, tools }: ChatRequest, model: AiSdkLanguageModel): GrowingRequest =>
  withoutForeignTools(growing ?? { messages, tools }, model);

/** A conversation that began with another provider may hold that one's own tools. */
function withoutForeignTools(growing: GrowingRequest, model: AiSdkLanguageModel): GrowingRequest {
  const isOwn = ({ providerTool }: ModelTool): boolean => providerTool === undefined || runsProviderTool(model, providerTool.id);
  if (growing.tools.every(isOwn) && changesIn(growing).every(({ offered = [] }) => offered.every(isOwn))) return growing;
  return {
    tools: growing.tools.filter(isOwn),
    messages: growing.messages.map((entry) =>
      entry.role === "change" && entry.offered !== undefined ? { ...entry, offered: entry.offered.filter(isOwn) } : entry,
    ),
  };
}
