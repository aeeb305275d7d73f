import type { AgentEvent } from "../../src/agent/index.js";

type OfType<Type extends AgentEvent["type"]> = Extract<AgentEvent, { readonly type: Type }>;

/** Looks at the events of one run, over all the streams that it takes, for whatever is out of order or lost. */
export class StreamWatch {
  readonly #written = new Map<string, string>();
  readonly #done = new Map<string, string>();
  readonly #started = new Set<string>();
  readonly #results = new Map<string, string>();

  /** The events of one stream, the last of the run or an earlier one. */
  check(events: readonly AgentEvent[]): void {
    expect(["done", "error"]).toContain(events.at(-1)?.type);
    expect(events.filter(({ type }) => type === "done" || type === "error").length).toBe(1);
    let text = "";
    for (const event of events) {
      if (event.type === "text_delta") text += event.delta;
      else if (event.type === "text_done") {
        expect(text).toBe(event.text);
        text = "";
      } else if (event.type === "tool_call_delta") this.#written.set(event.callId, (this.#written.get(event.callId) ?? "") + event.delta);
      else if (event.type === "tool_call_done") this.#callDone(event);
      else if (event.type === "tool_started") this.#callStarted(event);
      else if (event.type === "tool_result") this.#callResult(event);
      else if (event.type === "step_done") this.#stepDone(event);
    }
    expect(text).toBe("");
  }

  #callDone({ callId, arguments: written }: OfType<"tool_call_done">): void {
    expect(this.#done.has(callId)).toBe(false);
    expect(this.#written.get(callId)).toBe(written);
    this.#done.set(callId, written);
  }

  #callStarted({ callId }: OfType<"tool_started">): void {
    expect(this.#done.has(callId)).toBe(true);
    expect(this.#results.has(callId)).toBe(false);
    this.#started.add(callId);
  }

  #callResult({ callId, content, errorType }: OfType<"tool_result">): void {
    expect(this.#done.has(callId)).toBe(true);
    expect(this.#results.has(callId)).toBe(false);
    if (errorType === undefined) expect(this.#started.has(callId)).toBe(true);
    this.#results.set(callId, content);
  }

  #stepDone({ result }: OfType<"step_done">): void {
    for (const { id, content, arguments: written } of result.toolCalls) {
      expect(this.#done.get(id)).toBe(written);
      expect(this.#results.get(id)).toBe(content);
    }
  }
}
