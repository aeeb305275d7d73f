import {
  type UIMessageChunk as Chunk,
  lastAssistantMessageIsCompleteWithToolCalls,
  parseJsonEventStream,
  readUIMessageStream,
  type UIMessage,
  uiMessageChunkSchema,
} from "ai";
import { approve, deny } from "../../src/confirmation/index.js";
import { toUiMessageStream, type UiMessageChunk, type UiMessageStreamOptions } from "../../src/web/index.js";
import { Agent, model, usesTools } from "../../src/agent/index.js";
import { type ChatModel, ModelError, noUsage, ScriptedModel, type ScriptedStep } from "../../src/models/index.js";
import { providerTool } from "../../src/tool/index.js";
import { agentOf, callOf, happened } from "./support.js";
import { until } from "../support/until.js";

/** What is written is what the AI SDK reads: a type error here would say where not. */
const asRead = (chunk: UiMessageChunk): Chunk => chunk;

beforeEach(() => happened.splice(0));

/** The chunks of a stream as the AI SDK's own parser reads them. Fails where one isn't of the protocol. */
async function chunksOf(response: Response): Promise<Chunk[]> {
  const chunks: Chunk[] = [];
  const reader = parseJsonEventStream({ stream: response.body!, schema: uiMessageChunkSchema }).getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    if (!next.value.success) throw next.value.error;
    chunks.push(asRead(next.value.value as UiMessageChunk));
  }
  return chunks;
}

/** The message that a page ends up with. `message`: the one that the run goes on with. */
async function messageOf(response: Response, message?: UIMessage): Promise<{ message: UIMessage; errors: string[]; chunks: Chunk[] }> {
  const chunks = await chunksOf(response);
  const stream = new ReadableStream<Chunk>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  let last: UIMessage | undefined;
  const errors: string[] = [];
  const onError = (error: unknown) => void errors.push((error as Error).message);
  for await (const read of readUIMessageStream({ stream, onError, ...(message && { message }) })) last = read;
  return { message: last!, errors, chunks };
}

const partsOf = (message: UIMessage) => message.parts.map((part) => JSON.parse(JSON.stringify(part)) as Record<string, unknown>);

const pausedRefund = async () => {
  const agent = agentOf([{ toolCalls: [callOf("refund", { order: "A-17" }), callOf("weather", { city: "Paris" })] }, "All done."]);
  const stream = agent.stream("Refund");
  const { message } = await messageOf(toUiMessageStream(stream));
  const { state, confirmations } = await stream.response;
  return { agent, message, state: state!, confirmation: confirmations![0]! };
};

