import { checkGuardrails, checkInput, checkOutput, type GuardrailSituation, makeGuardrails } from "../../src/agent/guardrails/index.js";
import {
  Agent,
  type AgentEvent,
  block,
  type Guardrail,
  guardrail,
  type InputGuardrail,
  model,
  pass,
  transform,
  usesTools,
} from "../../src/agent/index.js";
import { type ChatModel, type ContentPart, ModelError, noUsage, ScriptedModel, type ScriptedStep } from "../../src/models/index.js";
import { createTool } from "../../src/tool/index.js";
import { settingListOf } from "../../src/tool/internal.js";

const situation: GuardrailSituation = { agent: "support", runId: "run_1", context: { userId: "42" }, messages: [] };

const blockCards: InputGuardrail = { checkInput: (input) => (/\d{16}/.test(input) ? block("a card number", { digits: 16 }) : pass()) };
const shout: InputGuardrail = { checkInput: (input) => transform(input.toUpperCase()) };
const sign = (name: string): Guardrail => ({
  checkInput: (input) => transform(`${input} ${name}`),
  checkOutput: async (output) => transform(`${output} ${name}`),
});

const made = (agentClass: object, container?: { get(type: unknown): unknown }) =>
  makeGuardrails(checkGuardrails(settingListOf(agentClass, "guardrails"), "TestAgent"), container, "TestAgent");

describe("a guardrail", () => {
  it("lets a text pass as it is", async () => {
    expect(await checkInput([blockCards], "Hello", situation)).toEqual({ prompt: "Hello" });
  });

  it("puts another text in its place", async () => {
    expect(await checkOutput([sign("Ada")], "Hello", situation)).toEqual({ text: "Hello Ada" });
  });

  it("blocks with a reason and details, and those behind it aren't asked", async () => {
    const never = { checkInput: () => fail("was asked") };
    expect(await checkInput([blockCards, never], "4000000000000000", situation)).toEqual({
      blocked: "a card number",
      details: { digits: 16 },
    });
  });

  it("knows agent, run, context and history", async () => {
    const hear = jest.fn(() => pass());
    await checkOutput([{ checkOutput: hear }], "Hello", situation);
    expect(hear).toHaveBeenCalledWith("Hello", situation);
  });

  it("gets what the one before it made of the text", async () => {
    expect(await checkInput([shout, sign("a"), sign("b")], "hello", situation)).toEqual({ prompt: "HELLO a b" });
  });

  it("throws what it throws: a check that failed let nothing through", async () => {
    const broken = { checkInput: () => Promise.reject(new Error("no connection")) };
    await expect(checkInput([broken], "Hello", situation)).rejects.toThrow("no connection");
  });

  it.each([undefined, true, "pass", null, { type: "transform" }])("is refused if it answers %p", async (verdict) => {
    class Forgetful {
      checkInput = () => verdict as never;
    }
    await expect(checkInput([new Forgetful()], "Hello", situation)).rejects.toThrow(
      /^The guardrail Forgetful gave .*, which isn't a verdict\. Return pass\(\), transform\(text\) or block\(reason\)\.$/,
    );
  });
});

describe("a prompt of several parts", () => {
  const image: ContentPart = { type: "image", mediaType: "image/png", data: "AAAA" };
  const text = (value: string): ContentPart => ({ type: "text", text: value });

  it("is seen as one text: what is split can't pass by", async () => {
    const noSecret = { checkInput: (input: string) => (/one\s+two/.test(input) ? block("one two") : pass()) };
    expect(await checkInput([noSecret], [text("one"), image, text("two")], situation)).toEqual({ blocked: "one two" });
  });

  it("stays as it is where nothing changed", async () => {
    const parts = [text("one"), image];
    expect((await checkInput([blockCards], parts, situation)).prompt).toBe(parts);
  });

  it("has the changed text in place of its first text, and keeps its images", async () => {
    expect(await checkInput([shout], [image, text("one"), image, text("two")], situation)).toEqual({
      prompt: [image, text("ONE\nTWO"), image],
    });
  });

  it("gets a text where it had none", async () => {
    const explain = { checkInput: () => transform("Describe this.") };
    expect(await checkInput([explain], [image], situation)).toEqual({ prompt: [text("Describe this."), image] });
  });
});

