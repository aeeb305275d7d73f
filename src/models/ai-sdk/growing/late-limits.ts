import type { ChangeEntry, GrowingRequest } from "../../prefix.js";
import { ModelError } from "../../model-error.js";
import { changesIn } from "./sent-form.js";

/** What Claude's APIs take in one request ("Change tools and instructions", `available_tools_limit_exceeded`). */
const mostTools = 10_000;
const mostBytes = 4_000_000;

/** Changes never change: each is measured once. */
const sizes = new WeakMap<ChangeEntry, number>();

/** Throws `ModelError` if more tools were offered after the first request than the API takes: it would reject the request. */
export function refuseManyLateTools(growing: GrowingRequest, modelId: string): void {
  let [count, bytes] = [0, 0];
  for (const change of changesIn(growing)) {
    if (change.offered === undefined) continue;
    count += change.offered.length;
    bytes += sizeOf(change);
  }
  if (count <= mostTools && bytes <= mostBytes) return;
  const [excess, limit] = count > mostTools ? [`${count} tools`, mostTools] : [`${bytes} bytes of tools`, mostBytes];
  throw new ModelError(
    modelId,
    `${modelId}: the conversation has offered ${excess} after its first request, and Claude takes ${limit}. Begin a new conversation, or offer fewer tools.`,
    { retryable: false },
  );
}

function sizeOf(change: ChangeEntry): number {
  let size = sizes.get(change);
  if (size === undefined) sizes.set(change, (size = Buffer.byteLength(JSON.stringify(change.offered))));
  return size;
}