describe("toUiMessageStream", () => {
  it("has the headers by which useChat knows the protocol", () => {
    const { headers } = toUiMessageStream(agentOf(["Hi."]).stream("Hi"));
    expect(headers.get("x-vercel-ai-ui-message-stream")).toBe("v1");
    expect(headers.get("content-type")).toMatch(/^text\/event-stream/);
  });

  it("ends with the mark of the protocol", async () => {
    expect(await toUiMessageStream(agentOf(["Hi."]).stream("Hi")).text()).toMatch(/data: \[DONE\]\n\n$/);
  });

  it("becomes a message with reasoning, text and tool parts, step by step", async () => {
    const agent = agentOf([
      { reasoning: "Which city?", text: "Let me see.", toolCalls: [callOf("weather", { city: "Paris" })] },
      "It is sunny in Paris.",
    ]);
    const { message, errors } = await messageOf(toUiMessageStream(agent.stream("Weather?")));
    expect(errors).toEqual([]);
    expect(partsOf(message)).toEqual([
      { type: "step-start" },
      { type: "reasoning", id: "reasoning-1", text: "Which city?", state: "done" },
      { type: "text", text: "Let me see.", state: "done" },
      {
        type: "tool-weather",
        toolCallId: "call_1",
        state: "output-available",
        input: { city: "Paris" },
        output: { city: "Paris", sky: "sunny" },
      },
      { type: "step-start" },
      { type: "text", text: "It is sunny in Paris.", state: "done" },
    ]);
  });

  it("says with the message how the run ended", async () => {
    const { message, chunks } = await messageOf(toUiMessageStream(agentOf(["Hi."]).stream("Hi")));
    expect(chunks.at(-1)).toMatchObject({ type: "finish", finishReason: "stop" });
    expect(message.metadata).toMatchObject({ runId: expect.any(String), outcome: { reason: "success" }, usage: noUsage });
  });

  it("keeps parallel calls apart, whose pieces come mixed", async () => {
    const mixed: ChatModel = {
      id: "test/mixed",
      generate: async ({ messages, onDelta }) => {
        if (messages.length > 1) return { text: "Done.", toolCalls: [], finishReason: "stop", usage: noUsage };
        const cities = ["Paris", "Rome"];
        for (const piece of [0, 1]) {
          cities.forEach((city, index) => {
            const text = [`{"city":`, `"${city}"}`][piece]!;
            onDelta?.({ type: "tool_call", index, id: `call_${city}`, name: "weather", arguments: text });
          });
        }
        const toolCalls = cities.map((city) => ({ id: `call_${city}`, name: "weather", arguments: `{"city":"${city}"}` }));
        return { text: "", toolCalls, finishReason: "tool_calls", usage: noUsage };
      },
    };
    const { message } = await messageOf(toUiMessageStream(agentOf(mixed).stream("Weather?")));
    expect(partsOf(message).slice(1, 3)).toMatchObject([
      { toolCallId: "call_Paris", input: { city: "Paris" }, output: { city: "Paris" } },
      { toolCallId: "call_Rome", input: { city: "Rome" }, output: { city: "Rome" } },
    ]);
  });

  it("shows a tool that failed as a part with its error, without secrets", async () => {
    const agent = agentOf([{ toolCalls: [callOf("weather", { city: "Atlantis" })] }, "No idea."]);
    const { message } = await messageOf(toUiMessageStream(agent.stream("Weather?")));
    expect(partsOf(message)[1]).toMatchObject({ state: "output-error", errorText: expect.stringContaining("No station under water") });
    expect(JSON.stringify(message)).not.toContain("hunter2");
  });

  it("shows a call of a tool that doesn't exist, and arguments that don't fit", async () => {
    const agent = agentOf([{ toolCalls: [callOf("fly"), callOf("weather", {})] }, "Sorry."]);
    const { message } = await messageOf(toUiMessageStream(agent.stream("Fly")));
    expect(partsOf(message).slice(1, 3)).toMatchObject([
      { type: "tool-fly", state: "output-error" },
      { type: "tool-weather", state: "output-error", input: {}, errorText: expect.stringContaining("city is required") },
    ]);
  });

  it("shows arguments that are no JSON as they were written, if the call fails", async () => {
    const agent = agentOf([{ toolCalls: [callOf("weather", '{"city": "Par')] }, "Sorry."]);
    const { message } = await messageOf(toUiMessageStream(agent.stream("Weather?")));
    expect(partsOf(message)[1]).toMatchObject({ state: "output-error", rawInput: '{"city": "Par' });
  });

  it("shows arguments that were repaired as the tool got them", async () => {
    const agent = agentOf([{ toolCalls: [callOf("weather", "{'city': 'Paris',}")] }, "Sunny."]);
    const { message } = await messageOf(toUiMessageStream(agent.stream("Weather?")));
    expect(partsOf(message)[1]).toMatchObject({ state: "output-available", input: { city: "Paris" } });
  });

  it("sends progress as data that doesn't stay in the message", async () => {
    const agent = agentOf([{ toolCalls: [callOf("weather", { city: "Paris" })] }, "Sunny."]);
    const { message, chunks } = await messageOf(toUiMessageStream(agent.stream("Weather?")));
    expect(chunks.find(({ type }) => type === "data-tool-progress")).toEqual({
      type: "data-tool-progress",
      id: "call_1",
      data: { toolCallId: "call_1", toolName: "weather", fraction: 0.5, message: "asking Paris" },
      transient: true,
    });
    expect(JSON.stringify(message)).not.toContain("asking Paris");
  });

  it("sends a failed model as an error, without the provider's message", async () => {
    const error = new ModelError("test/model", "refused the key sk-proj-4f8a0b1c2d3e4f5a6b7c8d", { retryable: false });
    const { errors, chunks } = await messageOf(toUiMessageStream(agentOf([{ error }]).stream("Hi"), { onError: () => undefined }));
    expect(errors).toEqual(["The model failed on the server."]);
    expect(chunks.at(-1)).toMatchObject({ type: "finish", finishReason: "error" });
  });

  it("sends an error of the application without its message", async () => {
    const stream = agentOf([{ error: new Error("orders-db.internal is down") }]).stream("Hi");
    const { errors } = await messageOf(toUiMessageStream(stream, { onError: () => undefined }));
    expect(errors).toEqual(["The run failed on the server."]);
  });

  it("ends an aborted run with an abort, its open calls closed", async () => {
    const controller = new AbortController();
    const stream = agentOf([{ toolCalls: [callOf("wait")] }]).stream("Wait", { abortSignal: controller.signal });
    const reading = messageOf(toUiMessageStream(stream));
    await until(() => happened.includes("waiting"));
    controller.abort("the shop closes");
    const { message, chunks } = await reading;
    expect(chunks.at(-1)).toEqual({ type: "abort", reason: "the shop closes" });
    expect(partsOf(message)[1]).toMatchObject({ state: "output-error", errorText: expect.stringMatching(/^Request was cancelled/) });
  });
});

