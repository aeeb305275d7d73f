type FinishReason = "stop" | "length" | "content-filter" | "tool-calls" | "error" | "other";

interface OfCall {
  readonly toolCallId: string;
}

/** Set if the provider ran the call: the page doesn't answer it. */
interface ByProvider {
  readonly providerExecuted?: true;
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
  | (OfTool & ByProvider & { readonly type: "tool-input-available"; readonly input: unknown })
  | (OfTool & { readonly type: "tool-input-error"; readonly input: unknown; readonly errorText: string })
  | (OfCall & { readonly type: "tool-approval-request"; readonly approvalId: string })
  | (OfCall & ByProvider & { readonly type: "tool-output-available"; readonly output: unknown })
  | (OfCall & ByProvider & { readonly type: "tool-output-error"; readonly errorText: string })
  | { readonly type: "source-url"; readonly sourceId: string; readonly url: string; readonly title?: string }
  | (OfCall & { readonly type: "tool-output-denied" })
  | { readonly type: `data-${string}`; readonly id?: string; readonly data: unknown; readonly transient?: boolean }
  | { readonly type: "finish"; readonly finishReason: FinishReason; readonly messageMetadata: unknown }
  | { readonly type: "error"; readonly errorText: string }
  | { readonly type: "abort"; readonly reason: string };
