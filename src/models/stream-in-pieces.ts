import type { ChatRequest, ChatResponse } from "./chat-model.js";

/** Streams a complete answer as a streaming model would: words of the text, pieces of the arguments. */
export async function streamInPieces(response: ChatResponse, { onDelta, abortSignal }: ChatRequest): Promise<ChatResponse> {
  if (onDelta === undefined) return response;
  const pause = async (): Promise<void> => {
    await undefined;
    abortSignal?.throwIfAborted();
  };
  for (const type of ["reasoning", "text"] as const) {
    for (const text of words(response[type] ?? "")) {
      onDelta({ type, text });
      await pause();
    }
  }
  for (const [index, { id, name, arguments: whole }] of response.toolCalls.entries()) {
    for (const piece of pieces(whole)) {
      onDelta({ type: "tool_call", index, id, name, arguments: piece });
      await pause();
    }
  }
  return response;
}

const words = (text: string): string[] => text.match(/\s*\S+\s*|\s+/g) ?? [];

/** Of eight characters at most, none of them split. */
const pieces = (text: string): string[] => text.match(/.{1,8}/gsu) ?? [""];
