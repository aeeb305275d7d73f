import type { ModelDelta } from "./chat-model.js";
import type { ToolCall } from "./message.js";
import { randomUuid } from "../platform/index.js";

/** A piece of a tool call in an OpenAI-compatible stream. Servers leave out any of its members. */
export interface ToolCallPiece {
  readonly index?: number | null | undefined;
  readonly id?: string | null | undefined;
  readonly name?: string | null | undefined;
  /** The next piece of the JSON text. */
  readonly arguments?: string | null | undefined;
}

interface GrowingCall {
  readonly id: string;
  /** The id that the server sent; until then `id` is made up, and one that comes later may belong to the same call. */
  sentId: string | undefined;
  readonly position: number;
  name: string;
  arguments: string;
}

/**
 * Joins the pieces of tool calls in a stream, for your own `ChatModel` over a server with OpenAI's chat completions.
 *
 * ```ts
 * const calls = new ToolCallAssembler();
 * for await (const chunk of stream) {
 *   for (const { index, id, function: piece } of chunk.choices[0].delta.tool_calls ?? []) {
 *     const delta = calls.add({ index, id, ...piece });
 *     if (delta !== undefined) request.onDelta?.(delta);
 *   }
 * }
 * const toolCalls = calls.toolCalls(); // beside finishReason: finishReasonOf(lastChunk.choices[0].finish_reason)
 * ```
 *
 * Pieces are matched by id, then by index. Without both, a name, or arguments that start after complete ones, begin a new call. A
 * call without an id gets one. Pieces that can't be separated stay one text, which is invalid JSON: the executor reports it to the
 * model and runs nothing. See docs/11-providers.md.
 */
export class ToolCallAssembler {
  readonly #calls: GrowingCall[] = [];
  readonly #byId = new Map<string, GrowingCall>();
  /** The newest call of each index. */
  readonly #byIndex = new Map<number, GrowingCall>();

  /**
   * Adds a piece and returns it as a delta of its call; `undefined` until the call's name is known. The next delta then contains
   * the text so far.
   */
  add(piece: ToolCallPiece): Extract<ModelDelta, { readonly type: "tool_call" }> | undefined {
    const known = this.#find(piece);
    const call = known ?? this.#begin(piece);
    if (piece.id) {
      call.sentId = piece.id;
      this.#byId.set(piece.id, call);
    }
    if (typeof piece.index === "number") this.#byIndex.set(piece.index, call);
    const wasAnnounced = known !== undefined && call.name !== "";
    const text = piece.arguments ?? "";
    call.arguments += text;
    if (call.name === "") call.name = piece.name ?? "";
    if (call.name === "") return undefined;
    return { type: "tool_call", index: call.position, id: call.id, name: call.name, arguments: wasAnnounced ? text : call.arguments };
  }

  /** The calls so far, in the order in which they began. */
  toolCalls(): ToolCall[] {
    return this.#calls.map(({ id, name, arguments: text }) => ({ id, name, arguments: text }));
  }

  #find(piece: ToolCallPiece): GrowingCall | undefined {
    const { id, index, name } = piece;
    const last = typeof index === "number" ? this.#byIndex.get(index) : this.#calls.at(-1);
    const named = id && last?.sentId !== id ? this.#byId.get(id) : undefined;
    // Some servers give all calls of an answer one id.
    if (named !== undefined && last === undefined && name && typeof index === "number") return undefined;
    const call = named ?? last;
    return call !== undefined && beginsAnew(piece, call) ? undefined : call;
  }

  #begin({ id }: ToolCallPiece): GrowingCall {
    const free = id && !this.#byId.has(id) ? id : newCallId();
    const call = { id: free, sentId: undefined, position: this.#calls.length, name: "", arguments: "" };
    this.#calls.push(call);
    return call;
  }
}

/** Whether a piece that may belong to a call, by its id or its place, is the first of another one. */
function beginsAnew({ id, index, name, arguments: text }: ToolCallPiece, call: GrowingCall): boolean {
  if (id && id !== call.sentId) return call.sentId !== undefined || (Boolean(name) && call.name !== "");
  if (!name || call.name === "") return false;
  if (name !== call.name) return true;
  // Some servers repeat the name with each piece, others give all calls of an answer one id. By id and index it is the same call.
  if (!id && typeof index !== "number") return true;
  return !(id && typeof index === "number") && text?.trimStart().startsWith("{") === true && isWhole(call.arguments);
}

function isWhole(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** An id for a tool call to which the provider gave none. */
export const newCallId = (): string => `call_${randomUuid().replaceAll("-", "")}`;
