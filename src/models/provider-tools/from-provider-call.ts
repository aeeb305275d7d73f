import { parseArgumentsText, type ProviderDialect, WireNames, wireSchema } from "../../schema/internal.js";
import { newCallId } from "../call-id.js";
import { checkDialect, checkTools } from "./check-provider-tools.js";
import { type Fields, fieldsOf } from "../fields.js";
import { formOf } from "./to-provider-tools.js";
import { type DescribedTool, describedBy, type ProvidableTool } from "./wire-tool.js";

/** A tool call as `ToolExecutor` takes it. */
export interface ReadCall {
  /** The provider's id of the call; made up where it gives none (Gemini, Ollama). */
  readonly id: string;
  /** The tool's own name; the name as the model wrote it where it is no tool's. */
  readonly name: string;
  /** For the tool's own schema, not yet checked against it; the text as the model wrote it where that is no JSON object. */
  readonly arguments: string | Record<string, unknown>;
}

/**
 * Reads a tool call as a provider's API gives it: a member of `tool_calls` (OpenAI's chat completions, Mistral, Ollama), an
 * item `function_call` (responses), a block `tool_use` (Anthropic), a part with `functionCall` (Gemini) or `toolUse`
 * (Bedrock). `tools` are those of `toProviderTools`. Names and arguments come back as the tool's own: renamed properties,
 * values that were written as texts, null for optional properties that are left out. A null that the tool's schema takes stays.
 *
 * A call alone doesn't say whether its answer was withheld or cut off: read whole responses with `fromProviderResponse`.
 * Throws `TypeError` for what is no call.
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
