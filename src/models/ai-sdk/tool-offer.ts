import type { ChatRequest, ModelOptions, ModelTool, ToolChoice } from "../chat-model.js";
import { takesExamples } from "./wire-request.js";
import type { AiSdkCallOptions, AiSdkLanguageModel, AiSdkMessage, AiSdkTool } from "./language-model.js";

/** The tools of a request, and whether the model must call one. */
export interface ToolOffer {
  readonly options: Pick<AiSdkCallOptions, "tools" | "toolChoice">;
  /** What was asked for, and can't be had of this provider. */
  readonly warnings: readonly string[];
}

/**
 * What is offered to the model. A choice never changes the list of tools: it is a part of what providers cache and check. Packages that
 * would cut the list down to the tool that must be called get another choice.
 */
export function toolOffer(request: ChatRequest, model: AiSdkLanguageModel, prompt: readonly AiSdkMessage[]): ToolOffer {
  const { tools, toolChoice, options } = request;
  if (model.provider.startsWith("amazon-bedrock") && (tools.length === 0 || toolChoice === "none")) {
    const called = calledTools(prompt);
    if (called.size > 0) return { options: { tools: closed(tools.length > 0 ? tools : [...called].map(unknownTool)) }, warnings: [] };
  }
  // Providers reject `toolChoice` without tools.
  if (tools.length === 0) return { options: {}, warnings: [] };
  const sent = toTools(tools, model);
  if (toolChoice === undefined) return { options: { tools: sent }, warnings: [] };
  const choice = possibleChoice(toolChoice, model, options);
  const warnings = choice === toolChoice ? [] : [choiceWarning(toolChoice, choice, model)];
  return { options: { tools: sent, toolChoice: toToolChoice(choice) }, warnings };
}

const toToolChoice = (choice: ToolChoice): NonNullable<AiSdkCallOptions["toolChoice"]> =>
  typeof choice === "string" ? { type: choice } : { type: "tool", toolName: choice.tool };

/**
 * The tools in the AI SDK's form. By default, OpenAI's Responses API makes every tool strict whose schema allows it
 * (its `FunctionTool.strict`), so `strict` is always sent there; elsewhere only if the tool sets it.
 */
function toTools(tools: readonly ModelTool[], model: AiSdkLanguageModel): AiSdkTool[] {
  const always = /^(openai|azure)(\.|$)/.test(model.provider);
  const keepsExamples = takesExamples(model);
  return tools.map(({ name, description, parameters, examples, strict = always ? false : undefined }) => ({
    type: "function",
    name,
    description,
    inputSchema: parameters,
    ...(strict !== undefined && { strict }),
    ...(keepsExamples && examples !== undefined && { inputExamples: examples.map((input) => ({ input })) }),
  }));
}

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

function possibleChoice(choice: ToolChoice, model: AiSdkLanguageModel, options: ModelOptions = {}): ToolChoice {
  const isForced = choice === "required" || typeof choice === "object";
  if (isForced && refusesForce(model, options)) return "auto";
  return typeof choice === "object" && /^(mistral|cohere|amazon-bedrock)/.test(model.provider) ? "required" : choice;
}

/** Claude since Fable 5.1, Mythos 5.1, Opus 5.5 and Sonnet 5.5, and each Claude that thinks with a budget. */
function refusesForce({ modelId }: AiSdkLanguageModel, { providerOptions = {} }: ModelOptions): boolean {
  const claude = /claude-(?:(fable|mythos)|opus|sonnet)-(\d+)(?:[-.](\d{1,2})(?!\d))?/.exec(modelId);
  if (claude === null) return modelId.includes("claude") && thinksWithBudget(providerOptions);
  const [, oldest, major, minor = "0"] = claude;
  const version = Number(major) * 100 + Number(minor);
  return version >= (oldest === undefined ? 505 : 501) || thinksWithBudget(providerOptions);
}

const thinksWithBudget = ({ anthropic, bedrock }: NonNullable<ModelOptions["providerOptions"]>): boolean =>
  [anthropic?.thinking, bedrock?.reasoningConfig].some(
    (thinking) => (thinking as { readonly type?: string } | undefined)?.type === "enabled",
  );

const choiceWarning = (asked: ToolChoice, sent: ToolChoice, { provider, modelId }: AiSdkLanguageModel): string =>
  `toolChoice ${JSON.stringify(asked)}: ${modelId} of ${provider} can't be forced to call ${typeof asked === "object" ? "one tool" : "a tool"}; ` +
  `${JSON.stringify(sent)} was sent, with all tools. Say in the instructions which tool to call.`;
