/** A provider that replaces the beginning of a history by a summary of its own: what comes back, and what goes out again. */
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { Agent, model, modelOptions, usesTools } from "../../src/agent/index.js";
import type { AiSdkLanguageModel, Message } from "../../src/models/index.js";
import { MemoryConversationStore, MemoryStorage } from "../../src/storage/index.js";
import { createTool } from "../../src/tool/index.js";
import { anthropicMessage, chatCompletion, ProviderServer } from "../support/provider-servers.js";
import { anthropicStream } from "../support/provider-streams.js";

const now = createTool({ name: "now", description: "Tells the time.", inputSchema: { type: "object" }, execute: () => "noon" });
const summary = { type: "compaction", content: "The user asked for the time of Paris, and got it." };
const askNow = { type: "tool_use", id: "toolu_1", name: "now", input: {} };
const said = { type: "text", text: "It is noon." };

describe("a conversation that Claude compacts", () => {
  let server: ProviderServer;
  beforeAll(async () => {
    server = await ProviderServer.start();
  });
  afterAll(() => server.close());

  const claude = (): AiSdkLanguageModel => createAnthropic({ apiKey: "key", baseURL: server.url })("claude-opus-5-5");
  const agentOn = (asked: AiSdkLanguageModel, pauseAfterCompaction = false): Agent => {
    @model(asked, { retries: 0 })
    @modelOptions({
      providerOptions: {
        anthropic: {
          contextManagement: {
            edits: [{ type: "compact_20260112", trigger: { type: "input_tokens", value: 50_000 }, pauseAfterCompaction }],
          },
        },
      },
    })
    @usesTools([now])
    class ClockAgent extends Agent {}
    return new ClockAgent();
  };
  const sent = (index: number) => server.requests[index]?.body;
  const expectGrowth = (): void => {
    for (const [index, { body }] of server.requests.entries()) {
      const next = server.requests[index + 1]?.body;
      if (next !== undefined) expect(JSON.stringify(next.messages.slice(0, body.messages.length))).toBe(JSON.stringify(body.messages));
    }
  };

  it("is asked for by the provider's option, and gets the block back as it came", async () => {
    server.play(anthropicMessage([summary, askNow], "tool_use"), anthropicMessage([said]));
    const changed: string[] = [];
    const response = await agentOn(claude()).generate("And now?", { listeners: [{ prefixChanged: ({ part }) => changed.push(part) }] });
    expect(sent(0).context_management.edits).toEqual([
      { type: "compact_20260112", trigger: { type: "input_tokens", value: 50_000 }, pause_after_compaction: false },
    ]);
    expect(sent(1).messages[1].content).toEqual([summary, askNow]);
    expect(changed).toEqual([]);
    expect(response.text).toBe("It is noon.");
    expectGrowth();
  });

  it("has no summary in the text of the answer, nor in the texts that are streamed", async () => {
    server.play(anthropicStream([summary, said]), anthropicStream([said]));
    const agent = agentOn(claude());
    const stream = agent.stream("And now?");
    let streamed = "";
    for await (const event of stream) if (event.type === "text_delta") streamed += event.delta;
    expect([streamed, (await stream.response).text]).toEqual(["It is noon.", "It is noon."]);
    await agent.generate("And now?");
    expect(sent(1).messages[1].content).toEqual([summary, said]);
  });

  it("goes on behind a compaction at which Claude was asked to pause", async () => {
    server.play(anthropicMessage([summary], "compaction"), anthropicMessage([said]), anthropicMessage([said]));
    const agent = agentOn(claude(), true);
    const response = await agent.generate("And now?");
    expect([response.text, response.steps.length]).toEqual(["It is noon.", 1]);
    expect(sent(1).messages.at(-1)).toEqual({ role: "assistant", content: [summary] });
    await agent.generate("And now?");
    expect(sent(2).messages[1]).toEqual({ role: "assistant", content: [summary, said] });
  });

  it("sends the same bytes from another process, from messages, a state, a journal and a store", async () => {
    const failed = { status: 500, body: { type: "error", error: { type: "api_error", message: "down" } } };
    const journal = new MemoryStorage();
    server.play(anthropicMessage([summary, askNow], "tool_use"), failed);
    const recorded = await agentOn(claude()).generate("And now?", { journal });
    server.play(anthropicMessage([summary, askNow], "tool_use"), failed);
    const stopped = await agentOn(claude()).generate("And now?");
    if (stopped.reason !== "model_error") throw new Error(stopped.reason);
    const expected = JSON.stringify(sent(1));
    for (const resume of [
      () => agentOn(claude()).resume(JSON.parse(JSON.stringify(stopped.state))),
      () => agentOn(claude()).resume(recorded.runId, { journal }),
    ]) {
      server.play(anthropicMessage([said]));
      expect((await resume()).reason).toBe("success");
      expect(JSON.stringify(sent(0))).toBe(expected);
    }

    const agent = agentOn(claude());
    server.play(anthropicMessage([summary, said]));
    await agent.generate("And now?");
    const store = new MemoryConversationStore();
    await agent.save(store, "ada");
    const loaded = agentOn(claude());
    await loaded.load(store, "ada");
    const restored = agentOn(claude());
    restored.restore(JSON.parse(JSON.stringify(agent.messages)) as Message[]);
    for (const later of [loaded, restored]) {
      server.play(anthropicMessage([said]));
      await later.generate("And now?");
      expect(sent(0).messages[1]).toEqual({ role: "assistant", content: [summary, said] });
    }
  });

  it("sends another provider the whole history without the block", async () => {
    const agent = agentOn(claude());
    server.play(anthropicMessage([summary, said]));
    await agent.generate("And now?");
    const later = agentOn(createOpenAI({ apiKey: "key", baseURL: server.url }).chat("gpt-5-mini"));
    later.restore(JSON.parse(JSON.stringify(agent.messages)) as Message[]);
    server.play(chatCompletion({ text: "Noon." }));
    await later.generate("And now?");
    expect(sent(0).messages.slice(0, 2)).toEqual([
      { role: "user", content: "And now?" },
      { role: "assistant", content: "It is noon." },
    ]);
  });
});
