import fc from "fast-check";
import { Agent, type AgentResponse, model, usesTools } from "../../src/agent/index.js";
import {
  type ChatModel,
  type Message,
  ModelError,
  ScriptedModel,
  type ScriptedStep,
  type ScriptedToolCall,
} from "../../src/models/index.js";
import { createTool, description, requiresConfirmation, Tool, type ToolContext, timeout } from "../../src/tool/index.js";
import { isPaired } from "../support/paired.js";

@description("Answers pong. Use when asked to ping.")
class PingTool extends Tool {
  call(_context: ToolContext) {
    return "pong";
  }
}

@description("Fails. Use never.")
class BrokenTool extends Tool {
  call(_context: ToolContext): never {
    throw new Error("disk full");
  }
}

@description("Never answers. Use never.")
class SilentTool extends Tool {
  call(_context: ToolContext) {
    return new Promise<never>(() => {});
  }
}

@description("Never answers, and has no patience. Use never.")
@timeout(5)
class ImpatientTool extends SilentTool {}

@description("Deletes everything. Use when the user insists.")
@requiresConfirmation()
class DeleteTool extends Tool {
  call(_context: ToolContext) {
    return "deleted";
  }
}

const tools = [PingTool, BrokenTool, SilentTool, ImpatientTool, DeleteTool];

const ask = (...names: (string | ScriptedToolCall)[]): ScriptedStep => ({
  toolCalls: names.map((name) => (typeof name === "string" ? { name } : name)),
});

function agentWith(script: readonly ScriptedStep[]) {
  const scripted = new ScriptedModel(script);

  @model(scripted, { retries: 0 })
  @usesTools(tools)
  class TestAgent extends Agent {}

  return { agent: new TestAgent(), scripted };
}

const contents = (messages: readonly Message[]) => messages.map(({ content }) => content);

describe("the history", () => {
  it("case 29: has a result for each of two parallel calls, also if one fails", async () => {
    const { agent } = agentWith([ask("ping_tool", "broken_tool"), "Done."]);
    await agent.generate("Go");
    expect(agent.messages).toMatchObject([
      { role: "user" },
      { role: "assistant", toolCalls: [{ id: "call_1" }, { id: "call_2" }] },
      { role: "tool", toolCallId: "call_1", content: "pong" },
      { role: "tool", toolCallId: "call_2", content: "Error executing tool: disk full" },
      { role: "assistant", content: "Done." },
    ]);
  });

  it("case 34: stays paired after an unknown tool and another try", async () => {
    const { agent } = agentWith([ask("made_up"), ask("ping_tool"), "Done."]);
    await agent.generate("Go");
    expect(isPaired(agent.messages)).toBe(true);
  });

  it("holds a legal name if the model made one up that providers refuse", async () => {
    const { agent } = agentWith([ask("search the web!"), "Done."]);
    await agent.generate("Go");
    expect(agent.messages[1]).toMatchObject({ toolCalls: [{ name: "search_the_web_" }] });
  });

  it("makes ids unique that the model gives twice, in one step and in later ones", async () => {
    const same = { id: "x", name: "ping_tool" };
    const { agent } = agentWith([ask(same, same), ask(same), "Done."]);
    const { steps } = await agent.generate("Go");
    expect(steps.flatMap(({ toolCalls }) => toolCalls.map(({ id }) => id))).toEqual(["x", "x_2", "x_3"]);
    expect(isPaired(agent.messages)).toBe(true);
  });

  it("case 32: makes ids up that the model leaves empty", async () => {
    const nameless = { id: "", name: "ping_tool" };
    const { agent } = agentWith([ask(nameless, nameless), "Done."]);
    await agent.generate("Go");
    expect(agent.messages[1]).toMatchObject({ toolCalls: [{ id: "call_1" }, { id: "call_2" }] });
  });

  it("can't be changed from outside", async () => {
    const { agent } = agentWith(["Hello."]);
    await agent.generate("Hi");
    (agent.messages as Message[]).pop();
    expect(agent.messages).toHaveLength(2);
    expect(Object.isFrozen(agent.messages[0])).toBe(true);
  });

  it("sends listeners each assistant and tool message as it comes, until they unsubscribe", async () => {
    const { agent } = agentWith([ask("ping_tool"), "Done.", "Hello."]);
    const heard: Message[] = [];
    const end = agent.onMessage((message) => heard.push(message));
    await agent.generate("Go");
    expect(heard.map(({ role }) => role)).toEqual(["assistant", "tool", "assistant"]);
    end();
    await agent.generate("Hi");
    expect(heard).toHaveLength(3);
  });

  it("is not disturbed by a listener that throws", async () => {
    const { agent } = agentWith(["Hello."]);
    agent.onMessage(() => {
      throw new Error("listener broke");
    });
    const warn = jest.spyOn(process, "emitWarning").mockImplementation();
    expect((await agent.generate("Hi")).text).toBe("Hello.");
    expect(warn).toHaveBeenCalledWith(expect.stringContaining("listener broke"), "ToolwrightWarning");
    warn.mockRestore();
  });
});

