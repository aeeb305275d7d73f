import type { AssistantMessage, Attachment, Message, ToolCall, ToolMessage } from "../models/index.js";
import { WireNames } from "../schema/internal.js";
import { CallIds } from "./call-ids.js";
import { contentFault } from "./check-content.js";

/**
 * A history that providers accept: each tool call has exactly one result, directly after its message and in call order; ids are unique, and
 * names legal. A call without a result gets one that says so;
 * results of unknown calls, and second results of one call, are left out. A history in order comes back as it is.
 * Throws `TypeError` for what is no history.
 */
export function pairHistory(history: readonly Message[]): readonly Message[] {
  if (!Array.isArray(history)) throw new TypeError(`restore takes a list of messages, as agent.messages gives it, got ${typeof history}.`);
  history.forEach(checkMessage);
  const ids = new CallIds();
  const paired: Message[] = [];
  for (let index = 0; index < history.length; ) {
    const message = history[index++] as Message;
    const results: ToolMessage[] = [];
    for (let next = history[index]; next?.role === "tool"; next = history[++index]) results.push(next);
    if (message.role === "assistant" && message.toolCalls !== undefined) {
      const calls = ids.claim(message.toolCalls).map((call) => ({ ...call, name: legalNames.toWire(call.name) }));
      paired.push({ ...message, toolCalls: calls }, ...resultsOf(calls, message.toolCalls, results));
    } else if (message.role !== "tool") paired.push(message);
  }
  return paired;
}

/** Which tools the next run has isn't known here, only what a name may look like. */
const legalNames = new WireNames([]);

function resultsOf(calls: readonly ToolCall[], asStored: readonly ToolCall[], results: readonly ToolMessage[]): ToolMessage[] {
  const waiting = new Map<string, ToolMessage[]>();
  for (const result of results) waiting.set(result.toolCallId, [...(waiting.get(result.toolCallId) ?? []), result]);
  return calls.map(({ id, name }, index) => {
    // Two calls of one id have two results of it, in their order.
    const result = waiting.get(asStored[index]?.id ?? "")?.shift() ?? noResult;
    return { ...result, toolCallId: id, toolName: name };
  });
}

const noResult = { role: "tool", content: "Request was cancelled", errorType: "cancelled" } as const;

/** The members of each kind of message that are texts. */
const texts: ReadonlyMap<unknown, readonly string[]> = new Map([
  ["system", ["content"]],
  // Its content may have parts.
  ["user", []],
  ["assistant", ["content"]],
  ["tool", ["content", "toolCallId"]],
]);

/** A history may come from a database or another library: a provider would reject an invalid message without its index. */
function checkMessage(message: unknown, index: number): void {
  const { role, toolCalls = [] } = (message ?? {}) as Partial<Omit<AssistantMessage, "role">> & { readonly role?: unknown };
  const members = texts.get(role);
  if (members === undefined) {
    throw new TypeError(`restore: message ${index} has the role ${String(role)}, but is of one of these: ${[...texts.keys()].join(", ")}.`);
  }
  for (const name of members) checkText(message, name, `message ${index}`);
  const { id = "" } = message as { readonly id?: unknown };
  if (typeof id !== "string") throw new TypeError(`restore: id of message ${index} must be a string, got ${typeof id}.`);
  const { attachments } = message as { readonly attachments?: unknown };
  if (role === "tool" && attachments !== undefined) checkAttachments(attachments, index);
  if (members.length === 0) checkContent((message as { readonly content?: unknown }).content, index);
  if (!Array.isArray(toolCalls)) throw new TypeError(`restore: toolCalls of message ${index} isn't a list.`);
  for (const call of toolCalls) for (const name of ["id", "name", "arguments"]) checkText(call, name, `a tool call in message ${index}`);
}

function checkContent(content: unknown, index: number): void {
  const fault = contentFault(content);
  if (fault !== undefined) throw new TypeError(`restore: content of message ${index} ${fault}`);
}

function checkAttachments(attachments: unknown, index: number): void {
  const given: unknown[] = Array.isArray(attachments) ? attachments : [undefined];
  if (given.every((part) => contentFault([part]) === undefined && typeof (part as Partial<Attachment>).data === "string")) return;
  throw new TypeError(`restore: attachments of message ${index} must be a list of image and file parts with their data in base64.`);
}

function checkText(holder: unknown, name: string, place: string): void {
  const value = (holder as Record<string, unknown> | null)?.[name];
  if (typeof value !== "string") throw new TypeError(`restore: ${name} of ${place} must be a string, got ${typeof value}.`);
}
