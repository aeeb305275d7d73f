import { readFile } from "node:fs/promises";
import { Agent, type AgentEvent, type AgentStream, model, usesTools } from "../../src/agent/index.js";
import { approve } from "../../src/confirmation/index.js";
import { type ChatModel, ModelError, noUsage, ScriptedModel, type ScriptedStep } from "../../src/models/index.js";
import { AskUserTool } from "../../src/tools/index.js";
import { createTool, description, identifier, required, requiresConfirmation, Tool, type ToolContext } from "../../src/tool/index.js";

@identifier("pages")
@description("Reads pages. Use when the user asks for pages.")
class PagesTool extends Tool {
  @required(Number) count!: number;

  async call({ progress, abortSignal }: ToolContext) {
    for (let page = 1; page <= this.count; page += 1) progress(page / this.count, `page ${page}`);
    if (this.count === 99) await new Promise((_, reject) => abortSignal.addEventListener("abort", () => reject(abortSignal.reason)));
    return { pages: this.count };
  }
}

@identifier("delete")
@description("Deletes everything. Use never.")
@requiresConfirmation()
class DeleteTool extends Tool {
  call() {
    return "deleted";
  }
}

const readPages = (...counts: number[]) => ({ toolCalls: counts.map((count) => ({ name: "pages", arguments: { count } })) });

function agentOf(source: ChatModel | readonly ScriptedStep[]) {
  @model("generate" in source ? source : new ScriptedModel(source), { retries: 0 })
  @usesTools([PagesTool, DeleteTool])
  class ReaderAgent extends Agent {}

  return new ReaderAgent();
}

async function eventsOf(stream: AgentStream): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

const typesOf = (events: readonly AgentEvent[]): string[] =>
  events.map(({ type }) => type).filter((type, index, all) => !type.endsWith("_delta") || all[index - 1] !== type);

/** An agent that calls another one. */
function agentThatAsks(): Agent {
  @identifier("helper")
  @description("Helps. Use when asked.")
  @model(new ScriptedModel(["Helped."]))
  class HelperAgent extends Agent {}

  @model(new ScriptedModel([{ toolCalls: [{ name: "helper", arguments: { prompt: "Help" } }] }, "Done."]))
  @usesTools([HelperAgent])
  class AskingAgent extends Agent {}

  return new AskingAgent();
}

/** An agent whose provider searches the web, and whose model then asks the user. */
function agentThatSearches(): Agent {
  const answered: ChatModel = {
    id: "test/searching",
    generate: () =>
      Promise.resolve({
        text: "",
        toolCalls: [{ id: "call_1", name: "ask_user", arguments: '{"question":"Which?"}' }],
        finishReason: "tool_calls",
        usage: noUsage,
        providerCalls: [{ id: "search_1", name: "web_search", arguments: "{}", result: [] }],
      }),
  };

  @model(answered)
  @usesTools([AskUserTool])
  class SearchingAgent extends Agent {}

  return new SearchingAgent();
}