describe("restore", () => {
  it("goes on from a stored history, which is copied", async () => {
    const { agent, scripted } = agentWith(["Fine."]);
    const stored: Message[] = [
      { role: "user", content: "Hi" },
      { role: "assistant", content: "Hello." },
    ];
    await agent.restore(stored).generate("How are you?");
    expect(contents(scripted.requests[0]?.messages ?? [])).toEqual(["Hi", "Hello.", "How are you?"]);
    expect(stored).toHaveLength(2);
    expect(Object.isFrozen(stored[0])).toBe(false);
  });

  it("case 28: gives a call without a result one, and leaves out results of nothing", async () => {
    const { agent } = agentWith(["Sorry."]);
    const call = (id: string) => ({ id, name: "ping_tool", arguments: "{}" });
    const result = (toolCallId: string, content: string): Message => ({ role: "tool", toolCallId, toolName: "ping_tool", content });
    await agent
      .restore([
        { role: "user", content: "Go" },
        { role: "assistant", content: "", toolCalls: [call("a"), call("b"), call("c")] },
        result("c", "pong c"),
        result("a", "pong a"),
        result("a", "pong again"),
        result("nobody", "pong nobody"),
      ])
      .generate("And?");
    expect(agent.messages.slice(2, 6)).toMatchObject([
      { toolCallId: "a", content: "pong a" },
      { toolCallId: "b", content: "Request was cancelled", errorType: "cancelled" },
      { toolCallId: "c", content: "pong c" },
      { role: "user", content: "And?" },
    ]);
  });

  it("keeps ids of the stored history unique", async () => {
    const { agent } = agentWith([ask({ id: "a", name: "ping_tool" }), "Done."]);
    await agent.restore([{ role: "assistant", content: "", toolCalls: [{ id: "a", name: "ping_tool", arguments: "{}" }] }]).generate("Go");
    expect(isPaired(agent.messages)).toBe(true);
  });

  it("makes ids unique and names legal that another program stored, and keeps each result with its call", () => {
    const call = (id: string) => ({ id, name: "calendar.respond", arguments: "{}" });
    const result = (toolCallId: string, content: string): Message => ({ role: "tool", toolCallId, toolName: "calendar.respond", content });
    const { agent } = agentWith([]);
    agent.restore([
      { role: "assistant", content: "", toolCalls: [call("a"), call("a"), call("")] },
      result("a", "first"),
      result("", "nameless"),
      result("a", "second"),
      { role: "assistant", content: "", toolCalls: [call("a")] },
      result("a", "third"),
    ]);
    expect(contents(agent.messages)).toEqual(["", "first", "second", "nameless", "", "third"]);
    expect(isPaired(agent.messages)).toBe(true);
    expect(agent.messages[1]).toMatchObject({ toolName: "calendar_respond" });
  });

  it("says where a stored history is none", () => {
    const { agent } = agentWith([]);
    const wrong: [unknown, string][] = [
      [{ version: 1, messages: [] }, "restore takes a list of messages, as agent.messages gives it, got object."],
      ["[]", "got string"],
      [[{ role: "user", content: "Hi" }, null], "message 1 has the role undefined"],
      [[{ role: "function", content: "" }], "message 0 has the role function, but is of one of these: system, user, assistant, tool."],
      [[{ role: "constructor", content: "" }], "message 0 has the role constructor"],
      [
        [{ role: "user", content: [{ type: "text", text: "Hi" }, { type: "video" }] }],
        "content of message 0 must be a string, or a list of text, image and file parts: part 1 isn't one of these.",
      ],
      [[{ role: "user", content: 7 }], "image and file parts: got number."],
      [[{ role: "assistant", content: null }], "content of message 0 must be a string"],
      [[{ role: "tool", content: "" }], "toolCallId of message 0 must be a string, got undefined."],
      [[{ role: "assistant", content: "", toolCalls: {} }], "toolCalls of message 0 isn't a list."],
      [[{ role: "assistant", content: "", toolCalls: [{ id: "a", name: "x", arguments: {} }] }], "arguments of a tool call in message 0"],
      [[{ role: "assistant", content: "", toolCalls: [null] }], "id of a tool call in message 0"],
    ];
    for (const [history, message] of wrong) expect(() => agent.restore(history as never)).toThrow(message);
    expect(agent.messages).toEqual([]);
  });

  it("takes prompts with images and files", () => {
    const content = [
      { type: "text", text: "What is this?" },
      { type: "image", mediaType: "image/png", data: "iVBORw==" },
    ] as const;
    const { agent } = agentWith([]);
    expect(agent.restore([{ role: "user", content }]).messages).toEqual([{ role: "user", content }]);
  });

  it("is refused during a generate", async () => {
    const { agent } = agentWith(["Hello."]);
    const running = agent.generate("Hi");
    expect(() => agent.restore([])).toThrow(/still answering/);
    await running;
  });

  it("makes any history a paired one", () => {
    const names = fc.constantFrom("a", "b", "c");
    const kinds = fc.array(
      fc.oneof(
        fc.constant("user" as const),
        fc.record({ answers: fc.nat(6), name: names }),
        fc.record({ calls: fc.uniqueArray(names, { minLength: 1 }) }),
      ),
    );
    const messages = kinds.map((all) =>
      all.map((kind, index): Message => {
        if (kind === "user") return { role: "user", content: "Hi" };
        if ("answers" in kind) return { role: "tool", toolCallId: `${kind.name}${kind.answers}`, toolName: "ping_tool", content: "pong" };
        return {
          role: "assistant",
          content: "",
          toolCalls: kind.calls.map((name) => ({ id: `${name}${index}`, name: "ping_tool", arguments: "{}" })),
        };
      }),
    );
    fc.assert(
      fc.property(messages, (history) => {
        const healed = agentWith([]).agent.restore(history).messages;
        expect(isPaired(healed)).toBe(true);
        expect(agentWith([]).agent.restore(healed).messages).toEqual(healed);
      }),
    );
  });
});

