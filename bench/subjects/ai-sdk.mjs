/**
 * zod + Vercel AI SDK. A call is what its loop does per tool call (parse, validate, `executeTool`), without the loop's
 * callbacks and telemetry. Schemas are wrapped once with its own `zodSchema()`: bare zod schemas cost it far more per step.
 */
import { createRequire } from "node:module";
import { generateText, stepCountIs, tool, zodSchema } from "ai";
import { z } from "zod";
import {
  answer,
  description,
  invalidArguments,
  name,
  nextCallId,
  pause,
  question,
  searchOrders,
  statuses,
  validArguments,
  validText,
  zipPattern,
} from "../fixture.mjs";

// The package that `ai` itself calls; it doesn't export these functions under its own name.
const { executeTool, safeParseJSON, safeValidateTypes } = createRequire(createRequire(import.meta.url).resolve("ai"))(
  "@ai-sdk/provider-utils",
);

const schemaOf = (suffix = "") =>
  z.strictObject({
    customer: z.string().min(1).describe(`Customer name${suffix}`),
    status: z.enum(statuses).default("open").describe("Order status"),
    limit: z.number().int().min(1).max(100).default(10).describe("Most orders to return"),
    tags: z.array(z.string()).optional().describe("Tags"),
    address: z.strictObject({ street: z.string(), zip: z.string().regex(new RegExp(zipPattern)) }).optional(),
  });

const defineTool = (suffix, execute = async (input) => searchOrders(input)) =>
  tool({ description, inputSchema: zodSchema(schemaOf(suffix)), execute });

const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 5, text: 5, reasoning: undefined },
};

const modelOf = (steps) => ({
  specificationVersion: "v3",
  provider: "bench",
  modelId: "scripted",
  supportedUrls: {},
  doGenerate: async ({ prompt }) => {
    const last = prompt[prompt.length - 1];
    const id = nextCallId(last.role === "tool" ? last.content[0].toolCallId : undefined, steps);
    return id === undefined
      ? { content: [{ type: "text", text: answer }], finishReason: { unified: "stop", raw: "stop" }, usage, warnings: [] }
      : {
          content: [{ type: "tool-call", toolCallId: id, toolName: name, input: validText }],
          finishReason: { unified: "tool-calls", raw: "tool_calls" },
          usage,
          warnings: [],
        };
  },
});

export function make() {
  const searchTool = defineTool("");
  const execute = async (parsed) => {
    if (!parsed.success) return parsed.error.message;
    const { execute } = searchTool;
    let output;
    for await (const part of executeTool({ execute, input: parsed.value, options: { toolCallId: "call0", messages: [] } }))
      output = part.output;
    return output;
  };
  const schema = searchTool.inputSchema;
  return {
    textOf: (result) => result,
    calls: {
      object: async () => execute(await safeValidateTypes({ value: validArguments, schema })),
      text: async () => execute(await safeParseJSON({ text: validText, schema })),
      invalid: async () => execute(await safeValidateTypes({ value: invalidArguments, schema })),
    },
    define: (index) => {
      const defined = defineTool(index);
      return { defined, parameters: defined.inputSchema.jsonSchema };
    },
    turn: ({ steps, tools = 1, delay = 0 }) => {
      const run = delay > 0 ? (input) => pause(delay).then(() => searchOrders(input)) : undefined;
      const offered = { [name]: defineTool("", run) };
      for (let index = 1; index < tools; index++) offered[`${name}_${index}`] = defineTool(index, run);
      const model = modelOf(steps);
      return async () => {
        const { text } = await generateText({ model, tools: offered, prompt: question, stopWhen: stepCountIs(steps + 1), maxRetries: 0 });
        return text;
      };
    },
  };
}
