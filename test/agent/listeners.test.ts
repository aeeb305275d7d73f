import { AsyncLocalStorage } from "node:async_hooks";
import { Agent, type AgentListener, model, usesTools } from "../../src/agent/index.js";
import { type ChatModel, ModelError, noUsage, ScriptedModel } from "../../src/models/index.js";
import { description, Tool, type ToolContext } from "../../src/tool/index.js";

@description("Answers pong. Use when asked to ping.")
class PingTool extends Tool {
  call(_context: ToolContext) {
    return "pong";
  }
}

function pingAgent(script: ConstructorParameters<typeof ScriptedModel>[0]) {
  @model(new ScriptedModel(script, { id: "scripted/ping" }), { retries: 0 })
  @usesTools([PingTool])
  class PingAgent extends Agent {}

  return new PingAgent();
}

const ping = { toolCalls: [{ name: "ping_tool" }] };

/** Notes the names of what it hears; as a class, so that it needs its own `this`. */
class Notes implements AgentListener {
  readonly heard: unknown[] = [];
  runStarted(event: { agent: string }) {
    this.heard.push(`run of ${event.agent}`);
  }
  modelStarted(event: { step: number; model: string }) {
    this.heard.push(`${event.model}, step ${event.step}`);
  }
  modelFinished(event: { response?: { text: string }; error?: unknown }) {
    this.heard.push(event.error ?? `answer "${event.response?.text}"`);
  }
  toolFinished(record: { tool: string }) {
    this.heard.push(record.tool);
  }
  runFinished(event: { outcome?: { reason: string }; steps: number }) {
    this.heard.push(`${event.outcome?.reason} after ${event.steps}`);
  }
}

describe("an agent's listeners", () => {
  it("receive the events of the run, its model calls and its tool calls, in order", async () => {
    const notes = new Notes();
    await pingAgent([ping, "Done."]).generate("Ping", { listeners: [notes] });
    expect(notes.heard).toEqual([
      "run of ping_agent",
      "scripted/ping, step 1",
      'answer ""',
      "ping_tool",
      "scripted/ping, step 2",
      'answer "Done."',
      "success after 2",
    ]);
  });

  it("receive the error of a model that failed", async () => {
    const notes = new Notes();
    const error = new ModelError("scripted/ping", "overloaded", { retryable: false });
    await pingAgent([{ error }]).generate("Ping", { listeners: [notes] });
    expect(notes.heard.slice(-2)).toEqual([error, "model_error after 1"]);
  });

  it("receive each failed attempt at a model call, with the wait before the next attempt or the fallback", async () => {
    const overloaded = (retryAfter?: number) =>
      new ModelError("scripted/first", "overloaded", { retryable: true, ...(retryAfter !== undefined && { retryAfter }) });
    const [first, second] = [overloaded(3), overloaded()];

    @model(new ScriptedModel([{ error: first }, { error: second }], { id: "scripted/first" }), {
      retries: 1,
      fallback: new ScriptedModel(["From the fallback."]),
    })
    class OverloadedAgent extends Agent {}

    const heard: unknown[] = [];
    const listener: AgentListener = {
      modelRetried: ({ step, model: id, error, delay }) => heard.push([step, id, error, delay]),
      modelFinished: ({ response }) => heard.push(response?.text),
    };
    await OverloadedAgent.generate("Hi", { listeners: [listener] });
    expect(heard).toEqual([[1, "scripted/first", first, 3], [1, "scripted/first", second, 0], "From the fallback."]);
  });

  it("put model calls into async contexts of theirs, by the event that modelStarted had", async () => {
    const storage = new AsyncLocalStorage<string>();
    const events: unknown[] = [];
    const seen: unknown[] = [];
    const looking: ChatModel = {
      id: "test/looking",
      generate: async () => {
        await Promise.resolve();
        seen.push(storage.getStore());
        return { text: "Done.", toolCalls: [], finishReason: "stop", usage: noUsage };
      },
    };

    @model(looking)
    class LookingAgent extends Agent {}

    const listener: AgentListener = {
      modelStarted: (event) => void events.push(event),
      aroundModel: (event, run) => {
        events.push(event);
        storage.run(`step ${event.step}`, run);
      },
    };
    expect((await LookingAgent.generate("Hi", { listeners: [{}, listener] })).text).toBe("Done.");
    expect(seen).toEqual(["step 1"]);
    expect(events[0]).toBe(events[1]);
  });

  it.each<[string, NonNullable<AgentListener["aroundModel"]>]>([
    ["never begins the model call", () => undefined],
    [
      "throws",
      () => {
        throw new Error("no span");
      },
    ],
  ])("are warned of where one %s: the model is asked once", async (_how, aroundModel) => {
    const warn = jest.spyOn(process, "emitWarning").mockImplementation();
    expect((await pingAgent(["Done."]).generate("Ping", { listeners: [{ aroundModel }] })).text).toBe("Done.");
    expect(warn.mock.calls.map(([message]) => message)).toEqual([expect.stringContaining("aroundModel failed")]);
    warn.mockRestore();
  });

  it("receive the end of a run that threw", async () => {
    const notes = new Notes();
    const mistake = new TypeError("mistake");
    await expect(pingAgent([{ error: mistake }]).generate("Ping", { listeners: [notes] })).rejects.toBe(mistake);
    expect(notes.heard.slice(-2)).toEqual([mistake, "undefined after 1"]);
  });

  it("never disturb a run, whether they throw or reject", async () => {
    const warn = jest.spyOn(process, "emitWarning").mockImplementation();
    const listeners: AgentListener[] = [
      {
        runStarted: () => {
          throw new Error("threw");
        },
        runFinished: async () => {
          throw new Error("rejected");
        },
      },
    ];
    expect((await pingAgent(["Done."]).generate("Ping", { listeners })).text).toBe("Done.");
    await new Promise(setImmediate);
    expect(warn.mock.calls.map(([message]) => message)).toEqual([expect.stringContaining("threw"), expect.stringContaining("rejected")]);
    warn.mockRestore();
  });
});
