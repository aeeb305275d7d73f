import type { ChatRequest } from "../chat-model.js";
import { historyRulesOf } from "./history/history-rules.js";
import type { AiSdkCallOptions, AiSdkLanguageModel } from "./language-model.js";
import { toPrompt } from "./prompt.js";
import { isStrict, withoutStrictOutput } from "./strict-output.js";
import { toolOffer } from "./tool-offer.js";

/** A request as it goes to a package, and what of it the provider can't do. */
export interface CallPlan {
  readonly options: AiSdkCallOptions;
  readonly warnings: readonly string[];
}

/** A request in the AI SDK's form, with nothing in it that nobody asked for. */
export function toCallOptions(request: ChatRequest, model: AiSdkLanguageModel): CallPlan {
  const { messages, options = {}, responseFormat, abortSignal } = request;
  const { stopSequences, cachePrompt = false, ...settings } = options;
  const prompt = toPrompt(messages, {
    specification: model.specificationVersion,
    rules: historyRulesOf(model),
    isCached: cachePrompt && model.provider.includes("anthropic"),
  });
  const offer = toolOffer(request, model, prompt);
  return {
    options: {
      ...settings,
      prompt,
      ...(stopSequences !== undefined && { stopSequences: [...stopSequences] }),
      ...offer.options,
      ...(responseFormat !== undefined && { responseFormat: { type: "json", ...responseFormat } }),
      ...(responseFormat !== undefined &&
        !isStrict(responseFormat.schema) && { providerOptions: withoutStrictOutput(model.provider, options.providerOptions) }),
      ...(abortSignal !== undefined && { abortSignal }),
    },
    warnings: offer.warnings,
  };
}
