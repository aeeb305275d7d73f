import { createAnthropic } from "@ai-sdk/anthropic";
import { Agent, type AgentListener, instructions, model, modelOptions, usesTools } from "../../src/agent/index.js";
import type { ModelOptions } from "../../src/models/index.js";
import { createTool } from "../../src/tool/index.js";
import { anthropicMessage, ProviderServer, type ServerReply } from "../support/provider-servers.js";
import { anthropicStream } from "../support/provider-streams.js";

const thinking = { type: "thinking", thinking: "", signature: "signed" };
const said = (text: string): ServerReply => anthropicMessage([thinking, { type: "text", text }]);
const called = anthropicMessage([thinking, { type: "tool_use", id: "toolu_1", name: "search", input: {} }], "tool_use");
const rejected = (message: string): ServerReply => ({
  status: 400,
  body: { type: "error", error: { type: "invalid_request_error", message } },
});
const bound = rejected(
  "messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation. The content has changed: `system`.",
);
const drop = { type: "adaptive", block_binding: { prefix_mismatch_behavior: "drop_block" } };

describe("thinking that is bound to another conversation", () => {
  let server: ProviderServer;
  beforeAll(async () => {
    server = await ProviderServer.start();
  });
  afterAll(() => server.close());

  const agentOf = (options: ModelOptions = {}): Agent => {
    const tool = createTool({
      name: "search",
      description: "Searches. Use when asked to.",
      inputSchema: { type: "object", properties: {} },
      execute: () => "found",
    });
    @model(createAnthropic({ apiKey: "test-key", baseURL: server.url })("claude-opus-5-5"), { retries: 0 })
    @modelOptions({ maxOutputTokens: 1_000, ...options })
    @instructions(() => "Be brief.")
    @usesTools([tool])
    class ThinkingAgent extends Agent {}
    return new ThinkingAgent();
  };
  const thinkingSent = () => server.requests.map(({ body }) => body.thinking);

  it("is dropped in a second request, and in all later ones of the conversation", async () => {
    server.play(said("One."), bound, said("Two."), called, said("Three."));
    const agent = agentOf();
    await agent.generate("1");
    const { text } = await agent.generate("2");
    await agent.generate("3");

    expect(text).toBe("Two.");
    expect(thinkingSent()).toEqual([undefined, undefined, drop, drop, drop]);
    expect(server.requests[2]?.headers["anthropic-beta"]).toContain("thinking-binding-controls-2026-08-01");
    expect(server.requests[2]?.body.messages).toEqual(server.requests[1]?.body.messages);
  });

  it("is dropped on when the conversation is stored and goes on elsewhere, and when a run is resumed", async () => {
    server.play(said("One."), bound, said("Two."), said("Three."), called, said("Four."));
    const agent = agentOf();
    await agent.generate("1");
    await agent.generate("2");
    const stored = JSON.parse(JSON.stringify(agent.messages));
    await agentOf().restore(stored).generate("3");
    expect(thinkingSent().at(-1)).toEqual(drop);

    const stopped = await agent.generate("4", { maxSteps: 1 });
    if (stopped.state === undefined) throw new Error(stopped.outcome.reason);
    await agentOf().resume(JSON.parse(JSON.stringify(stopped.state)));
    expect(thinkingSent().slice(-2)).toEqual([drop, drop]);
  });

  it("is dropped when the answer is streamed", async () => {
    server.play(said("One."), bound, anthropicStream([{ type: "text", text: "Two." }]));
    const agent = agentOf();
    await agent.generate("1");
    const stream = agent.stream("2");
    let text = "";
    for await (const piece of stream.textStream) text += piece;

    expect(text).toBe("Two.");
    expect(thinkingSent()).toEqual([undefined, undefined, drop]);
  });

  it("is dropped, the other settings of thinking stay, and listeners receive the retry and a warning", async () => {
    server.play(said("One."), bound, said("Two."));
    const told: unknown[] = [];
    const listener: AgentListener = {
      modelRetried: ({ error }) => told.push(error.status),
      modelFinished: ({ response }) => told.push(response?.warnings),
    };
    const agent = agentOf({ providerOptions: { anthropic: { thinking: { type: "adaptive", display: "summarized" } } } });
    await agent.generate("1");
    await agent.generate("2", { listeners: [listener] });

    expect(thinkingSent().at(-1)).toEqual({ ...drop, display: "summarized" });
    expect(told).toEqual([400, [expect.stringContaining("thinking of earlier answers was dropped")]]);
  });

  it("is reported with its place and reason if Claude has dropped it, streamed or not", async () => {
    const input_transformations = [{ type: "thinking_dropped", path: "messages.1.content.0", reason: "model_binding_mismatch" }];
    const whole = said("One.") as { readonly body: object };
    const streamed = anthropicStream([{ type: "text", text: "Two." }]);
    const started = '"stop_reason":null,"stop_sequence":null';
    expect(streamed.stream).toContain(started);
    server.play(
      { body: { ...whole.body, input_transformations } },
      {
        ...streamed,
        stream: streamed.stream.replace(started, `${started},"input_transformations":${JSON.stringify(input_transformations)}`),
      },
    );
    const told: unknown[] = [];
    const listeners: readonly AgentListener[] = [{ modelFinished: ({ response }) => told.push(response?.warnings) }];
    const agent = agentOf();
    await agent.generate("1", { listeners });
    await agent.stream("2", { listeners }).response;

    const warning = "thinking_dropped, messages.1.content.0, model_binding_mismatch";
    expect(told).toEqual([[warning], [warning]]);
  });

  it("fails the run once when the repeated request is rejected too", async () => {
    server.play(said("One."), bound, bound);
    const agent = agentOf();
    await agent.generate("1");

    expect((await agent.generate("2")).outcome.reason).toBe("model_error");
    expect(server.requests).toHaveLength(3);
  });

  it("is dropped in later requests, too, if the repeated request got no answer", async () => {
    server.play(
      said("One."),
      bound,
      { status: 529, body: { type: "error", error: { type: "overloaded_error", message: "Overloaded" } } },
      said("Two."),
    );
    const agent = agentOf();
    await agent.generate("1");
    await agent.generate("2");

    expect((await agent.generate("3")).text).toBe("Two.");
    expect(thinkingSent()).toEqual([undefined, undefined, drop, drop]);
  });

  it("is left to the application that asked for an error", async () => {
    server.play(said("One."), bound);
    const blockBinding = { prefixMismatchBehavior: "error" };
    const agent = agentOf({ providerOptions: { anthropic: { thinking: { type: "adaptive", blockBinding } } } });
    await agent.generate("1");

    expect((await agent.generate("2")).outcome.reason).toBe("model_error");
    expect(server.requests).toHaveLength(2);
  });

  it("isn't taken for a damaged signature, which no option helps", async () => {
    server.play(said("One."), rejected("messages.1.content.0: Invalid `signature` in `thinking` block"));
    const agent = agentOf();
    await agent.generate("1");

    expect((await agent.generate("2")).outcome.reason).toBe("model_error");
    expect(server.requests).toHaveLength(2);
  });
});
