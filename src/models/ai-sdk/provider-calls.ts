import type { AnswerSource, ProviderCall } from "../chat-model.js";
import type { AiSdkContent, AiSdkLanguageModel } from "./language-model.js";
import { argumentsText } from "./arguments-text.js";

/** The providers whose APIs take the tools of another one's name; a tool of any other provider is taken by its own packages. */
const takers: Readonly<Record<string, RegExp>> = {
  anthropic: /(^|\.)anthropic(\.|$)/,
  openai: /^(openai|azure)\.responses$/,
  xai: /^xai\.responses$/,
};

/** Whether the provider of the model runs the tool with this id. A gateway passes it on to the provider of the model. */
export function runsProviderTool({ provider, modelId }: Pick<AiSdkLanguageModel, "provider" | "modelId">, id: string): boolean {
  const [owner = ""] = id.split(".");
  if (provider === "gateway") return modelId.startsWith(`${owner}/`);
  return takers[owner]?.test(provider) ?? provider.split(".")[0] === owner;
}

/** Whether the provider ran the call, or made the result, itself. */
export const isProviderPart = ({ type, providerExecuted }: Pick<AiSdkContent, "type" | "providerExecuted">): boolean =>
  type === "tool-result" || (type === "tool-call" && providerExecuted === true);

/** Whether the provider made the part from the history before it: no text of the answer, though Anthropic's is one. */
export const isCompaction = ({ type, kind, providerMetadata }: Pick<AiSdkContent, "type" | "kind" | "providerMetadata">): boolean =>
  type === "custom"
    ? kind?.endsWith(".compaction") === true
    : type === "text" && (providerMetadata?.anthropic as { readonly type?: unknown } | undefined)?.type === "compaction";

/** The calls that the provider ran itself. */
export function providerCallsIn(content: readonly AiSdkContent[]): readonly ProviderCall[] {
  const calls = new Map<string, ProviderCall>();
  for (const part of content) {
    if (!isProviderPart(part)) continue;
    const { type, toolCallId: id = "", toolName: name = "", input, result, isError } = part;
    const call = calls.get(id) ?? { id, name, arguments: type === "tool-call" ? argumentsText(input) : "" };
    calls.set(id, type === "tool-call" ? call : { ...call, result, ...(isError === true && { isError }) });
  }
  return [...calls.values()];
}

/** The pages that the provider names as sources. */
export const sourcesIn = (content: readonly AiSdkContent[]): readonly AnswerSource[] =>
  content.flatMap(({ type, url, title }) =>
    type === "source" && url !== undefined ? [{ url, ...(title !== undefined && { title }) }] : [],
  );