describe("@guardrail", () => {
  @guardrail("before", shout)
  @guardrail("around", sign("first"))
  class BaseAgent extends Agent {}

  @guardrail("after", sign("last"))
  class SubAgent extends BaseAgent {}

  it("asks in order of writing, those of the base first", async () => {
    const { before, after } = await made(SubAgent);
    expect(await checkInput(before, "hello", situation)).toEqual({ prompt: "HELLO first" });
    expect(await checkOutput(after, "Hello", situation)).toEqual({ text: "Hello first last" });
  });

  it("of a subclass says nothing of the base", async () => {
    expect(await checkOutput((await made(BaseAgent)).after, "Hello", situation)).toEqual({ text: "Hello first" });
  });

  class Blocklist implements InputGuardrail {
    constructor(private readonly words: readonly string[]) {}
    checkInput(input: string) {
      return this.words.some((word) => input.includes(word)) ? block("a blocked word") : pass();
    }
  }

  it("takes a class, made by the container if it wants services", async () => {
    @guardrail("before", Blocklist)
    class GuardedAgent extends Agent {}

    const container = { get: async (type: unknown) => (type === Blocklist ? new Blocklist(["secret"]) : undefined) };
    const { before } = await made(GuardedAgent, container);
    expect(await checkInput(before, "the secret", situation)).toEqual({ blocked: "a blocked word" });
    await expect(made(GuardedAgent)).rejects.toThrow(
      "TestAgent: the guardrail Blocklist wants services, but there is no container to take them from. " +
        "Call useContainer(Container), or give @guardrail an instance. " +
        "In Nest, import ToolwrightModule.forFeature of toolwright/nest, and inject the agent or make it by AgentFactory.",
    );
  });

  it("takes a class without services and makes it for each run", async () => {
    class Once implements InputGuardrail {
      #asked = false;
      checkInput() {
        if (this.#asked) return block("asked twice");
        this.#asked = true;
        return pass();
      }
    }

    @guardrail("before", Once)
    class GuardedAgent extends Agent {}

    for (const run of [1, 2]) {
      const { before } = await made(GuardedAgent);
      expect(await checkInput(before, `run ${run}`, situation)).toEqual({ prompt: `run ${run}` });
    }
  });

  it("refuses what can't check, and moments that don't exist", async () => {
    @guardrail("after", blockCards as never)
    class OneSided extends Agent {}
    expect(() => checkGuardrails(settingListOf(OneSided, "guardrails"), "OneSided")).toThrow(
      'OneSided: @guardrail("after") got an object, which has no checkOutput(text, situation). Add it, or ask the guardrail at another moment.',
    );

    @guardrail("around", Blocklist as never)
    class Half extends Agent {}
    await expect(made(Half, { get: () => new Blocklist([]) })).rejects.toThrow(
      '@guardrail("around") got Blocklist, which has no checkOutput',
    );

    @guardrail("before", (() => "no") as never)
    class Nameless extends Agent {}
    expect(() => checkGuardrails(settingListOf(Nameless, "guardrails"), "Nameless")).toThrow(
      '@guardrail("before") got a function without a name, which has no checkInput',
    );

    @guardrail("before", new (class {})() as never)
    class Anonymous extends Agent {}
    expect(() => checkGuardrails(settingListOf(Anonymous, "guardrails"), "Anonymous")).toThrow(
      '@guardrail("before") got an anonymous class, which has no checkInput',
    );

    @guardrail("during" as never, shout as never)
    class Unknown extends Agent {}
    expect(() => checkGuardrails(settingListOf(Unknown, "guardrails"), "Unknown")).toThrow(
      'Unknown: @guardrail is asked during, but must be "before", "after" or "around".',
    );
  });
});

describe("a run with guardrails", () => {
  const Ping = createTool("ping", "Answers pong. Use when asked to ping.", { type: "object" }, () => "pong");
  const noCards: Guardrail = {
    checkInput: (input) => (/\d{16}/.test(input) ? block("a card number", { digits: 16 }) : pass()),
    checkOutput: (output) => (output.includes("secret") ? block("a secret") : transform(output.replace("rain", "sun"))),
  };

  function agentOf(...script: ScriptedStep[]) {
    const scripted = new ScriptedModel(script);

    @model(scripted)
    @usesTools([Ping])
    @guardrail("around", noCards)
    class BaseAgent extends Agent {}

    @guardrail("before", shout)
    class GuardedAgent extends BaseAgent {}

    return { agent: new GuardedAgent(), scripted };
  }

  it("asks no model if the prompt is blocked, and keeps the prompt out of the history", async () => {
    const { agent, scripted } = agentOf("never");
    const response = await agent.generate("My card is 4000000000000000.");
    expect(response.outcome).toEqual({ reason: "guardrail_blocked", detail: "a card number", details: { digits: 16 } });
    expect([scripted.requests, agent.messages]).toEqual([[], []]);
  });

  it("asks those of the base class before those of its own, and goes on with what they made of the texts", async () => {
    const { agent, scripted } = agentOf("There will be rain.");
    expect((await agent.generate("weather?")).text).toBe("There will be sun.");
    expect(scripted.requests[0]?.messages.at(-1)).toEqual({ role: "user", content: "WEATHER?" });
    expect(agent.messages.map(({ content }) => content)).toEqual(["WEATHER?", "There will be sun."]);
  });

  it("ends where an answer is blocked: its tools don't run, and the conversation can go on without it", async () => {
    const { agent, scripted } = agentOf({ text: "The secret is 42.", toolCalls: [{ name: "ping" }] }, "Hello.");
    const blocked = await agent.generate("tell me");
    expect(blocked.outcome).toEqual({ reason: "guardrail_blocked", detail: "a secret" });
    expect(blocked.text).toBeUndefined();
    expect((await agent.generate("hello")).text).toBe("Hello.");
    expect(JSON.stringify(scripted.requests[1]?.messages)).not.toMatch(/secret|pong/);
  });

  it("asks a model again that broke off in the middle of an answer, because nothing was streamed yet", async () => {
    let attempts = 0;
    const broken: ChatModel = {
      id: "test/broken",
      generate: async ({ onDelta }) => {
        attempts += 1;
        onDelta?.({ type: "text", text: attempts === 1 ? "There wi" : "There will be rain." });
        if (attempts === 1) throw new ModelError("test/broken", "connection lost", { retryable: true, retryAfter: 0 });
        return { text: "There will be rain.", toolCalls: [], finishReason: "stop", usage: noUsage };
      },
    };

    @model(broken)
    @guardrail("after", noCards)
    class GuardedAgent extends Agent {}

    const texts: string[] = [];
    for await (const text of new GuardedAgent().stream("weather?").textStream) texts.push(text);
    expect(texts).toEqual(["There will be sun."]);
  });

  it("streams nothing of an answer that is blocked but its tokens", async () => {
    const answer = { reasoning: "Psst.", text: "The secret is 42.", toolCalls: [{ name: "ping" }], usage: { outputTokens: 9 } };
    const events: AgentEvent[] = [];
    for await (const event of agentOf(answer).agent.stream("tell me")) events.push(event);
    expect(events).toMatchObject([
      { type: "usage", usage: { outputTokens: 9 }, total: { outputTokens: 9 } },
      { type: "done", response: { outcome: { reason: "guardrail_blocked" } } },
    ]);
  });
});