describe("stream", () => {
  it("reports the events of the run in the order in which they happen", async () => {
    const events = await eventsOf(
      agentOf([
        { text: "Let me see.", ...readPages(2) },
        { reasoning: "Two.", text: "Two pages." },
      ]).stream("Read"),
    );
    expect(typesOf(events)).toEqual([
      "text_delta",
      "text_done",
      "tool_call_delta",
      "tool_call_done",
      "usage",
      "tool_started",
      "tool_progress",
      "tool_progress",
      "tool_result",
      "step_done",
      "reasoning_delta",
      "reasoning_done",
      "text_delta",
      "text_done",
      "usage",
      "step_done",
      "done",
    ]);
    expect(events).toContainEqual({ type: "tool_call_done", step: 1, callId: "call_1", tool: "pages", arguments: '{"count":2}' });
    expect(events).toContainEqual({ type: "tool_started", step: 1, callId: "call_1", tool: "pages", attempt: 1, input: { count: 2 } });
    expect(events).toContainEqual({ type: "tool_progress", step: 1, callId: "call_1", tool: "pages", fraction: 0.5, message: "page 1" });
    expect(events).toContainEqual({
      type: "tool_result",
      step: 1,
      callId: "call_1",
      tool: "pages",
      content: '{"pages":2}',
      data: { pages: 2 },
    });
    expect(events.at(-1)).toMatchObject({ type: "done", response: { text: "Two pages." } });
  });

  it("sends every kind of event that the documentation names, and no other", async () => {
    const documentation = await readFile("docs/03-agents.md", "utf8");
    const [, table = ""] = documentation.split("| event | content |");
    const rows = table.split("\n\n")[0] ?? "";
    const documented = [...rows.matchAll(/^\|([^|]*)\|/gm)].flatMap(([, names = ""]) =>
      [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name),
    );
    const failure = new ModelError("test/model", "overloaded", { retryable: false });
    const runs = [
      [{ reasoning: "Two.", text: "Let me see.", ...readPages(2) }, "Two pages."],
      [{ toolCalls: [{ name: "delete" }] }],
      [{ error: failure }],
    ].map((script) => agentOf(script).stream("Go"));
    runs.push(agentOf(["Hello."]).stream("Go", { abortSignal: AbortSignal.abort("user left") }));
    runs.push(agentThatAsks().stream("Go"), agentThatSearches().stream("Go"));
    const told = (await Promise.all(runs.map(eventsOf))).flat().map(({ type }) => type);
    expect([...new Set(told)].sort()).toEqual(documented.sort());
    expect(documented).toHaveLength(18);
  });

  it("gives the same response as generate", async () => {
    const script = () => [readPages(1, 2), "Done."];
    const { runId: _streamed, ...streamed } = await agentOf(script()).stream("Read").response;
    const { runId: _generated, ...generated } = await agentOf(script()).generate("Read");
    expect(streamed).toEqual(generated);
  });

  it("gives the text alone as textStream, piece by piece", async () => {
    const pieces: string[] = [];
    for await (const piece of agentOf(["It is sunny in Paris today."]).stream("Weather?").textStream) pieces.push(piece);
    expect(pieces.join("")).toBe("It is sunny in Paris today.");
    expect(pieces.length).toBeGreaterThan(1);
  });

  it("sends the whole text as one piece if the model can't stream", async () => {
    const silent: ChatModel = {
      id: "test/silent",
      generate: async () => ({ text: "All at once.", toolCalls: [], finishReason: "stop", usage: noUsage }),
    };
    const events = await eventsOf(agentOf(silent).stream("Hi"));
    expect(events.slice(0, 2)).toEqual([
      { type: "text_delta", step: 1, delta: "All at once." },
      { type: "text_done", step: 1, text: "All at once." },
    ]);
  });

  it("gives parallel calls distinct ids, the same in all events, also if the model gives none", async () => {
    const deltas: ChatModel = {
      id: "test/deltas",
      generate: async ({ messages, onDelta }) => {
        if (messages.length > 1) return { text: "Done.", toolCalls: [], finishReason: "stop", usage: noUsage };
        for (const piece of ['{"cou', 'nt":1}']) {
          for (const index of [0, 1]) onDelta?.({ type: "tool_call", index, id: "", name: "pages", arguments: piece });
        }
        const call = { id: "", name: "pages", arguments: '{"count":1}' };
        return { text: "", toolCalls: [call, call], finishReason: "tool_calls", usage: noUsage };
      },
    };
    const events = await eventsOf(agentOf(deltas).stream("Read"));
    const written = new Map<string, string>();
    for (const event of events) {
      if (event.type === "tool_call_delta") written.set(event.callId, (written.get(event.callId) ?? "") + event.delta);
    }
    expect([...written.values()]).toEqual(['{"count":1}', '{"count":1}']);
    const done = events.flatMap((event) => (event.type === "tool_call_done" ? [event.callId] : []));
    expect(done).toEqual([...written.keys()]);
    const results = events.flatMap((event) => (event.type === "tool_result" ? [event.callId] : []));
    expect(new Set(results)).toEqual(new Set(done));
  });

  it("aborts the run when the reader breaks out of the loop, and the tool sees it", async () => {
    const agent = agentOf([readPages(99), "never"]);
    const stream = agent.stream("Read");
    for await (const event of stream) if (event.type === "tool_progress") break;
    const response = await stream.response;
    expect(response.outcome).toMatchObject({ reason: "aborted", detail: expect.stringContaining("reader left") });
    expect(agent.messages.at(-1)).toMatchObject({ role: "tool", errorType: "cancelled" });
  });

  it("goes on while one of several readers is left", async () => {
    const stream = agentOf([readPages(1), "Done."]).stream("Read");
    const whole = eventsOf(stream);
    for await (const _ of stream) break;
    expect((await whole).at(-1)?.type).toBe("done");
  });

  it("sends late readers all events from the start", async () => {
    const stream = agentOf(["Hello there."]).stream("Hi");
    await stream.response;
    expect(await eventsOf(stream)).toEqual(await eventsOf(stream));
  });

  it("reports the caller's abort, with its reason", async () => {
    const controller = new AbortController();
    const stream = agentOf([readPages(99)]).stream("Read", { abortSignal: controller.signal });
    const events: AgentEvent[] = [];
    for await (const event of stream) {
      events.push(event);
      if (event.type === "tool_started") controller.abort("user left");
    }
    expect(events).toContainEqual({ type: "aborted", detail: "user left" });
    expect((await stream.response).outcome).toEqual({ reason: "aborted", detail: "user left" });
  });

  it("reports a model that failed, and ends with a response that can be resumed", async () => {
    const overloaded = new ModelError("test/model", "overloaded", { retryable: false });
    const agent = agentOf([{ error: overloaded }, "Back again."]);
    const events = await eventsOf(agent.stream("Hi"));
    expect(events.map(({ type }) => type)).toEqual(["error", "done"]);
    expect(events[0]).toEqual({ type: "error", error: overloaded });
    const { state } = agent;
    if (state === undefined) throw new Error("the run has a state");
    expect((await agent.resumeStream(state).response).text).toBe("Back again.");
  });

  it("throws at the reader what generate would throw, and an unread response ends no process", async () => {
    const agent = agentOf([{ error: new TypeError("a mistake") }]);
    const stream = agent.stream("Hi");
    const events: AgentEvent[] = [];
    const reading = (async () => {
      for await (const event of stream) events.push(event);
    })();
    await expect(reading).rejects.toThrow("a mistake");
    expect(events.at(-1)).toMatchObject({ type: "error", error: new TypeError("a mistake") });
    await expect(stream.response).rejects.toThrow("a mistake");
  });

  it("reports which call needs a confirmation, and resumeStream goes on", async () => {
    const agent = agentOf([{ toolCalls: [{ name: "delete" }] }, "Gone."]);
    const events = await eventsOf(agent.stream("Delete"));
    const asked = events.find((event) => event.type === "confirmation_required");
    expect(asked).toMatchObject({ step: 1, confirmation: { callId: "call_1", tool: "delete" } });
    expect(events.at(-1)).toMatchObject({ type: "done", response: { outcome: { reason: "awaiting_confirmation" } } });
    const { state } = agent;
    if (state === undefined) throw new Error("the run has a state");
    const resumed = await eventsOf(agent.resumeStream(state, { decisions: [approve("call_1")] }));
    expect(typesOf(resumed)).toEqual(["tool_started", "tool_result", "step_done", "text_delta", "text_done", "usage", "step_done", "done"]);
  });

  it("refuses a second run of the instance while one is streamed", async () => {
    const agent = agentOf(["Hello.", "Hello."]);
    const first = agent.stream("Hi");
    await expect(agent.generate("Hi")).rejects.toThrow("is still answering");
    await expect(agent.stream("Hi").response).rejects.toThrow("is still answering");
    expect((await first.response).text).toBe("Hello.");
  });

  it("shares the executor of an agent's runs, and mixes up none of their events", async () => {
    const slow = createTool({
      name: "echo",
      description: "Says it again. Use for tests.",
      inputSchema: { type: "object", properties: { word: { type: "string" } } },
      execute: async ({ word }, { progress }) => {
        await new Promise(setImmediate);
        progress(1, String(word));
        return word;
      },
    });
    const echoing: ChatModel = {
      id: "test/echo",
      generate: async ({ messages }) => {
        const said = messages[0]?.role === "user" ? String(messages[0].content) : "";
        const calls = messages.length > 1 ? [] : [{ id: "x", name: "echo", arguments: JSON.stringify({ word: said }) }];
        return { text: calls.length === 0 ? said : "", toolCalls: calls, finishReason: "stop", usage: noUsage };
      },
    };

    @model(echoing)
    @usesTools([slow])
    class EchoAgent extends Agent {}

    const words = ["one", "two", "three"];
    const streams = await Promise.all(words.map((word) => eventsOf(EchoAgent.stream(word))));
    for (const [index, events] of streams.entries()) {
      expect(events.flatMap((event) => (event.type === "tool_progress" ? [event.message] : []))).toEqual([words[index]]);
    }
  });
});
