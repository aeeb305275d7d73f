import { createOpenAI } from "@ai-sdk/openai";
import { Agent, type AgentStream, block, guardrail, model, usesTools } from "../../src/agent/index.js";
import { approve } from "../../src/confirmation/index.js";
import type { RunState } from "../../src/loop/index.js";
import {
  agentHandler,
  decideHandler,
  type HandlerOptions,
  MemoryRunStateStore,
  sendEventStream,
  sendUiMessageStream,
  toEventStream,
  toNodeHandler,
  toUiMessageStream,
} from "../../src/web/index.js";
import { AiSdkModel, type ChatModel, ModelError, ScriptedModel, type ScriptedStep } from "../../src/models/index.js";
import { addSecret } from "../../src/redaction/index.js";
import { createTool, description, identifier, type ToolContext } from "../../src/tool/index.js";
import { ProviderServer } from "../support/provider-servers.js";
import { agentOf, callOf, closeServers, framesIn, postJson, serve, stored } from "./support.js";
import { until } from "../support/until.js";

/** What a provider says of its failure, and a browser must never read. */
const upstream = "Rate limit reached in organization org-ACME, see db.internal.corp";
const busy = new ModelError("openai/gpt-5-mini", `openai/gpt-5-mini: HTTP 429: ${upstream}`, { retryable: true, status: 429 });
const secretWords = /org-ACME|db\.internal|openai|HTTP/;

let warnings: jest.SpyInstance;
const warned = () => warnings.mock.calls.map(([message]) => String(message));
beforeEach(() => {
  warnings = jest.spyOn(process, "emitWarning").mockImplementation(() => undefined);
});
afterEach(() => jest.restoreAllMocks());
afterAll(closeServers);

type OnError = (error: unknown) => void;

/** An answer of a server whose agent's model, or code, fails. */
type Answer = (agent: () => Agent, onError?: OnError) => Promise<Response>;

