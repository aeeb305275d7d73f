import type { Wire } from "./rules.js";

/** What a model says in one step. */
export interface Reply {
  readonly text: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments: Readonly<Record<string, unknown>> }[];
}

const chatReply = ({ text, calls }: Reply): object => ({
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1_700_000_000,
  model: "test-model",
  choices: [
    {
      index: 0,
      finish_reason: calls.length > 0 ? "tool_calls" : "stop",
      message: { role: "assistant", content: text, ...(calls.length > 0 && { tool_calls: calls.map(chatCall) }) },
    },
  ],
  usage: { prompt_tokens: 20, completion_tokens: 9, total_tokens: 29 },
});

const chatCall = ({ id, name, arguments: values }: Reply["calls"][number]): object => ({
  id,
  type: "function",
  function: { name, arguments: JSON.stringify(values) },
});

const responsesReply = ({ text, calls }: Reply): object => ({
  id: "resp_1",
  object: "response",
  created_at: 1_700_000_000,
  status: "completed",
  model: "test-model",
  output: [
    ...(text === ""
      ? []
      : [
          {
            type: "message",
            id: "msg_1",
            status: "completed",
            role: "assistant",
            content: [{ type: "output_text", text, annotations: [] }],
          },
        ]),
    ...calls.map(({ id, name, arguments: values }) => ({
      type: "function_call",
      // Without an id of the item the package sends the whole call back, not a reference to it.
      id: "",
      call_id: id,
      name,
      arguments: JSON.stringify(values),
      status: "completed",
    })),
  ],
  usage: { input_tokens: 20, output_tokens: 9, total_tokens: 29 },
});

const anthropicReply = ({ text, calls }: Reply): object => ({
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "test-model",
  content: [
    { type: "thinking", thinking: "", signature: "signed" },
    ...(text === "" ? [] : [{ type: "text", text }]),
    ...calls.map(({ id, name, arguments: input }) => ({ type: "tool_use", id, name, input })),
  ],
  stop_reason: calls.length > 0 ? "tool_use" : "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 15, output_tokens: 9 },
});

const geminiReply = ({ text, calls }: Reply): object => ({
  candidates: [
    {
      index: 0,
      finishReason: "STOP",
      content: {
        role: "model",
        parts: [
          ...(text === "" ? [] : [{ text, thoughtSignature: "signed" }]),
          ...calls.map(({ name, arguments: args }, index) => ({
            functionCall: { name, args },
            ...(index === 0 && { thoughtSignature: "signed" }),
          })),
        ],
      },
    },
  ],
  usageMetadata: { promptTokenCount: 20, candidatesTokenCount: 9, totalTokenCount: 29 },
});

const bedrockReply = ({ text, calls }: Reply): object => ({
  output: {
    message: {
      role: "assistant",
      content: [
        ...(text === "" ? [] : [{ text }]),
        ...calls.map(({ id, name, arguments: input }) => ({ toolUse: { toolUseId: id, name, input } })),
      ],
    },
  },
  stopReason: calls.length > 0 ? "tool_use" : "end_turn",
  usage: { inputTokens: 20, outputTokens: 9, totalTokens: 29 },
});

const cohereReply = ({ text, calls }: Reply): object => ({
  generation_id: "1",
  finish_reason: calls.length > 0 ? "TOOL_CALL" : "COMPLETE",
  message: {
    role: "assistant",
    content: text === "" ? [] : [{ type: "text", text }],
    ...(calls.length > 0 && { tool_calls: calls.map(chatCall) }),
  },
  usage: { billed_units: { input_tokens: 20, output_tokens: 9 }, tokens: { input_tokens: 20, output_tokens: 9 } },
});

const writers: Partial<Record<Wire, (reply: Reply) => object>> = {
  "openai-responses": responsesReply,
  anthropic: anthropicReply,
  google: geminiReply,
  "amazon-bedrock": bedrockReply,
  cohere: cohereReply,
};

/** The answer in the provider's own form. */
export const replyOn = (wire: Wire, reply: Reply): object => (writers[wire] ?? chatReply)(reply);