describe("a confirmation in a UI message stream", () => {
  const resumed = async (decide: typeof approve | typeof deny, options: UiMessageStreamOptions = {}) => {
    const { agent, message, state, confirmation } = await pausedRefund();
    const decisions = [decide(confirmation)];
    return messageOf(toUiMessageStream(agent.resumeStream(state, { decisions }), { decisions, ...options }), message);
  };

  it("is an approval request on the call, with what the person must see beside it", async () => {
    const { message, confirmation } = await pausedRefund();
    const parts = partsOf(message);
    expect(parts[1]).toMatchObject({
      type: "tool-refund",
      state: "approval-requested",
      approval: { id: `${confirmation.runId}.${confirmation.id}` },
    });
    expect(parts).toContainEqual({ type: "data-confirmation", id: confirmation.id, data: JSON.parse(JSON.stringify(confirmation)) });
    expect(parts).toContainEqual(expect.objectContaining({ type: "tool-weather", state: "output-available" }));
    expect(message.metadata).toMatchObject({ outcome: { reason: "awaiting_confirmation" } });
  });

  it("goes on with the same message after an approval", async () => {
    const { message, errors } = await resumed(approve);
    expect(errors).toEqual([]);
    expect(partsOf(message).filter(({ type }) => String(type).startsWith("tool-"))).toMatchObject([
      { type: "tool-refund", state: "output-available", output: "Refunded A-17." },
      { type: "tool-weather", state: "output-available" },
    ]);
    expect(partsOf(message).at(-1)).toMatchObject({ type: "text", text: "All done." });
    expect(happened).toEqual(["refunded A-17"]);
  });

  it("shows a denied call as denied", async () => {
    const { message } = await resumed(deny);
    expect(partsOf(message)[1]).toMatchObject({ type: "tool-refund", state: "output-denied" });
    expect(happened).toEqual([]);
  });

  it("shows a call that a handler denied, about which the page never asked, as failed", async () => {
    const agent = agentOf([{ toolCalls: [callOf("refund", { order: "A-17" })] }, "No."]);
    const stream = agent.stream("Refund", { confirm: (confirmation) => deny(confirmation, "Not on Sundays.") });
    const { message } = await messageOf(toUiMessageStream(stream));
    expect(partsOf(message)[1]).toMatchObject({ state: "output-error", errorText: expect.stringContaining("Not on Sundays.") });
  });

  describe("calls that the provider ran", () => {
    const searching = (...replies: ScriptedStep[]) => {
      @model(new ScriptedModel(replies))
      @usesTools([providerTool("anthropic/web_search")])
      class SearchingAgent extends Agent {}
      return new SearchingAgent();
    };
    const found = [{ url: "https://news.example/", title: "News" }];

    it("are parts of the message with their results, and the sources follow", async () => {
      const agent = searching({
        text: "Rain.",
        providerCalls: [
          { id: "srv_1", name: "web_search", arguments: { query: "news" }, result: found },
          { id: "srv_2", name: "web_search", arguments: { query: "more" }, result: { errorCode: "max_uses_exceeded" }, isError: true },
        ],
        sources: [{ url: "https://news.example/", title: "News" }, { url: "https://more.example/" }],
      });
      const { message, errors } = await messageOf(toUiMessageStream(agent.stream("News?")));
      expect(errors).toEqual([]);
      const called = { type: "tool-web_search", providerExecuted: true };
      expect(partsOf(message)).toEqual([
        { type: "step-start" },
        { type: "text", text: "Rain.", state: "done" },
        { ...called, toolCallId: "srv_1", state: "output-available", input: { query: "news" }, output: found },
        {
          ...called,
          toolCallId: "srv_2",
          state: "output-error",
          input: { query: "more" },
          errorText: '{"errorCode":"max_uses_exceeded"}',
        },
        { type: "source-url", sourceId: "source-1", url: "https://news.example/", title: "News" },
        { type: "source-url", sourceId: "source-2", url: "https://more.example/" },
      ]);
    });

    it("get a result that comes with a later answer", async () => {
      const agent = searching(
        {
          text: "I look.",
          providerCalls: [{ id: "srv_1", name: "web_search", arguments: { query: "news" } }],
          toolCalls: [{ name: "missing" }],
        },
        { text: "Rain.", providerCalls: [{ id: "srv_1", name: "web_search", result: found }] },
      );
      const { message, errors } = await messageOf(toUiMessageStream(agent.stream("News?")));
      expect(errors).toEqual([]);
      expect(partsOf(message).filter(({ type }) => type === "tool-web_search")).toEqual([
        {
          type: "tool-web_search",
          providerExecuted: true,
          toolCallId: "srv_1",
          state: "output-available",
          input: { query: "news" },
          output: found,
        },
      ]);
    });

    it("are no calls that a page has to answer", async () => {
      const { message } = await messageOf(
        toUiMessageStream(searching({ text: "Rain.", providerCalls: [{ name: "web_search" }] }).stream("News?")),
      );
      expect(lastAssistantMessageIsCompleteWithToolCalls({ messages: [message] })).toBe(false);
    });

    it("show no secrets", async () => {
      const result = [{ url: "https://news.example/", apiKey: "sk-live-51Habcdefghijklmnop" }];
      const text = await toUiMessageStream(
        searching({ text: "Rain.", providerCalls: [{ name: "web_search", result }] }).stream("News?"),
      ).text();
      expect(text).not.toContain("sk-live-51H");
    });
  });
});
