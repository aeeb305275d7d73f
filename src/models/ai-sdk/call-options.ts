import type { ChatRequest, ToolChoice } from "../chat-model.js";
import type { AiSdkCallOptions, AiSdkLanguageModel } from "./language-model.js";
import { toPrompt, toTools } from "./prompt.js";
import { isStrict, withoutStrictOutput } from "./strict-output.js";

/** A request in the AI SDK's form, with nothing in it that nobody asked for. */
export function toCallOptions(request: ChatRequest, model: AiSdkLanguageModel): AiSdkCallOptions {
  const { messages, tools, options = {}, toolChoice, responseFormat, abortSignal } = request;
  const { stopSequences, cachePrompt = false, ...settings } = options;
  return {
    ...settings,
    prompt: toPrompt(messages, {
      specification: model.specificationVersion,
      isCached: cachePrompt && model.provider.includes("anthropic"),
    }),
    ...(stopSequences !== undefined && { stopSequences: [...stopSequences] }),
    ...(tools.length > 0 && { tools: toTools(tools, model.provider) }),
    // Providers refuse a choice where there is nothing to choose from.
    ...(tools.length > 0 && toolChoice !== undefined && { toolChoice: toToolChoice(toolChoice) }),
    ...(responseFormat !== undefined && { responseFormat: { type: "json", ...responseFormat } }),
    ...(responseFormat !== undefined &&
      !isStrict(responseFormat.schema) && { providerOptions: withoutStrictOutput(model.provider, options.providerOptions) }),
    ...(abortSignal !== undefined && { abortSignal }),
  };
}

const toToolChoice = (choice: ToolChoice): NonNullable<AiSdkCallOptions["toolChoice"]> =>
  typeof choice === "string" ? { type: choice } : { type: "tool", toolName: choice.tool };
