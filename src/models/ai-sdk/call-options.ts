import type { ChatRequest } from "../chat-model.js";
import { attachmentRulesOf } from "./attachments.js";
import type { SentForm } from "./growing/sent-form.js";
import { historyRulesOf } from "./history/history-rules.js";
import type { AiSdkCallOptions, AiSdkLanguageModel } from "./language-model.js";
import { toPrompt } from "./prompt.js";
import { isStrict, withoutStrictOutput } from "./strict-output.js";
import { type AllowedTools, toolOffer } from "./tool-offer.js";

/** A request as it goes to a package, and what of it the provider can't do. */
export interface CallPlan {
  readonly options: AiSdkCallOptions;
  readonly warnings: readonly string[];
}

/**
 * Others reject a format of the answer beside tools (Gemini 2.5, Groq), or make it one more tool. Their models read the schema in
 * the instructions; the agent reads the answer leniently, and asks once more if it doesn't fit.
 */
const takesFormatBesideTools = /^(openai|azure)(\.|$)/;

/** The request with its format in a form that the provider takes, the same at each step. */
function withFormatFor(
  { provider }: AiSdkLanguageModel,
  { messages, tools }: SentForm,
  responseFormat: ChatRequest["responseFormat"],
): { readonly messages: SentForm["messages"]; readonly responseFormat?: ChatRequest["responseFormat"] | undefined } {
  if (responseFormat === undefined || tools.length === 0 || takesFormatBesideTools.test(provider)) return { messages, responseFormat };
  const text = `Write your final answer as one JSON object of this schema, with nothing around it:\n${JSON.stringify(responseFormat.schema)}`;
  const [first, ...others] = messages;
  return first?.role === "system"
    ? { messages: [{ role: "system", content: `${first.content}\n\n${text}` }, ...others] }
    : { messages: [{ role: "system", content: text }, ...messages] };
}

/** A request in the AI SDK's form. It has only the options that the caller set. */
export function toCallOptions(request: ChatRequest, form: SentForm, model: AiSdkLanguageModel): CallPlan {
  const { options = {}, abortSignal } = request;
  const { messages, responseFormat } = withFormatFor(model, form, request.responseFormat);
  const { stopSequences, cachePrompt = false, changesAsUserMessages: _, providerOptions: given, ...settings } = options;
  const tagged = withRunTags(model.provider, given, request.tags);
  const formatted = responseFormat !== undefined && !isStrict(responseFormat.schema) ? withoutStrictOutput(model.provider, tagged) : tagged;
  const prompt = toPrompt(messages, {
    provider: model.provider,
    specification: model.specificationVersion,
    rules: historyRulesOf(model),
    attachments: attachmentRulesOf(model),
    isCached: cachePrompt && model.provider.includes("anthropic"),
    writeChange: form.changeWriter?.(),
    searches: form.searches,
  });
  const offer = toolOffer(request, form, model, prompt);
  const providerOptions = offer.allowed === undefined ? formatted : withAllowedTools(model.provider, formatted, offer.allowed);
  return {
    options: {
      ...settings,
      prompt,
      ...(stopSequences !== undefined && { stopSequences: [...stopSequences] }),
      ...offer.options,
      ...(responseFormat !== undefined && { responseFormat: { type: "json", ...responseFormat } }),
      ...(providerOptions !== undefined && { providerOptions }),
      ...(abortSignal !== undefined && { abortSignal }),
    },
    warnings: offer.warnings,
  };
}

type ProviderOptions = Record<string, Record<string, unknown>>;

// https://platform.openai.com/docs/api-reference/responses/create, "metadata". Chat Completions takes it only for stored answers.
const responsesApi = /^(openai|azure)\.responses$/;
const mostPairs = 16;
const longestKey = 64;
const longestValue = 512;

/** What the application says itself about the tools that may be called stays as it is. */
function withAllowedTools(provider: string, options: ProviderOptions | undefined, allowed: AllowedTools): ProviderOptions {
  const name = responsesApi.exec(provider)?.[1] ?? provider;
  return { ...options, [name]: { allowedTools: allowed, ...options?.[name] } };
}

/**
 * The provider options with the tags of the run as metadata, if the provider takes metadata. Metadata that the application set stays
 * as it is. Pairs that the provider would reject the request for are left out.
 */
function withRunTags(
  provider: string,
  options: ProviderOptions | undefined,
  tags: Readonly<Record<string, string>> | undefined,
): ProviderOptions | undefined {
  const name = responsesApi.exec(provider)?.[1];
  if (tags === undefined || name === undefined) return options;
  const pairs = Object.entries(tags).filter(([key, value]) => key.length <= longestKey && value.length <= longestValue);
  if (pairs.length === 0) return options;
  return { ...options, [name]: { metadata: Object.fromEntries(pairs.slice(0, mostPairs)), ...options?.[name] } };
}