describe("abort", () => {
  it("case 28: during a tool, gives the open call a result, and the conversation goes on", async () => {
    const controller = new AbortController();
    const { agent, scripted } = agentWith([ask("ping_tool", "silent_tool"), "Hello again."]);
    agent.onMessage(() => setTimeout(() => controller.abort(new Error("user left")), 1));
    const response = await agent.generate("Go", { abortSignal: controller.signal });
    expect(response.outcome).toEqual({ reason: "aborted", detail: "Error: user left" });
    expect(response.steps[0]?.toolCalls).toMatchObject([{ data: "pong" }, { errorType: "cancelled" }]);
    expect((await agent.generate("Again")).text).toBe("Hello again.");
    expect(isPaired(scripted.requests[1]?.messages ?? [])).toBe(true);
  });

  it("case 41: reaches the tool with the caller's reason", async () => {
    const controller = new AbortController();
    const reasons: unknown[] = [];

    @description("Waits for the end. Use never.")
    class WaitTool extends Tool {
      async call({ abortSignal }: ToolContext) {
        await new Promise((resolve) => abortSignal.addEventListener("abort", resolve));
        reasons.push(abortSignal.reason);
      }
    }

    @model(new ScriptedModel([ask("wait_tool")]))
    @usesTools([WaitTool])
    class WaitAgent extends Agent {}

    const agent = new WaitAgent();
    agent.onMessage(() => setTimeout(() => controller.abort("enough"), 1));
    await agent.generate("Wait", { abortSignal: controller.signal });
    await new Promise(setImmediate);
    expect(reasons).toEqual(["enough"]);
  });

  it("releases a run whose model ignores the signal", async () => {
    const controller = new AbortController();
    const { agent } = agentWith([() => new Promise<never>(() => setTimeout(() => controller.abort("too slow"), 1)), "Hello."]);
    const response = await agent.generate("Hi", { abortSignal: controller.signal });
    expect(response.outcome).toEqual({ reason: "aborted", detail: "too slow" });
    expect((await agent.generate("Hi again")).text).toBe("Hello.");
  });

  it("before the start, asks no model", async () => {
    const { agent, scripted } = agentWith(["Hello."]);
    expect((await agent.generate("Hi", { abortSignal: AbortSignal.abort() })).outcome.reason).toBe("aborted");
    expect(scripted.requests).toHaveLength(0);
  });

  it.each(["by a listener", "by the model itself"])(
    "while the model is asked, %s, releases a run whose model ignores the signal",
    async (by) => {
      const controller = new AbortController();
      const deaf: ChatModel = {
        id: "test/deaf",
        generate: () => {
          if (by === "by the model itself") controller.abort("enough");
          return new Promise<never>(() => {});
        },
      };

      @model(deaf)
      class DeafAgent extends Agent {}

      const listeners = by === "by a listener" ? [{ modelStarted: () => controller.abort("enough") }] : [];
      expect((await DeafAgent.generate("Hi", { abortSignal: controller.signal, listeners })).outcome).toEqual({
        reason: "aborted",
        detail: "enough",
      });
    },
  );

  it("by one signal for many runs, waiting for model, retry and tool, ends them all, and Node warns of no leak", async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const add = jest.spyOn(signal, "addEventListener");
    const busy = new ModelError("test/busy", "busy", { retryable: true, retryAfter: 60_000 });
    const scripts: ScriptedStep[] = [{ error: busy }, () => new Promise<never>(() => {}), ask("silent_tool")];
    const runs = Array.from({ length: 30 }, (_, index) => {
      @model(new ScriptedModel([scripts[index % 3]!]), { timeout: 60_000 })
      @usesTools(tools)
      class ManyAgent extends Agent {}

      return ManyAgent.generate("Go", { abortSignal: signal });
    });
    setTimeout(() => controller.abort("shut down"), 20);
    for (const { outcome } of await Promise.all(runs)) expect(outcome).toEqual({ reason: "aborted", detail: "shut down" });
    expect(add.mock.calls.length).toBeLessThan(10);
  });

  it("of a signal that outlives many runs leaves no listener behind", async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    jest.spyOn(signal, "addEventListener").mockImplementation((...parameters: Parameters<typeof add>) => {
      listeners += 1;
      add(...parameters);
    });
    jest.spyOn(signal, "removeEventListener").mockImplementation((...parameters: Parameters<typeof remove>) => {
      listeners -= 1;
      remove(...parameters);
    });
    const { agent } = agentWith([ask("ping_tool"), "Done."]);
    await agent.generate("Go", { abortSignal: signal });
    await new Promise(setImmediate);
    expect(listeners).toBe(0);
  });
});

