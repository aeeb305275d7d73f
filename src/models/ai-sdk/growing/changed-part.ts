import type { ModelTool } from "../../chat-model.js";
import type { Message } from "../../message.js";
import type { ChangedPart, ChangeEntry } from "../../prefix.js";
import { isSameTool } from "../../same-tool.js";
import type { SentForm } from "./sent-form.js";

/** How a request began. */
interface Beginning {
  readonly model: string;
  readonly tools: readonly ModelTool[];
  readonly instructions: string | undefined;
  readonly first: Message | ChangeEntry | undefined;
}

/** By the live list of a conversation's messages. */
const latest = new WeakMap<readonly Message[], Beginning>();

/** The first part that isn't as in the request before of the conversation; `undefined` if none, or if this process sent none. */
export function changedPart(conversation: readonly Message[], model: string, { tools, messages }: SentForm): ChangedPart | undefined {
  const before = latest.get(conversation);
  const [head, second] = messages;
  const isInstructed = head?.role === "system";
  const now: Beginning = { model, tools, instructions: isInstructed ? head.content : undefined, first: isInstructed ? second : head };
  latest.set(conversation, now);
  if (before === undefined) return undefined;
  if (before.model !== now.model) return "model";
  if (!isSameList(before.tools, now.tools)) return "tools";
  if (before.instructions !== now.instructions) return "instructions";
  return before.first === now.first || JSON.stringify(before.first) === JSON.stringify(now.first) ? undefined : "messages";
}

const isSameList = (one: readonly ModelTool[], other: readonly ModelTool[]): boolean =>
  one === other ||
  (one.length === other.length && one.every((tool, index) => tool.name === other[index]?.name && isSameTool(tool, other[index])));
