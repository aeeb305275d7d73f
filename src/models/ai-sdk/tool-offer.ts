import type { ChatRequest, ModelOptions, ModelTool, ToolChoice } from "../chat-model.js";
import { searchToolName } from "../found-tools.js";
import { takesExamples } from "./wire-request.js";
import { claudeVersionOf, isAnthropic } from "./claude-version.js";
import { isFrozen } from "./growing/frozen-form.js";
import type { SentForm } from "./growing/sent-form.js";
import type { AiSdkCallOptions, AiSdkLanguageModel, AiSdkMessage, AiSdkTool } from "./language-model.js";

/** The tools of a request, and whether the model must call one. */
export interface ToolOffer {
  readonly options: Pick<AiSdkCallOptions, "tools" | "toolChoice">;
  /** The tools that may be called, of a provider that takes them as an option of its own. */
  readonly allowed?: AllowedTools | undefined;
  /** What was asked for, and can't be had of this provider. */
  readonly warnings: readonly string[];
}

/** https://platform.openai.com/docs/api-reference/responses/create, "tool_choice", "allowed_tools". */
export interface AllowedTools {
  readonly toolNames: readonly string[];
  readonly mode: "auto" | "required";
}

/**
 * What is offered to the model. A choice never changes the list of tools: it is a part of what providers cache and check. Packages that
 * would cut the list down to the tool that must be called get another choice.
 */
export function toolOffer(request: ChatRequest, form: SentForm, model: AiSdkLanguageModel, prompt: readonly AiSdkMessage[]): ToolOffer {
  const { toolChoice, options } = request;
  const { tools, laterTools = [], allowedTools } = form;
  // Such a model checks the tools of each request. The executor rejects its calls.
  const keepsTools = toolChoice === "none" && isFrozen(model, request.messages);
  if (model.provider.startsWith("amazon-bedrock") && (tools.length === 0 || (toolChoice === "none" && !keepsTools))) {
    const called = calledTools(prompt);
    if (called.size > 0) return { options: { tools: closed(tools.length > 0 ? tools : [...called].map(unknownTool)) }, warnings: [] };
  }
  // Providers reject `toolChoice` without tools.
  if (tools.length + laterTools.length === 0) return { options: {}, warnings: [] };
  const own = ownSettings(model, options);
  const later = { anthropic: { ...own?.anthropic, deferLoading: true }, openai: { omitFromRequestTools: true } };
  const sent = [...toTools(tools, model, own), ...toTools(laterTools, model, later)];
  if (allowedTools?.length === 0) return { options: { tools: sent, toolChoice: { type: "none" } }, warnings: [] };
  if (allowedTools !== undefined && (toolChoice === undefined || toolChoice === "auto" || toolChoice === "required"))
    return { options: { tools: sent }, allowed: { toolNames: allowedTools, mode: toolChoice ?? "auto" }, warnings: [] };
  if (toolChoice === undefined || keepsTools) return { options: { tools: sent }, warnings: [] };
  const choice = isUnlisted(toolChoice, request.tools, form, model) ? "auto" : possibleChoice(toolChoice, model, form, options);
  const warnings = choice === toolChoice ? [] : [choiceWarning(toolChoice, choice, model)];
  return { options: { tools: sent, toolChoice: toToolChoice(choice) }, warnings };
}

/**
 * Anthropic's package adds this setting to the tools of streamed requests alone. They all have it, because a conversation may have both
 * kinds of requests, and its tools must stay the same.
 */
function ownSettings({ provider }: AiSdkLanguageModel, { providerOptions }: ModelOptions = {}): ToolSettings | undefined {
  const isStreamed = isAnthropic(provider) && providerOptions?.anthropic?.toolStreaming !== false;
  return isStreamed ? { anthropic: { eagerInputStreaming: true } } : undefined;
}

/** The options of a tool for each provider's package. */
type ToolSettings = Readonly<Record<string, Readonly<Record<string, boolean>>>>;

const toToolChoice = (choice: ToolChoice): NonNullable<AiSdkCallOptions["toolChoice"]> =>
  typeof choice === "string" ? { type: choice } : { type: "tool", toolName: choice.tool };

/**
 * The tools in the AI SDK's form. By default, OpenAI's Responses API makes every tool strict whose schema allows it
 * (its `FunctionTool.strict`), so `strict` is always sent there; elsewhere only if the tool sets it.
 */
