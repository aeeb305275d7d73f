import { parseArgumentsText } from "../../../schema/internal.js";
import type { ModelTool } from "../../chat-model.js";
import { searchToolName } from "../../found-tools.js";
import type { ToolCall } from "../../message.js";
import { argumentsText } from "../arguments-text.js";
import type { AiSdkAssistantPart, AiSdkCallOptions, AiSdkContent, AiSdkLanguageModel } from "../language-model.js";

/**
 * OpenAI's form for a search that the application runs: the model calls `tool_search`, and the result loads the definitions of the tools
 * that were found. They are no part of the list of tools, so that the request still begins as before.
 */
const wireName = "tool_search";
const wireId = "openai.tool_search";

/** Marks a call that was made in this form, among its metadata: it goes back in this form alone. */
const searchMark = { toolwright: { clientSearch: true } };

/**
 * https://developers.openai.com/api/docs/guides/tools-tool-search: "Only gpt-5.4 and later models support tool_search". The smallest models
 * lack it. The names of Azure's deployments don't say which model they are.
 */
export function takesClientSearch({ provider, modelId, specificationVersion }: AiSdkLanguageModel): boolean {
  if (provider !== "openai.responses" || specificationVersion === "v2" || modelId.includes("-nano")) return false;
  const [, major, minor = "0"] = /(?:^|[:/])gpt-(\d+)(?:\.(\d+))?(?!\d)/.exec(modelId) ?? [];
  return major !== undefined && Number(major) * 100 + Number(minor) >= 504;
}

/** The lists as they were written, by the list: most requests of a run have the same one. */
const written = new WeakMap<readonly ModelTool[], readonly ModelTool[]>();

/** Whether a list has the search, and a name for it in OpenAI's form. */
export const hasClientSearch = (tools: readonly ModelTool[]): boolean =>
  tools.some(({ findsTools }) => findsTools) && tools.every(({ name }) => name !== wireName);

/** The list with the search in OpenAI's form. */
export function withClientSearch(tools: readonly ModelTool[]): readonly ModelTool[] {
  let list = written.get(tools);
  if (list === undefined) written.set(tools, (list = tools.map((tool) => (tool.findsTools === true ? inForm(tool) : tool))));
  return list;
}

const inForm = ({ description, parameters }: ModelTool): ModelTool => ({
  name: wireName,
  description,
  parameters,
  providerTool: { id: wireId, args: { execution: "client", description, parameters } },
});

/** The name by which the model knows a tool. */
export const nameInForm = (name: string): string => (name === searchToolName ? wireName : name);

/** A part of an answer, with a call of the search like a call of any other tool. */
export function readSearch<Part extends AiSdkContent>(part: Part): Part {
  if (part.toolName !== wireName) return part;
  if (part.type === "tool-input-start") return { ...part, toolName: searchToolName };
  if (part.type !== "tool-call" || part.providerExecuted === true) return part;
  const input = argumentsIn(part.input);
  return { ...part, toolName: searchToolName, input, providerMetadata: { ...part.providerMetadata, ...searchMark } };
}

/** The package wraps the arguments together with the id of the call. */
function argumentsIn(input: unknown): string {
  const text = argumentsText(input);
  const wrapped = parseArgumentsText(text);
  const inner = wrapped.ok ? (wrapped.value as { readonly arguments?: unknown } | null)?.arguments : undefined;
  return inner === undefined ? text : argumentsText(inner);
}

/** Whether the model made the call in OpenAI's form. */
export const isClientSearch = ({ providerMetadata }: ToolCall): boolean =>
  (providerMetadata?.toolwright as { readonly clientSearch?: unknown } | undefined)?.clientSearch === true;

/** The call as the package takes it back. */
export const searchCallPart = ({ id, providerMetadata }: ToolCall, input: object): AiSdkAssistantPart => ({
  type: "tool-call",
  toolCallId: id,
  toolName: wireName,
  input: { arguments: input, call_id: id },
  ...(providerMetadata !== undefined && { providerOptions: providerMetadata }),
});

/** The result as the package takes it. `tools`: in the provider's form. */
export const searchResultPart = (toolCallId: string, tools: readonly ModelTool[]) =>
  ({
    type: "tool-result",
    toolCallId,
    toolName: wireName,
    output: {
      type: "json",
      value: {
        tools: tools.map(({ name, description, parameters, strict = false }) => ({
          type: "function",
          name,
          description,
          parameters,
          strict,
          defer_loading: true,
        })),
      },
    },
  }) as const;

/** The package, or the model, doesn't take the search in this form. */
export class SearchNotTaken extends Error {
  override readonly name = "SearchNotTaken";
}

/** Whether the request that went out has the search. Throws `SearchNotTaken` if it is lost. */
export function showsSearch({ tools = [] }: AiSdkCallOptions, body: unknown): boolean {
  if (body === undefined || !tools.some((tool) => tool.type !== "function" && tool.id === wireId)) return false;
  const text = typeof body === "string" ? body : JSON.stringify(body);
  if (text.includes(`"type":"${wireName}"`)) return true;
  throw new SearchNotTaken();
}

/** Whether a request failed because the package or the model doesn't take the search in this form. */
export function refusesSearch(error: unknown): boolean {
  if (error instanceof SearchNotTaken) return true;
  const { statusCode, message, responseBody } = (error ?? {}) as { statusCode?: unknown; message?: unknown; responseBody?: unknown };
  return statusCode === 400 && [message, responseBody].some((text) => typeof text === "string" && text.includes(wireName));
}

/** `model`: its id. */
export const withoutSearch = (model: string): string =>
  `${model}: the model or its package doesn't take "${wireName}", so the search for deferred tools is sent as a function. What it finds is added ` +
  "to the list of tools, and the provider's cache of the request is lost each time. Install @ai-sdk/openai 3.0.46 or newer.";
