import type { ModelTool } from "../../chat-model.js";
import type { GrowingRequest } from "../../prefix.js";
import { ModelError } from "../../model-error.js";
import { isSameTool } from "../../same-tool.js";
import { changesIn } from "./sent-form.js";

/** What Claude's APIs take in one request ("Change tools and instructions", `available_tools_limit_exceeded`). */
const mostTools = 10_000;
const mostBytes = 4_000_000;

/** Tools never change: each is measured once. */
const sizes = new WeakMap<ModelTool, number>();

/** Throws `ModelError` if more tools were defined after the first request than the API takes: it would reject the request. */
export function refuseManyLateTools(growing: GrowingRequest, modelId: string): void {
  const known = new Map(growing.tools.map((tool) => [tool.name, tool]));
  let [count, bytes] = [0, 0];
  for (const tool of changesIn(growing).flatMap(({ offered = [] }) => offered)) {
    const before = known.get(tool.name);
    // A tool that is offered again goes out as its name.
    if (before !== undefined && isSameTool(before, tool)) continue;
    known.set(tool.name, tool);
    count += 1;
    bytes += sizeOf(tool);
  }
  if (count <= mostTools && bytes <= mostBytes) return;
  const [excess, limit] = count > mostTools ? [`${count} tools`, mostTools] : [`${bytes} bytes of tools`, mostBytes];
  throw new ModelError(
    modelId,
    `${modelId}: the conversation has defined ${excess} after its first request, and Claude takes ${limit}. Begin a new conversation, or offer fewer tools.`,
    { retryable: false },
  );
}

function sizeOf(tool: ModelTool): number {
  let size = sizes.get(tool);
  if (size === undefined) sizes.set(tool, (size = Buffer.byteLength(JSON.stringify(tool))));
  return size;
}
