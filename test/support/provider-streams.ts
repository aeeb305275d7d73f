import type { StreamReply, WireCall } from "./provider-servers.js";

/** The end of a stream that doesn't end well: an error event or nothing, then what happens to the connection. */
export interface StreamFault {
  readonly error?: unknown;
  readonly ending?: "break" | "hang";
}

const data = (event: unknown): string => `data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`;
const named = (event: { readonly type: string }): string => `event: ${event.type}\n${data(event)}`;

/** A text in pieces of three characters. */
const pieces = (text: string): string[] => text.match(/.{1,3}/gsu) ?? [];

/** POST /chat/completions with `stream: true`: OpenAI and whatever is compatible with it. Usage comes in a chunk of its own. */
export function chatStream(
  message: { text?: string; calls?: readonly WireCall[]; reasoning?: string; finish?: string; extra?: readonly unknown[] },
  fault?: StreamFault,
): StreamReply {
  const chunk = (fields: object) => ({
    id: "chatcmpl-1",
    object: "chat.completion.chunk",
    created: 1_700_000_000,
    model: "test-model",
    ...fields,
  });
  const delta = (delta: object) => chunk({ choices: [{ index: 0, delta, finish_reason: null }] });
  const calls = message.calls ?? [];
  const started = calls.map(({ id, name }, index) =>
    delta({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] }),
  );
  const written = calls.flatMap((call, index) =>
    pieces(call.arguments).map((piece) => delta({ tool_calls: [{ index, function: { arguments: piece } }] })),
  );
  const content = [
    delta({ role: "assistant", content: "" }),
    ...pieces(message.reasoning ?? "").map((piece) => delta({ reasoning_content: piece })),
    ...pieces(message.text ?? "").map((piece) => delta({ content: piece })),
    ...started,
    ...written,
    ...(message.extra ?? []).map((tool_calls) => delta({ tool_calls })),
  ];
  if (fault !== undefined) {
    const error = fault.error === undefined ? [] : [{ error: fault.error }];
    return { stream: [...content, ...error].map(data).join(""), ...(fault.ending && { ending: fault.ending }) };
  }
  const end = [
    chunk({ choices: [{ index: 0, delta: {}, finish_reason: message.finish ?? (message.calls ? "tool_calls" : "stop") }] }),
    chunk({
      choices: [],
      usage: {
        prompt_tokens: 20,
        completion_tokens: 9,
        total_tokens: 29,
        prompt_tokens_details: { cached_tokens: 5 },
        completion_tokens_details: { reasoning_tokens: 4 },
      },
    }),
    "[DONE]",
  ];
  return { stream: [...content, ...end].map(data).join("") };
}

/** POST /responses of OpenAI with `stream: true`; `output` are its items, as in a response that isn't streamed. */
export function openAiResponseStream(output: readonly Record<string, any>[], fault?: StreamFault): StreamReply {
  const response = { id: "resp_1", object: "response", created_at: 1_700_000_000, model: "test-model", status: "in_progress", output: [] };
  const events: { type: string }[] = [{ type: "response.created", response } as { type: string }];
  const say = (event: { type: string } & Record<string, unknown>) => events.push(event);
  for (const [output_index, item] of output.entries()) {
    const place = { output_index, item_id: item.id };
    const begun = {
      message: { ...item, status: "in_progress", content: [] },
      function_call: { ...item, status: "in_progress", arguments: "" },
      reasoning: { ...item, summary: [], encrypted_content: null },
      tool_search_call: { ...item, status: "in_progress", arguments: {} },
      compaction: item,
    }[item.type as "message" | "function_call" | "reasoning" | "tool_search_call" | "compaction"];
    const written = typeof item.arguments === "string" ? item.arguments : "";
    say({ type: "response.output_item.added", output_index, item: begun });
    for (const piece of pieces(written)) say({ type: "response.function_call_arguments.delta", ...place, delta: piece });
    for (const [summary_index, part] of (item.summary ?? []).entries()) {
      say({ type: "response.reasoning_summary_part.added", ...place, summary_index, part: { type: "summary_text", text: "" } });
      for (const piece of pieces(part.text)) say({ type: "response.reasoning_summary_text.delta", ...place, summary_index, delta: piece });
      say({ type: "response.reasoning_summary_part.done", ...place, summary_index, part });
    }
    for (const { text } of item.content ?? []) {
      for (const piece of pieces(text)) say({ type: "response.output_text.delta", ...place, content_index: 0, delta: piece, logprobs: [] });
    }
    if (fault === undefined || output_index < output.length - 1) say({ type: "response.output_item.done", output_index, item });
  }
  if (fault === undefined) {
    const usage = {
      input_tokens: 20,
      output_tokens: 9,
      total_tokens: 29,
      input_tokens_details: { cached_tokens: 5 },
      output_tokens_details: { reasoning_tokens: 4 },
    };
    say({ type: "response.completed", response: { ...response, status: "completed", output, usage } });
  } else if (fault.error !== undefined) say({ type: "error", sequence_number: events.length, ...(fault.error as object) });
  return { stream: events.map(named).join(""), ...(fault?.ending && { ending: fault.ending }) };
}

