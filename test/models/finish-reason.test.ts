import { finishReasonOf } from "../../src/models/index.js";

describe("finishReasonOf", () => {
  it.each([
    ["stop", ["stop", "STOP", "end_turn", "stop_sequence", "COMPLETE", "completed", "pause_turn", "eos", "eos_token"]],
    ["tool_calls", ["tool_calls", "tool-calls", "tool_use", "TOOL_CALL", "function_call"]],
    ["length", ["length", "max_tokens", "MAX_TOKENS", "max_output_tokens", "model_length", "model_context_window_exceeded", "incomplete"]],
    [
      "content_filter",
      [
        "content_filter",
        "content-filter",
        "content_filtered",
        "refusal",
        "SAFETY",
        "RECITATION",
        "LANGUAGE",
        "OTHER",
        "BLOCKLIST",
        "PROHIBITED_CONTENT",
        "SPII",
        "IMAGE_SAFETY",
        "FINISH_REASON_UNSPECIFIED",
        "MALFORMED_FUNCTION_CALL",
        "UNEXPECTED_TOOL_CALL",
        "TOO_MANY_TOOL_CALLS",
        "MISSING_THOUGHT_SIGNATURE",
        "MODEL_ARMOR",
        "guardrail_intervened",
        "malformed_model_output",
        "malformed_tool_use",
        "ERROR_TOXIC",
        "sensitive",
      ],
    ],
    ["error", ["error", "ERROR", "failed", "cancelled", "abort", "insufficient_system_resource", "network_error"]],
    ["other", ["", "load"]],
  ] as const)("reads as %s the providers' words %j", (reason, words) => {
    for (const word of words) expect([word, finishReasonOf(word)]).toEqual([word, reason]);
  });
});
