import type { ModelTool } from "../../chat-model.js";
import type { Message } from "../../message.js";
import type { ChangedPart, ChangeEntry } from "../../prefix.js";
import { isSameTool } from "../../same-tool.js";
import type { SentForm } from "./sent-form.js";

/** A request that was answered. */
type Answered = Pick<SentForm, "messages" | "tools" | "laterTools" | "searches"> & { readonly model: string };

/** By the live list of a conversation's messages. */
const latest = new WeakMap<readonly Message[], Answered>();

/** Keeps what the next request of the conversation is compared with. */
export function rememberAnswered(conversation: readonly Message[], model: string, form: SentForm): void {
  const { messages, tools, laterTools = [], searches } = form;
  // The list of messages is a live one.
  latest.set(conversation, { model, messages: [...messages], tools, laterTools, ...(searches !== undefined && { searches }) });
}

/**
 * The first part that isn't as in the answered request before of the conversation; `undefined` if none, or if this process sent none.
 */
export function changedPart(conversation: readonly Message[], model: string, form: SentForm): ChangedPart | undefined {
  const before = latest.get(conversation);
  if (before === undefined) return undefined;
  if (before.model !== model) return "model";
  if (!isSameList(before.tools, form.tools)) return "tools";
  if (instructionsIn(before) !== instructionsIn(form)) return "instructions";
  return hasGrown(before, form) ? undefined : "messages";
}

const isSameList = (one: readonly ModelTool[], other: readonly ModelTool[]): boolean =>
  one === other ||
  (one.length === other.length && one.every((tool, index) => tool.name === other[index]?.name && isSameTool(tool, other[index])));

const instructionsIn = ({ messages: [first] }: Pick<SentForm, "messages">): string | undefined =>
  first?.role === "system" ? first.content : undefined;

/** Whether the messages before are there still, with what they define and load. */
function hasGrown(before: Answered, now: SentForm): boolean {
  if (!before.messages.every((message, index) => isSameEntry(message, now.messages[index]))) return false;
  const later = new Map(now.laterTools?.map((tool) => [tool.name, tool]));
  const isRedefined = (tool: ModelTool): boolean => !isSameTool(tool, later.get(tool.name) ?? tool);
  if (before.laterTools?.some(isRedefined)) return false;
  return before.messages.every((message, index) => loadsSame(before, message, now, now.messages[index]));
}

type Entry = Message | ChangeEntry;

const isSameEntry = (one: Entry, other: Entry | undefined): boolean => one === other || JSON.stringify(one) === JSON.stringify(other);

/** Whether the result of a search loads the same tools. */
function loadsSame(before: Answered, one: Entry, now: SentForm, other: Entry | undefined): boolean {
  if (one.role !== "tool" || other?.role !== "tool" || before.searches === undefined) return true;
  return isSameList(before.searches.get(one) ?? [], now.searches?.get(other) ?? []);
}
