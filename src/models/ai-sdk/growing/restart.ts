import type { ModelTool } from "../../chat-model.js";
import type { Message } from "../../message.js";
import type { ChangeEntry, GrowingRequest } from "../../prefix.js";
import { ownMetadata } from "../replayed-metadata.js";
import { instructionsAfter } from "./instructions-after.js";
import type { SentForm } from "./sent-form.js";

/**
 * The form with changes in their places. A change that `write` can't express (it returns `undefined`) costs one request that is written
 * anew: the answer remembers it, and later changes are appended to that beginning.
 */
export function restartingForm(growing: GrowingRequest, write: (growing: GrowingRequest) => SentForm | undefined): SentForm {
  const form = write(sinceRestart(growing));
  if (form !== undefined) return form;
  const anew = begunAt(growing, growing.messages.length);
  return { ...(write(anew) ?? anew), restarts: true };
}

/** The conversation as it goes out since it was written anew. */
export function sinceRestart(growing: GrowingRequest): GrowingRequest {
  const restart = growing.messages.findLastIndex(isRestart);
  return restart === -1 ? growing : begunAt(growing, restart);
}

const isRestart = (entry: Message | ChangeEntry): boolean =>
  entry.role === "assistant" && ownMetadata(entry.providerMetadata)?.restarts === true;

/** The conversation if it had begun with the instructions and tools that it has before the entry at `end`. */
function begunAt({ messages, tools }: GrowingRequest, end: number): GrowingRequest {
  const [first] = messages;
  const entries = messages.slice(0, end);
  const instructions = instructionsAfter(entries, first);
  const known = new Map<string, ModelTool>(tools.map((tool) => [tool.name, tool]));
  const available = new Set(known.keys());
  const said: (Message | ChangeEntry)[] = [];
  for (const entry of first?.role === "system" ? entries.slice(1) : entries) {
    if (entry.role !== "change") {
      said.push(entry);
      continue;
    }
    for (const name of entry.withdrawn ?? []) available.delete(name);
    for (const tool of entry.offered ?? []) {
      known.set(tool.name, tool);
      available.add(tool.name);
    }
  }
  return {
    messages: [
      ...(instructions === undefined ? [] : [{ role: "system", content: instructions } as const]),
      ...said,
      ...messages.slice(end),
    ],
    tools: [...known.values()].filter(({ name }) => available.has(name)),
  };
}
