import { parseArgumentsText, type ProviderDialect, WireNames, wireSchema } from "../../schema/internal.js";
import { newCallId } from "../tool-call-assembler.js";
import { checkDialect, checkTools } from "./check-provider-tools.js";
import { type Fields, fieldsOf } from "../fields.js";
import { formOf } from "./to-provider-tools.js";
import { describedBy, type DescribedTool, type ProvidableTool } from "./wire-tool.js";

/** A tool call that was read from a provider's response, as `ToolExecutor` takes it. */
export interface ReadCall {
  /** The provider's id of the call; generated if there is none (Gemini, Ollama). */
  readonly id: string;
  /** The tool's own name; the model's text if there is no such tool. */
  readonly name: string;
  /** The arguments for the tool's own schema, not validated yet; the model's text if it isn't a JSON object. */
  readonly arguments: string | Record<string, unknown>;
}

/**
 * Reads one tool call of a provider's API. Prefer `fromProviderResponse`, which also checks that the answer wasn't withheld or cut.
 *
 * `tools` are those that you passed to `toProviderTools`; `call` depends on the API:
 *
 * - OpenAI's chat completions, Mistral, Ollama: an element of `tool_calls`
 * - OpenAI's responses: an item `function_call`
 * - Anthropic: a block `tool_use`
 * - Gemini: a part with `functionCall`
 * - Bedrock: a part with `toolUse`
 *
 * Names and arguments are converted back to the tool's own: renamed properties, values that were sent as text, and null for
 * optional properties, which is removed unless the tool's schema allows it. Throws `TypeError` if the value isn't a call. See
 * docs/11-providers.md.
 */
export function fromProviderCall(call: object, tools: readonly ProvidableTool[], dialect: ProviderDialect): ReadCall {
  checkTools(tools, "fromProviderCall");
  checkDialect(dialect, "fromProviderCall");
  const { id, name, input } = readers[dialect](fieldsOf(call));
  if (typeof name !== "string") {
    throw new TypeError(
      `fromProviderCall: there is no name in this call of ${dialect}: ${String(JSON.stringify(call)).slice(0, 200)}. Give one call of the response.`,
    );
  }
  const tool = toolOf(name, tools);
  const parsed = typeof input === "string" ? parseArgumentsText(input) : { ok: true as const, value: input ?? {} };
  return {
    id: typeof id === "string" && id !== "" ? id : newCallId(),
    name: tool?.name ?? name,
    arguments: argumentsOf(parsed.ok ? restored(parsed.value, tool, dialect) : input),
  };
}

function toolOf(wireName: string, tools: readonly ProvidableTool[]): DescribedTool | undefined {
  // Legal names go out as they are, and most names are legal.
  for (const tool of tools) {
    const described = describedBy(tool);
    if (described?.name === wireName) return described;
  }
  const described = tools.flatMap((tool) => describedBy(tool) ?? []);
  const own = new WireNames([...new Set(described.map((tool) => tool.name))]).toTool(wireName);
  return described.find((tool) => tool.name === own);
}

function restored(value: unknown, tool: DescribedTool | undefined, dialect: ProviderDialect): unknown {
  if (tool === undefined) return value;
  const schema = wireSchema(tool.parametersSchema, formOf(dialect, true));
  return "refused" in schema || schema.restore === undefined ? value : schema.restore(value);
}

/** What is no object goes on as text: the executor says so to the model. */
const argumentsOf = (value: unknown): string | Record<string, unknown> =>
  typeof value === "string"
    ? value
    : typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : JSON.stringify(value);

interface CallParts {
  readonly id: unknown;
  readonly name: unknown;
  readonly input: unknown;
}

function functionCall({ id, function: called }: Fields): CallParts {
  const { name, arguments: input } = fieldsOf(called);
  return { id, name, input };
}

const readers: { readonly [Dialect in ProviderDialect]: (call: Fields) => CallParts } = {
  "openai-chat": functionCall,
  // Its `id` is that of the item.
  "openai-responses": ({ call_id: id, name, arguments: input }) => ({ id, name, input }),
  anthropic: ({ id, name, input }) => ({ id, name, input }),
  gemini: (part) => {
    const { id, name, args: input } = fieldsOf(part.functionCall ?? part);
    return { id, name, input };
  },
  bedrock: (block) => {
    const { toolUseId: id, name, input } = fieldsOf(block.toolUse ?? block);
    return { id, name, input };
  },
  mistral: functionCall,
  ollama: functionCall,
};
