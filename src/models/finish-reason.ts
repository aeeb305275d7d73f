import type { FinishReason } from "./chat-model.js";

/** Words in which a provider withholds an answer, or rejects the calls in it as faulty. */
const withheld =
  /filter|refus|safety|block|prohibit|recitation|spii|malformed|guardrail|armor|toxic|sensitive|moderat|policy|violat|unexpected|unspecified|too_many|missing|language|^(image_)?other$/;
/** Words for the limit of output tokens, or of the context. */
const cutOff = /length|max|limit|window|continuation|^incomplete$/;
/** Words for an answer that the provider did not finish. */
const brokenOff = /error|fail|cancel|abort|interrupt|timeout|insufficient/;

/** The words that end a whole answer. */
const whole: ReadonlyMap<string, FinishReason> = new Map([
  ["stop", "stop"],
  ["end_turn", "stop"],
  ["stop_sequence", "stop"],
  ["pause_turn", "stop"],
  ["complete", "stop"],
  ["completed", "stop"],
  // Of Together and of servers that run Hugging Face's models: the token that ends a text.
  ["eos", "stop"],
  ["eos_token", "stop"],
  ["tool_calls", "tool_calls"],
  ["tool_call", "tool_calls"],
  ["tool_use", "tool_calls"],
  ["function_call", "tool_calls"],
]);

/**
 * Converts a provider's own value for the end of an answer (`end_turn`, `MAX_TOKENS`, `refusal`, ...), for your own `ChatModel`.
 *
 * Unknown values give `other`. See docs/11-providers.md.
 */
export function finishReasonOf(word: string): FinishReason {
  const known = word.toLowerCase().replaceAll("-", "_");
  const reason = whole.get(known);
  if (reason !== undefined) return reason;
  if (withheld.test(known)) return "content_filter";
  if (cutOff.test(known)) return "length";
  return brokenOff.test(known) ? "error" : "other";
}