/** POST /messages of Anthropic with `stream: true`; `content` are its blocks, as in a message that isn't streamed. */
export function anthropicStream(content: readonly Record<string, any>[], stopReason = "end_turn", fault?: StreamFault): StreamReply {
  const message = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "test-model",
    content: [],
    stop_reason: null,
    stop_sequence: null,
  };
  const usage = { input_tokens: 12, cache_read_input_tokens: 5, cache_creation_input_tokens: 3, output_tokens: 1 };
  const events: ({ type: string } & Record<string, unknown>)[] = [
    { type: "message_start", message: { ...message, usage } },
    { type: "ping" },
  ];
  for (const [index, block] of content.entries()) {
    const begun: Record<string, unknown> =
      {
        text: { type: "text", text: "" },
        thinking: { type: "thinking", thinking: "", signature: "" },
        tool_use: { ...block, input: {} },
        server_tool_use: { ...block, input: {} },
        compaction: { type: "compaction", content: null },
      }[block.type as string] ?? block;
    const written = Object.keys(block.input ?? {}).length > 0 ? JSON.stringify(block.input) : "";
    const deltas = [
      ...pieces(block.text ?? "").map((text) => ({ type: "text_delta", text })),
      ...(block.type === "compaction" ? pieces(block.content).map((content) => ({ type: "compaction_delta", content })) : []),
      ...pieces(block.thinking ?? "").map((thinking) => ({ type: "thinking_delta", thinking })),
      ...(block.signature ? [{ type: "signature_delta", signature: block.signature }] : []),
      ...pieces(written).map((partial_json) => ({ type: "input_json_delta", partial_json })),
    ];
    events.push({ type: "content_block_start", index, content_block: begun });
    events.push(...deltas.map((delta) => ({ type: "content_block_delta", index, delta })));
    if (fault === undefined || index < content.length - 1) events.push({ type: "content_block_stop", index });
  }
  if (fault === undefined) {
    events.push({ type: "message_delta", delta: { stop_reason: stopReason, stop_sequence: null }, usage: { output_tokens: 9 } });
    events.push({ type: "message_stop" });
  } else if (fault.error !== undefined) events.push({ type: "error", error: fault.error });
  return { stream: events.map(named).join(""), ...(fault?.ending && { ending: fault.ending }) };
}

/** POST /models/...:streamGenerateContent of Gemini: each part in a chunk of its own, texts in several. */
export function geminiStream(parts: readonly Record<string, any>[], fault?: StreamFault): StreamReply {
  const usageMetadata = {
    promptTokenCount: 20,
    candidatesTokenCount: 5,
    thoughtsTokenCount: 4,
    cachedContentTokenCount: 5,
    totalTokenCount: 29,
  };
  const chunk = (part: object, finish: object = {}) => ({
    candidates: [{ index: 0, content: { role: "model", parts: [part] }, ...finish }],
    usageMetadata: { promptTokenCount: 20, totalTokenCount: 20 },
  });
  const chunks: object[] = parts.flatMap((part) =>
    typeof part.text === "string" ? pieces(part.text).map((text) => chunk({ ...part, text })) : [chunk(part)],
  );
  if (fault === undefined) chunks.push({ ...chunk({ text: "" }, { finishReason: "STOP" }), usageMetadata });
  else if (fault.error !== undefined) chunks.push({ error: fault.error });
  return { stream: chunks.map(data).join(""), ...(fault?.ending && { ending: fault.ending }) };
}
