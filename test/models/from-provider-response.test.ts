import { fromProviderResponse } from "../../src/models/provider-tools/index.js";
import { description, required, Tool } from "../../src/tool/index.js";

@description("Orders goods. Use when the user wants to buy.")
class OrderTool extends Tool {
  @required(String) item!: string;

  call() {
    return this.item;
  }
}

type Dialect = Parameters<typeof fromProviderResponse>[2];

const name = "order_tool";
const inputs = [{ item: "hat" }, { item: "coat" }];
const functions = inputs.map((input, index) => ({
  id: `c${index}`,
  type: "function",
  function: { name, arguments: JSON.stringify(input) },
}));

/** The response with two calls, by its provider's word for the end. */
const responses: { readonly [Name in Dialect]: (end: string) => object } = {
  "openai-chat": (end) => ({ choices: [{ finish_reason: end, message: { role: "assistant", content: null, tool_calls: functions } }] }),
  "openai-responses": (end) => ({
    ...(end === "completed" ? { status: end, incomplete_details: null } : { status: "incomplete", incomplete_details: { reason: end } }),
    output: [
      { type: "reasoning", id: "r1", summary: [] },
      ...inputs.map((input, index) => ({ type: "function_call", call_id: `c${index}`, name, arguments: JSON.stringify(input) })),
    ],
  }),
  anthropic: (end) => ({
    stop_reason: end,
    content: [{ type: "text", text: "I order." }, ...inputs.map((input, index) => ({ type: "tool_use", id: `c${index}`, name, input }))],
  }),
  gemini: (end) => ({
    candidates: [
      { finishReason: end, content: { parts: inputs.map((args, index) => ({ functionCall: { id: `c${index}`, name, args } })) } },
    ],
  }),
  bedrock: (end) => ({
    stopReason: end,
    output: { message: { content: inputs.map((input, index) => ({ toolUse: { toolUseId: `c${index}`, name, input } })) } },
  }),
  mistral: (end) => ({ choices: [{ finishReason: end, message: { toolCalls: functions } }] }),
  ollama: (end) => ({ done: true, done_reason: end, message: { tool_calls: functions } }),
};

const read = (dialect: Dialect, end: string) => fromProviderResponse(responses[dialect](end), [OrderTool], dialect);
const ids = (calls: readonly { readonly id: string }[]) => calls.map(({ id }) => id);

describe("fromProviderResponse", () => {
  it.each<[Dialect, string]>([
    ["openai-chat", "tool_calls"],
    ["openai-chat", "stop"],
    ["openai-responses", "completed"],
    ["anthropic", "tool_use"],
    ["gemini", "STOP"],
    ["bedrock", "tool_use"],
    ["mistral", "tool_calls"],
    ["ollama", "stop"],
  ])("reads the calls to run from a response of %s that ends with %s", (dialect, end) => {
    const { calls, refused } = read(dialect, end);

    expect(calls).toEqual(inputs.map((input, index) => ({ id: `c${index}`, name, arguments: input })));
    expect(refused).toEqual([]);
  });

  it.each<[Dialect, string]>([
    ["openai-chat", "content_filter"],
    ["openai-responses", "content_filter"],
    ["anthropic", "refusal"],
    ["gemini", "SAFETY"],
    ["gemini", "MALFORMED_FUNCTION_CALL"],
    ["bedrock", "guardrail_intervened"],
    ["bedrock", "malformed_tool_use"],
    ["mistral", "error"],
    ["ollama", "content_filter"],
  ])("refuses all calls of a response of %s that ends with %s, each with its result", (dialect, end) => {
    const { calls, refused } = read(dialect, end);

    expect(calls).toEqual([]);
    expect(ids(refused)).toEqual(["c0", "c1"]);
    expect(refused[0]?.content).toBe("Not run: the provider withheld or rejected the answer that this call was part of.");
  });

  it.each<[Dialect, string]>([
    ["openai-chat", "length"],
    ["openai-responses", "max_output_tokens"],
    ["anthropic", "max_tokens"],
    ["gemini", "MAX_TOKENS"],
    ["bedrock", "max_tokens"],
    ["mistral", "model_length"],
    ["ollama", "length"],
  ])("refuses the last call of a response of %s that ends with %s, although its arguments are whole", (dialect, end) => {
    const { calls, refused, finishReason } = read(dialect, end);

    expect(finishReason).toBe("length");
    expect(ids(calls)).toEqual(["c0"]);
    expect(ids(refused)).toEqual(["c1"]);
    expect(refused[0]?.content).toMatch(/cut off .* Send it again/);
  });

  it("refuses the calls beside a refusal that the response has as a part of the message", () => {
    const chat = { choices: [{ finish_reason: "tool_calls", message: { refusal: "I can't.", tool_calls: functions } }] };
    const message = { type: "message", content: [{ type: "refusal", refusal: "I can't." }] };
    const items = { status: "completed", output: [message, { type: "function_call", call_id: "c0", name, arguments: "{}" }] };

    expect(fromProviderResponse(chat, [OrderTool], "openai-chat").calls).toEqual([]);
    expect(fromProviderResponse(items, [OrderTool], "openai-responses").calls).toEqual([]);
  });

  it("reads a prompt that Gemini blocked as withheld", () => {
    expect(fromProviderResponse({ promptFeedback: { blockReason: "SAFETY" } }, [OrderTool], "gemini")).toEqual({
      finishReason: "content_filter",
      calls: [],
      refused: [],
    });
  });

  it.each<[Dialect, object]>([
    ["openai-chat", { choices: [{ finish_reason: null, message: { tool_calls: functions } }] }],
    ["openai-responses", { status: "in_progress", output: [] }],
    ["anthropic", { stop_reason: null, content: [] }],
    ["gemini", { candidates: [{ content: { parts: [] } }] }],
    ["bedrock", { output: {} }],
    ["ollama", { done: false, message: {} }],
    ["mistral", functions[0]!],
  ])("rejects a response of %s that has not ended", (dialect, response) => {
    expect(() => fromProviderResponse(response, [OrderTool], dialect)).toThrow(
      `fromProviderResponse: this response of ${dialect} doesn't say how it ended: `,
    );
  });
});