function toTools(tools: readonly ModelTool[], model: AiSdkLanguageModel, settings: ToolSettings | undefined): AiSdkTool[] {
  const isAlwaysSaid = /^(openai|azure)(\.|$)/.test(model.provider);
  const keepsExamples = takesExamples(model);
  return tools.map(({ examples, ...tool }) => {
    const entry = toolEntry(
      { ...(isAlwaysSaid && { strict: false }), ...tool, ...(keepsExamples && examples !== undefined && { examples }) },
      model.specificationVersion,
    );
    return settings !== undefined && entry.type === "function" ? { ...entry, providerOptions: settings } : entry;
  });
}

/** A tool in the AI SDK's form. */
export const toolEntry = (
  { name, description, parameters, strict, examples, providerTool }: ModelTool,
  specification: string,
): AiSdkTool =>
  providerTool !== undefined
    ? { type: specification === "v2" ? "provider-defined" : "provider", id: providerTool.id, name, args: providerTool.args }
    : {
        type: "function",
        name,
        description,
        inputSchema: parameters,
        ...(strict !== undefined && { strict }),
        ...(examples !== undefined && { inputExamples: examples.map((input) => ({ input })) }),
      };

function calledTools(prompt: readonly AiSdkMessage[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const message of prompt) {
    if (message.role === "assistant") for (const part of message.content) if (part.type === "tool-call") names.add(part.toolName);
  }
  return names;
}

const unknownTool = (name: string): ModelTool => ({ name, description: "", parameters: { type: "object", properties: {} } });

/**
 * Bedrock's Converse has no choice `none`. Without any tool its package leaves all calls and results out of the history, so the tools
 * stay declared, and say themselves that they can't be called. The executor refuses a call of them.
 */
const closed = (tools: readonly ModelTool[]): AiSdkTool[] =>
  tools.map(({ name, parameters }) => ({
    type: "function",
    name,
    description: "Not available now. Answer without calling it.",
    inputSchema: parameters,
  }));

function possibleChoice(choice: ToolChoice, model: AiSdkLanguageModel, { searches }: SentForm, options: ModelOptions = {}): ToolChoice {
  const isForced = choice === "required" || typeof choice === "object";
  if (isForced && refusesForce(model, options)) return "auto";
  if (typeof choice !== "object") return choice;
  // OpenAI's own search can't be named.
  const isNameless = searches !== undefined && choice.tool === searchToolName;
  return isNameless || /^(mistral|cohere|amazon-bedrock)/.test(model.provider) ? "required" : choice;
}

/** OpenAI can't force a call of a tool that isn't in the list at the beginning. */
function isUnlisted(choice: ToolChoice, current: readonly ModelTool[], { tools }: SentForm, { provider }: AiSdkLanguageModel): boolean {
  if (!/^(openai|azure)\./.test(provider)) return false;
  const listed = new Set(tools.map(({ name }) => name));
  const isListed = (name: string): boolean => listed.has(name) || name === searchToolName;
  if (typeof choice === "object") return !isListed(choice.tool);
  return choice === "required" && !current.some(({ name }) => isListed(name));
}

/** Claude since Fable 5.1, Mythos 5.1, Opus 5.5 and Sonnet 5.5, and each Claude that thinks with a budget. */
function refusesForce(model: AiSdkLanguageModel, { providerOptions = {} }: ModelOptions): boolean {
  if (!model.modelId.includes("claude")) return false;
  const { family, version = 0 } = claudeVersionOf(model) ?? {};
  const newest = family === "fable" || family === "mythos" ? version >= 501 : family !== "haiku" && version >= 505;
  return newest || thinksWithBudget(providerOptions);
}

const thinksWithBudget = ({ anthropic, bedrock }: NonNullable<ModelOptions["providerOptions"]>): boolean =>
  [anthropic?.thinking, bedrock?.reasoningConfig].some(
    (thinking) => (thinking as { readonly type?: string } | undefined)?.type === "enabled",
  );

const choiceWarning = (asked: ToolChoice, sent: ToolChoice, { provider, modelId }: AiSdkLanguageModel): string =>
  `toolChoice ${JSON.stringify(asked)}: ${modelId} of ${provider} can't be forced to call ${typeof asked === "object" ? "one tool" : "a tool"}; ` +
  `${JSON.stringify(sent)} was sent, with all tools. Say in the instructions which tool to call.`;
