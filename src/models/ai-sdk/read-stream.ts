import { watchOf } from "../../tool/internal.js";
import type { ModelDelta } from "../chat-model.js";
import { ModelError } from "../model-error.js";
import { toModelError } from "./errors.js";
import type { AiSdkResult, AiSdkStreamPart } from "./language-model.js";
import { StreamedAnswer } from "./streamed-answer.js";

/**
 * Reads a stream to its end. Throws a `ModelError` for an error that the provider sends within it, and a retryable one
 * if it ends before the answer does. `read` is applied to each part. When it is aborted, it throws the signal's reason and releases the
 * connection.
 */
export async function readStream(
  modelId: string,
  stream: ReadableStream<AiSdkStreamPart>,
  onDelta: (delta: ModelDelta) => void,
  signal: AbortSignal | undefined,
  read: (part: AiSdkStreamPart) => AiSdkStreamPart,
): Promise<AiSdkResult> {
  const answer = new StreamedAnswer(onDelta);
  const reader = stream.getReader();
  const cancellation = { cancel: (reason: unknown) => void reader.cancel(reason).catch(ignore) };
  const watch = signal && watchOf(signal);
  watch?.add(cancellation);
  try {
    for (;;) {
      signal?.throwIfAborted();
      const { done, value } = await reader.read();
      signal?.throwIfAborted();
      if (done) break;
      if (value.type === "error") throw toModelError(modelId, value.error);
      answer.take(read(value));
    }
  } catch (error) {
    cancellation.cancel(error);
    throw error;
  } finally {
    watch?.remove(cancellation);
  }
  const result = answer.result();
  if (result === undefined) throw new ModelError(modelId, `${modelId}: the answer was cut off before its end`, { retryable: true });
  return result;
}

/** A stream that failed already can't be cancelled; its failure is what is thrown. */
const ignore = (): void => undefined;
