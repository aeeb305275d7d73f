import type { AgentEvent, AgentStep } from "../../agent/index.js";
import type { Confirmation, Decision, Question } from "../../confirmation/index.js";
import { approvalIdOf } from "./approval-id.js";
import { questionPart } from "./question-part.js";
import type { UiMessageChunk } from "./ui-message-chunk.js";

type EventOf<Type extends AgentEvent["type"]> = Extract<AgentEvent, { readonly type: Type }>;

/** What a call came to. */
type Result = Pick<EventOf<"tool_result">, "content" | "data" | "errorType">;

/** A call that has no result yet. */
interface OpenCall {
  readonly tool: string;
  /** The arguments as the model wrote them, if they are no JSON: whether they can be read is known later. */
  unread?: string;
}

/** The tool parts of a UI message: each state of each call, sent once. */
export class ToolParts {
  readonly #open = new Map<string, OpenCall>();
  /** The calls that the provider ran. */
  readonly #provided = new Set<string>();
  /** What people decided: in the request that the run was resumed with, by call id. */
  readonly #decided: Map<string, Decision["decision"]>;

  constructor(decisions: readonly Decision[]) {
    this.#decided = new Map(decisions.map(({ callId, decision }) => [callId, decision]));
  }

  *writing({ callId, tool, delta }: EventOf<"tool_call_delta">): Generator<UiMessageChunk> {
    if (!this.#open.has(callId)) yield this.#begin(callId, tool);
    if (delta !== "") yield { type: "tool-input-delta", toolCallId: callId, inputTextDelta: delta };
  }

  *written({ callId, tool, arguments: text }: EventOf<"tool_call_done">): Generator<UiMessageChunk> {
    if (!this.#open.has(callId)) yield this.#begin(callId, tool);
    const input = readJson(text);
    if (input === undefined) this.#open.set(callId, { tool, unread: text });
    else yield { type: "tool-input-available", toolCallId: callId, toolName: tool, input };
  }

  *started({ callId, tool, input }: EventOf<"tool_started">): Generator<UiMessageChunk> {
    const call = this.#open.get(callId);
    if (call?.unread === undefined) return;
    delete call.unread;
    yield { type: "tool-input-available", toolCallId: callId, toolName: tool, input };
  }

  *asked(confirmation: Confirmation): Generator<UiMessageChunk> {
    const { id, callId } = confirmation;
    yield* this.#shown(confirmation);
    yield { type: "data-confirmation", id, data: confirmation };
    yield { type: "tool-approval-request", toolCallId: callId, approvalId: approvalIdOf(confirmation) };
    yield* this.#outerCalls(callId);
  }

  /** The page answers by `addToolOutput`; the data says which run waits, and for what. */
  *questioned(question: Question): Generator<UiMessageChunk> {
    yield* this.#shown(question);
    yield { type: questionPart, id: question.id, data: question };
    yield* this.#outerCalls(question.callId);
  }

  /** A sub-agent's calls first appear here: a person decides about them like about any other call. */
  *#shown({ callId, tool, input }: Confirmation): Generator<UiMessageChunk> {
    const known = this.#open.get(callId);
    if (known === undefined || known.unread !== undefined) {
      yield { type: "tool-input-available", toolCallId: callId, toolName: tool, input };
    }
    this.#open.set(callId, { tool });
  }

  /** The hook sends answers once nothing else of the step is open; the call gets its own result when the run goes on. */
  *#outerCalls(callId: string): Generator<UiMessageChunk> {
    for (const outer of this.#open.keys()) {
      if (callId.startsWith(`${outer}/`)) yield { type: "tool-output-available", toolCallId: outer, output: "Waits for a person." };
    }
  }

  *finished(callId: string, tool: string, result: Result): Generator<UiMessageChunk> {
    const unread = this.#open.get(callId)?.unread;
    yield this.#outcome(callId, tool, result, unread);
    this.#open.delete(callId);
    this.#decided.delete(callId);
    // What became of the calls of a sub-agent is in the result of the call that ran it.
    for (const [inner, decision] of this.#decided) {
      if (!inner.startsWith(`${callId}/`)) continue;
      this.#decided.delete(inner);
      // The page has the answer already.
      if (decision === "answer") continue;
      yield decision === "deny"
        ? { type: "tool-output-denied", toolCallId: inner }
        : { type: "tool-output-available", toolCallId: inner, output: null };
    }
  }

  /** A call that the provider ran. Its result may come with a later answer. */
  *ranByProvider({ callId, tool, arguments: text, result, isError }: EventOf<"provider_call_done">): Generator<UiMessageChunk> {
    const ofCall = { toolCallId: callId, providerExecuted: true } as const;
    // A page can't show the result of a call that it doesn't know.
    if (!this.#provided.has(callId)) yield { type: "tool-input-available", ...ofCall, toolName: tool, input: readJson(text) ?? text };
    this.#provided.add(callId);
    if (result === undefined) return;
    yield isError === true
      ? { type: "tool-output-error", ...ofCall, errorText: typeof result === "string" ? result : JSON.stringify(result) }
      : { type: "tool-output-available", ...ofCall, output: result };
  }

  /** The results that had no event of their own: of calls that were denied, refused or given up. */
  *settled({ toolCalls }: AgentStep): Generator<UiMessageChunk> {
    for (const { id, name, ...result } of toolCalls) {
      if (this.#open.has(id) || this.#decided.has(id)) yield* this.finished(id, name, result);
    }
  }

  #begin(callId: string, tool: string): UiMessageChunk {
    this.#open.set(callId, { tool });
    return { type: "tool-input-start", toolCallId: callId, toolName: tool };
  }

  #outcome(callId: string, tool: string, { content, data, errorType }: Result, unread: string | undefined): UiMessageChunk {
    if (errorType === undefined) return { type: "tool-output-available", toolCallId: callId, output: data ?? null };
    if (unread !== undefined) return { type: "tool-input-error", toolCallId: callId, toolName: tool, input: unread, errorText: content };
    if (errorType === "confirmation_denied" && this.#decided.get(callId) === "deny") {
      return { type: "tool-output-denied", toolCallId: callId };
    }
    return { type: "tool-output-error", toolCallId: callId, errorText: content };
  }
}

/** `undefined` if the text isn't JSON. No arguments at all are none. */
function readJson(text: string): unknown {
  try {
    return text.trim() === "" ? {} : JSON.parse(text);
  } catch {
    return undefined;
  }
}
