type FinishReason = "stop" | "length" | "content-filter" | "tool-calls" | "error" | "other";

interface OfCall {
  readonly toolCallId: string;
}

interface OfTool extends OfCall {
  readonly toolName: string;
}

/** A chunk of the AI SDK's UI message stream, version 1, as `toUiMessageStream` writes it. */
export type UiMessageChunk =
  | { readonly type: "start" | "start-step" | "finish-step" }
  | { readonly type: "text-start" | "text-end" | "reasoning-start" | "reasoning-end"; readonly id: string }
  | { readonly type: "text-delta" | "reasoning-delta"; readonly id: string; readonly delta: string }
  | (OfTool & { readonly type: "tool-input-start" })
  | (OfCall & { readonly type: "tool-input-delta"; readonly inputTextDelta: string })
  | (OfTool & { readonly type: "tool-input-available"; readonly input: unknown })
  | (OfTool & { readonly type: "tool-input-error"; readonly input: unknown; readonly errorText: string })
  | (OfCall & { readonly type: "tool-approval-request"; readonly approvalId: string })
  | (OfCall & { readonly type: "tool-output-available"; readonly output: unknown })
  | (OfCall & { readonly type: "tool-output-error"; readonly errorText: string })
  | (OfCall & { readonly type: "tool-output-denied" })
  | { readonly type: `data-${string}`; readonly id?: string; readonly data: unknown; readonly transient?: boolean }
  | { readonly type: "finish"; readonly finishReason: FinishReason; readonly messageMetadata: unknown }
  | { readonly type: "error"; readonly errorText: string }
  | { readonly type: "abort"; readonly reason: string };
