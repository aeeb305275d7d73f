import type { ChatRequest } from "../../chat-model.js";
import { type AiSdkLanguageModel, referenceTo } from "../language-model.js";
import { changesByReference, changesByValue } from "./anthropic-changes.js";
import { changeRuleOf } from "./change-rules.js";
import { frozenForm } from "./frozen-form.js";
import { allowListForm } from "./open-ai-changes.js";
import { refuseManyLateTools } from "./late-limits.js";
import type { SentForm, ToWire } from "./sent-form.js";

/** The form of a request that this model takes. Throws `ModelError` if the conversation holds more than it takes. The beginning of earlier requests is kept if the model has a way to learn what changed. */
export function formOfRequest(request: ChatRequest, model: AiSdkLanguageModel, toWire: ToWire): SentForm {
  const { growing } = request;
  if (growing === undefined) return request;
  const rule = changeRuleOf(model);
  if (rule === "by_value" || rule === "by_reference") refuseManyLateTools(growing, referenceTo(model));
  switch (rule) {
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