describe("a run that waits for a person", () => {
  it("has done the other calls of the step, and is given up if the conversation goes on without it", async () => {
    const { agent } = agentWith([ask("delete_tool", "ping_tool"), "Hello again."]);
    const response = await agent.generate("Delete it");
    expect(response.outcome.reason).toBe("awaiting_confirmation");
    expect((await agent.generate("Leave it")).text).toBe("Hello again.");
    expect(agent.messages.slice(2, 4)).toMatchObject([
      { errorType: "cancelled", content: expect.stringContaining("Not run") },
      { content: "pong" },
    ]);
    expect(isPaired(agent.messages)).toBe(true);
  });
});

describe("whatever happens", () => {
  const calls = fc.array(
    fc.record(
      {
        name: fc.constantFrom("ping_tool", "broken_tool", "impatient_tool", "delete_tool", "made up!", "toString", ""),
        id: fc.constantFrom("", "x", "y", "call_1", "x_2"),
        arguments: fc.constantFrom("{}", "", "[1]", '{"a":', "null", '{"__proto__":{}}'),
      },
      { requiredKeys: ["name", "id"] },
    ),
    { maxLength: 4 },
  );
  const steps = fc.array(
    fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({
          toolCalls: calls,
          finishReason: fc.constantFrom("stop" as const, "length" as const, "tool_calls" as const),
        }),
      },
      { weight: 1, arbitrary: fc.constant({ error: new ModelError("scripted/model", "overloaded", { retryable: false }) }) },
      { weight: 1, arbitrary: fc.constant({ error: new TypeError("mistake") }) },
    ),
    { maxLength: 6 },
  );
  const world = fc.record({
    steps,
    abortAtMessage: fc.option(fc.nat(6), { nil: -1 }),
    concurrency: fc.constantFrom(1, 2, 10),
    maxSteps: fc.constantFrom(2, 16),
  });

  it("the run ends, the history is paired, and the next generate works", async () => {
    await fc.assert(
      fc.asyncProperty(world, async ({ steps: script, abortAtMessage, concurrency, maxSteps }) => {
        const { agent, scripted } = agentWith([...script, "Done.", "Still here."]);
        const controller = new AbortController();
        let messages = 0;
        agent.onMessage(() => {
          if (messages++ === abortAtMessage) controller.abort("enough");
        });
        const end: AgentResponse | Error = await agent
          .generate("Go", { abortSignal: controller.signal, concurrency, maxSteps })
          .catch((error: Error) => error);
        if (end instanceof Error) expect(["ToolInterrupt", "TypeError"]).toContain(end.name);
        // The calls of a run that waits are still open.
        expect(isPaired(agent.state?.loop.current ? agent.messages.slice(0, -1) : agent.messages)).toBe(true);
        for (const request of scripted.requests) expect(isPaired(request.messages)).toBe(true);
        await agent.generate("And now?", { maxSteps: 1 }).catch(() => undefined);
        expect(isPaired(agent.messages)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it("each call of a model that repeats ids reaches its tool with an id of its own", async () => {
    const seen: string[] = [];
    const ping = createTool({
      name: "ping",
      description: "Answers pong. Use when asked to ping.",
      inputSchema: { type: "object" },
      execute: (_input: unknown, { idempotencyKey }: ToolContext) => seen.push(idempotencyKey),
    });
    const same = { id: "x", name: "ping" };

    @model(new ScriptedModel([ask(same, same), ask(same), "Done."]))
    @usesTools([ping])
    class PingAgent extends Agent {}

    await new PingAgent().generate("Go");
    expect(new Set(seen).size).toBe(3);
  });
});