const request = (body: unknown) =>
  new Request("http://shop.example/chat", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

const prompted =
  (format: HandlerOptions["format"]): Answer =>
  (agent, onError) => {
    const body =
      format === "ui" ? { id: "1", messages: [{ id: "m", role: "user", parts: [{ type: "text", text: "Hi" }] }] } : { prompt: "Hi" };
    return Promise.resolve(agentHandler({ agent, format, ...(onError && { onError }) })(request(body)));
  };

/** The run pauses at first, and fails after the decision. */
const decided =
  (format: HandlerOptions["format"]): Answer =>
  async (agent, onError) => {
    const paused = await agentOf([{ toolCalls: [callOf("refund", { order: "A-17" })] }]).generate("Refund");
    const store = new MemoryRunStateStore();
    store.save(paused.runId, stored(paused.state as RunState));
    const decide = decideHandler({ agent, format, pausedRuns: { store, authorise: () => true }, ...(onError && { onError }) });
    return decide(request({ runId: paused.runId, decisions: [{ callId: "call_1", decision: "approve" }] }));
  };

const sent =
  (send: (stream: AgentStream, response: import("node:http").ServerResponse, onError?: OnError) => unknown): Answer =>
  async (agent, onError) =>
    fetch(await serve((_request, response) => void send(agent().stream("Hi"), response, onError)));

const answers: readonly (readonly [string, Answer])[] = [
  ["toEventStream", async (agent, onError) => toEventStream(agent().stream("Hi"), { includeState: true, ...(onError && { onError }) })],
  ["sendEventStream", sent((stream, response, onError) => sendEventStream(stream, response, onError && { onError }))],
  ["toUiMessageStream", async (agent, onError) => toUiMessageStream(agent().stream("Hi"), onError && { onError })],
  ["sendUiMessageStream", sent((stream, response, onError) => sendUiMessageStream(stream, response, onError && { onError }))],
  ["agentHandler, sse", prompted("sse")],
  ["agentHandler, ui", prompted("ui")],
  ["agentHandler, json", prompted("json")],
  ["decideHandler, sse", decided("sse")],
  ["decideHandler, ui", decided("ui")],
  ["decideHandler, json", decided("json")],
];

const failing = (steps: ChatModel | readonly ScriptedStep[]) => () => agentOf(steps);

function forgetful(): Agent {
  @model("embedded/keyword")
  @usesTools(() => {
    throw new Error("db.internal is down");
  })
  @identifier("support")
  class ForgetfulAgent extends Agent {}

  return new ForgetfulAgent();
}

describe.each(answers)("a run that fails behind %s", (_name, answer) => {
  it("reports to the client that the model failed, without the provider's message", async () => {
    const text = await (await answer(failing([{ error: busy }]))).text();
    expect(text).toContain("The model is not available right now. Try again later.");
    expect(text).not.toMatch(secretWords);
  });

  it("reports the provider's error once: to onError, or else as a process warning", async () => {
    const heard: unknown[] = [];
    await (await answer(failing([{ error: busy }]), (error) => heard.push(error))).text();
    expect(heard).toEqual([busy]);
    expect(warned()).toEqual([]);
    await (await answer(failing([{ error: busy }]))).text();
    expect(warned()).toEqual([expect.stringMatching(/^A run .* failed: ModelError: .*org-ACME/)]);
  });

  it("reports an error of the application once, to onError or as a process warning, and hides its message from the client", async () => {
    const heard: unknown[] = [];
    const text = await (await answer(forgetful, (error) => heard.push(error))).text();
    expect(text).toMatch(/The (run|request) failed on the server\./);
    expect(text).not.toContain("db.internal");
    expect(heard).toMatchObject([{ message: "db.internal is down" }]);
    await (await answer(forgetful)).text();
    expect(warned()).toEqual([expect.stringMatching(/^A run .* failed: Error: db\.internal is down\n/)]);
  });

  it("treats a missing key in the same way", async () => {
    const keyless = new ModelError("openai/gpt-5-mini", "openai/gpt-5-mini: key missing", { retryable: false, misconfigured: true });
    const text = await (await answer(failing([{ error: keyless }]))).text();
    expect(text).not.toContain("openai");
    expect(warned()).toEqual([expect.stringMatching(/^A run .* failed: ModelError: openai\/gpt-5-mini: key missing/)]);
  });

  it("goes on where onError fails, and warns of both", async () => {
    const tellingFails = () => {
      throw new Error("no log");
    };
    for (const onError of [tellingFails, async () => tellingFails()]) {
      warnings.mockClear();
      await (await answer(failing([{ error: busy }]), onError)).text();
      await until(() => warned().length === 2);
      expect(warned()).toEqual([expect.stringContaining("org-ACME"), expect.stringMatching(/^onError failed: Error: no log\n/)]);
    }
  });
});

describe("what is sent of a failed model", () => {
  it("has none of its provider's words in the state either; the server's own response has them all", async () => {
    const stream = agentOf([{ toolCalls: [callOf("weather", { city: "Paris" })] }, { error: busy }]).stream("Hi");
    const text = await toEventStream(stream, { includeState: true }).text();
    expect(text).toContain('"state":{');
    expect(text).not.toMatch(secretWords);
    expect(await stream.response).toMatchObject({ outcome: { detail: expect.stringContaining("org-ACME") }, error: busy });
  });

  it("can be resumed from the state that was sent", async () => {
    const agent = agentOf([{ error: busy }, "Hello again."]);
    const frames = await toEventStream(agent.stream("Hi"), { includeState: true }).text();
    const { response } = JSON.parse(/event: done\ndata: (.*)/.exec(frames)?.[1] ?? "{}");
    expect((await agent.resume(response.state)).text).toBe("Hello again.");
  });

  it("says whether it helps to try again", async () => {
    const refused = new ModelError("test/model", `HTTP 401: ${upstream}`, { retryable: false, status: 401 });
    expect(await (await prompted("json")(failing([{ error: refused }]))).json()).toMatchObject({
      outcome: { reason: "model_error", detail: "The model failed on the server." },
      error: { name: "ModelError", message: "The model failed on the server." },
    });
  });

  it("has none of them if a real provider package fails, streamed or not", async () => {
    const server = await ProviderServer.start();
    for (const format of ["sse", "json"] as const) {
      server.play({ status: 400, body: { error: { message: upstream, type: "invalid_request_error" } } });
      const openai = createOpenAI({ apiKey: "sk-test", baseURL: `${server.url}/v1` });
      const text = await (await prompted(format)(failing(new AiSdkModel(openai("gpt-5-mini"))))).text();
      expect(text).toContain("The model failed on the server.");
      expect(text).not.toMatch(/org-ACME|db\.internal|127\.0\.0\.1|HTTP/);
    }
    await server.close();
    expect(warned()).toEqual([expect.stringContaining("org-ACME"), expect.stringContaining("org-ACME")]);
  });

  it("has none of them if a sub-agent's model failed: the calling model doesn't receive them, and the server gets a warning", async () => {
    const calling = new ScriptedModel([{ toolCalls: [callOf("helper_agent", { prompt: "Help" })] }, "I can't help."]);

    @model(new ScriptedModel([{ error: busy }]), { retries: 0 })
    @description("Helps. Use for help.")
    class HelperAgent extends Agent {}

    @model(calling)
    @usesTools([HelperAgent])
    class DeskAgent extends Agent {}

    const text = await toEventStream(new DeskAgent().stream("Help"), { includeState: true }).text();
    expect(text).not.toMatch(secretWords);
    expect(calling.requests[1]?.messages.at(-1)?.content).toBe(
      'Error executing tool: The agent "helper_agent" gave no answer: The model is not available right now. Try again later.',
    );
    expect(warned()).toEqual([
      `The agent "helper_agent", called by another one, failed: ModelError: openai/gpt-5-mini: HTTP 429: ${upstream}`,
    ]);
  });

  it("has none of them if a tool throws the error of a model that it asked, itself or by another tool", async () => {
    const calling = new ScriptedModel([{ toolCalls: [callOf("summary"), callOf("report")] }, "I can't help."]);
    const tool = (name: string, execute: (input: object, context: ToolContext) => Promise<unknown>) =>
      createTool({ name, description: "For tests. Use never.", inputSchema: { type: "object" }, execute });
    const summary = tool("summary", () => new ScriptedModel([{ error: busy }]).generate({ messages: [], tools: [] }));
    const report = tool("report", (_, { call }) => call(summary, {}));

    @model(calling)
    @usesTools([summary, report])
    class DeskAgent extends Agent {}

    const text = await toEventStream(new DeskAgent().stream("Help"), { includeState: true }).text();
    expect(text).not.toMatch(secretWords);
    expect(calling.requests[1]?.messages.slice(-2).map(({ content }) => content)).toEqual([
      "Error executing tool: The model is not available right now. Try again later.",
      expect.stringContaining("The model is not available right now. Try again later."),
    ]);
    expect(warned()).toEqual(Array(2).fill(expect.stringMatching(/^The tool "summary" failed: ModelError: .*org-ACME/)));
  });

  it("has none of them if the key of a sub-agent's model is missing", async () => {
    @model("openai/gpt-5-mini")
    @description("Helps. Use for help.")
    class HelperAgent extends Agent {}

    @model(new ScriptedModel([{ toolCalls: [callOf("helper_agent", { prompt: "Help" })] }, "I can't help."]))
    @usesTools([HelperAgent])
    class DeskAgent extends Agent {}

    const key = process.env.OPENAI_API_KEY;
    delete process.env.OPENAI_API_KEY;
    const text = await toEventStream(new DeskAgent().stream("Help")).text();
    if (key !== undefined) process.env.OPENAI_API_KEY = key;
    expect(text).not.toMatch(/openai/i);
    expect(warned()).toEqual([expect.stringContaining("OPENAI_API_KEY")]);
  });
});

describe("what is sent of an aborted run", () => {
  const abortedBy = async (reason: unknown) => {
    const stream = agentOf(["never"]).stream("Hi", { abortSignal: AbortSignal.abort(reason) });
    const sse = await toEventStream(stream, { includeState: true }).text();
    const ui = await toUiMessageStream(stream).text();
    const json = JSON.stringify(framesIn(sse).at(-1)?.data.response.outcome);
    return { response: await stream.response, sse, ui, json };
  };

  it("has no word of an error that is the signal's reason; the server's own response has them all", async () => {
    const { response, sse, ui, json } = await abortedBy(new Error("orders-db.internal drains"));
    expect(response.outcome.detail).toBe("Error: orders-db.internal drains");
    expect(sse + ui).not.toContain("orders-db");
    expect(framesIn(sse)[0]?.data).toEqual({ type: "aborted", detail: "The run was aborted." });
    expect(json).toBe('{"reason":"aborted","detail":"The run was aborted."}');
    expect(ui).toContain('{"type":"abort","reason":"The run was aborted."}');
  });

  it("has the reason if it is a text, because the application wrote it to be shown", async () => {
    const { sse, ui, json } = await abortedBy("The shop closes.");
    expect(framesIn(sse)[0]?.data).toEqual({ type: "aborted", detail: "The shop closes." });
    expect(json).toBe('{"reason":"aborted","detail":"The shop closes."}');
    expect(ui).toContain('{"type":"abort","reason":"The shop closes."}');
  });

  it("can be resumed from the state that was sent", async () => {
    const { sse } = await abortedBy(new Error("orders-db.internal drains"));
    expect((await agentOf(["Hello."]).resume(framesIn(sse).at(-1)?.data.response.state)).text).toBe("Hello.");
  });
});

it("of a run that a guardrail ended, the reason is sent, and what it found besides is the application's", async () => {
  @model(new ScriptedModel([]))
  @guardrail("before", { checkInput: () => block("The prompt holds a card number.", { card: "4111111111111111" }) })
  class BankAgent extends Agent {}

  const text = await toEventStream(new BankAgent().stream("My card is 4111111111111111")).text();
  expect(framesIn(text).at(-1)?.data.response.outcome).toEqual({ reason: "guardrail_blocked", detail: "The prompt holds a card number." });
});

describe("the server gets no warning", () => {
  it("of what the client did wrong: the client receives the error itself", async () => {
    const paused = await agentOf([{ toolCalls: [callOf("refund", { order: "A-17" })] }]).generate("Refund");
    const stream = agentOf([]).resumeStream(paused.state as RunState, { decisions: [approve("call_9")] });
    expect(await toEventStream(stream).text()).toContain("doesn't wait for a decision");
    expect(warned()).toEqual([]);
  });

  it("of a client that leaves", async () => {
    const url = await serve(toNodeHandler(agentHandler({ agent: () => agentOf([{ toolCalls: [callOf("wait")] }]), format: "sse" })));
    const controller = new AbortController();
    const response = await postJson(url, { prompt: "Wait" }, { signal: controller.signal });
    controller.abort();
    await expect(response.text()).rejects.toThrow();
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(warned()).toEqual([]);
  });
});

describe("the server gets a warning", () => {
  it("also if the stream has no reader", async () => {
    toEventStream(agentOf([{ error: busy }]).stream("Hi"));
    await until(() => warned().length > 0);
    expect(warned()).toEqual([expect.stringContaining("org-ACME")]);
  });

  it("of an event that isn't JSON", async () => {
    const broken = { type: "tool_progress", fraction: 10n };
    const stream = agentOf(["Hello."]).stream("Hi");
    const odd = Object.create(stream, {
      response: { value: stream.response },
      [Symbol.asyncIterator]: {
        value: async function* () {
          yield broken;
        },
      },
    }) as AgentStream;
    expect(await toEventStream(odd).text()).toContain("The run failed on the server.");
    expect(warned()).toEqual([expect.stringContaining("BigInt")]);
  });
});

it("JSON, like the streams, hides the secrets that addSecret made known in what the model wrote", async () => {
  const forget = addSecret("open-sesame");
  const text = await (await prompted("json")(failing(["The word is open-sesame."]))).text();
  forget();
  expect(text).toContain("The word is [redacted].");
});
