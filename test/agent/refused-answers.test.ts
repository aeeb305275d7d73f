import { Agent, type AgentEvent, budget, maxSteps, model, usesTools } from "../../src/agent/index.js";
import { approve } from "../../src/confirmation/index.js";
import { toUiMessageStream } from "../../src/web/index.js";
import { type ChatModel, type FinishReason, noUsage, ScriptedModel, type ScriptedStep } from "../../src/models/index.js";
import { description, identifier, required, requiresConfirmation, returns, Tool } from "../../src/tool/index.js";
import { isPaired } from "../support/paired.js";

const done: string[] = [];

@identifier("refund")
@description("Refunds an order. Use when the user asks for money back.")
class RefundTool extends Tool {
  @required(String) order!: string;

  call() {
    done.push(this.order);
    return `Refunded ${this.order}.`;
  }
}

@identifier("delete")
@description("Deletes an order. Use when the user asks for it.")
@requiresConfirmation()
class DeleteTool extends RefundTool {}

@model(new ScriptedModel(["Asked.", "Asked."]))
@description("Answers questions of customers. Use for anything else.")
class ClerkAgent extends Agent {}

const refund = (order: string) => ({ name: "refund", arguments: { order } });
const remove = (order: string) => ({ name: "delete", arguments: { order } });
const answer = (finishReason: FinishReason, ...toolCalls: { name: string; arguments: Record<string, unknown> | string }[]) => ({
  text: "I begin.",
  toolCalls,
  finishReason,
  usage: { inputTokens: 90, outputTokens: 10 },
});

function shopAgent(script: readonly ScriptedStep[] | ChatModel) {
  const source = "generate" in script ? script : new ScriptedModel(script);
  @model(source, { retries: 0 })
  @usesTools([RefundTool, DeleteTool, ClerkAgent])
  class ShopAgent extends Agent {}
  return { agent: new ShopAgent(), source: source as ScriptedModel };
}

const contents = (response: { readonly steps: readonly { readonly toolCalls: readonly { readonly content: string }[] }[] }) =>
  response.steps[0]?.toolCalls.map(({ content }) => content);

async function eventsOf(events: AsyncIterable<AgentEvent>): Promise<AgentEvent[]> {
  const all: AgentEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

beforeEach(() => {
  done.length = 0;
});

const notRun = "Not run: the provider withheld or rejected the answer that this call was part of.";
const cutOff =
  "Not run: the call was cut off by the limit of output tokens, so its arguments may be incomplete. Send it again, with shorter arguments if they are long.";

describe("an answer that the provider withheld", () => {
  it.each<FinishReason>(["content_filter", "error"])(
    "by %s runs no call of it, asks no person and no sub-agent, and ends the run",
    async (reason) => {
      const asked = jest.fn();
      const { agent } = shopAgent([answer(reason, refund("A-1"), remove("A-2"), { name: "clerk_agent", arguments: { prompt: "Hi" } })]);
      const response = await agent.generate("Refund A-1", { confirm: asked });

      expect(response.reason).toBe("content_filter");
      expect(response.state).toBeUndefined();
      expect(contents(response)).toEqual([notRun, notRun, notRun]);
      expect(done).toEqual([]);
      expect(asked).not.toHaveBeenCalled();
    },
  );

  it("leaves a history with which the conversation goes on", async () => {
    const { agent, source } = shopAgent([answer("content_filter", refund("A-1")), answer("tool_calls", refund("A-2")), "Done."]);
    await agent.generate("Refund A-1");
    const response = await agent.generate("Then A-2");

    expect(response.text).toBe("Done.");
    expect(done).toEqual(["A-2"]);
    expect(source.requests.every(({ messages }) => isPaired(messages))).toBe(true);
  });

  it("counts as withheld in the last step and beyond the token budget too", async () => {
    const script = () => new ScriptedModel([answer("content_filter", refund("A-1"))]);
    @model(script())
    @maxSteps(1)
    @usesTools([RefundTool])
    class LastStepAgent extends Agent {}

    @model(script())
    @budget({ tokens: 50 })
    @usesTools([RefundTool])
    class PoorAgent extends Agent {}

    expect((await LastStepAgent.generate("Go")).outcome.reason).toBe("content_filter");
    expect((await PoorAgent.generate("Go")).outcome.reason).toBe("content_filter");
  });

  it("runs no call of an agent with structured output either", async () => {
    @model(new ScriptedModel([{ ...answer("content_filter", refund("A-1")), text: '{"output":1}' }]))
    @usesTools([RefundTool])
    @returns(Number)
    class CountAgent extends Agent<number> {}

    expect(await CountAgent.generate("Go")).toMatchObject({ reason: "content_filter" });
    expect(done).toEqual([]);
  });

  it("is streamed with a failed result for each call, and starts none", async () => {
    const { agent } = shopAgent([answer("content_filter", refund("A-1"), remove("A-2"))]);
    const events = await eventsOf(agent.stream("Refund A-1"));
    const types = events.map(({ type }) => type);

    expect(types.filter((type) => type === "tool_result")).toHaveLength(2);
    expect(types).not.toContain("tool_started");
    expect(types).not.toContain("confirmation_required");
    expect(events.at(-1)).toMatchObject({ type: "done", response: { reason: "content_filter" } });
  });

  it("ends each call in a UI message stream with an error, and the message as filtered", async () => {
    const { agent } = shopAgent([answer("content_filter", refund("A-1"))]);
    const written = await toUiMessageStream(agent.stream("Refund A-1")).text();

    expect(written).toMatch(/"type":"tool-output-error".*"errorText":"[^"]*Not run: /);
    expect(written).toMatch(/"type":"finish","finishReason":"content-filter"/);
  });

  it("runs no call before the model has said how its answer ended", async () => {
    let end: (reason: FinishReason) => void = () => undefined;
    const toolCall = { id: "c1", name: "refund", arguments: '{"order":"A-1"}' };
    const { agent } = shopAgent({
      id: "my/model",
      generate: async ({ onDelta }) => {
        onDelta?.({ type: "tool_call", index: 0, ...toolCall });
        const finishReason = await new Promise<FinishReason>((resolve) => (end = resolve));
        return { text: "", toolCalls: [toolCall], finishReason, usage: noUsage };
      },
    });
    const stream = agent.stream("Refund A-1");
    for await (const event of stream) if (event.type === "tool_call_delta") end("content_filter");

    expect((await stream.response).reason).toBe("content_filter");
    expect(done).toEqual([]);
  });
});

describe("an answer that the token limit ended", () => {
  it("runs its earlier whole calls, and the model reads that the last one was cut off, valid JSON or not", async () => {
    for (const last of [refund("A-3"), { name: "refund", arguments: '{"order":"A' }]) {
      done.length = 0;
      const { agent, source } = shopAgent([
        answer("length", refund("A-1"), { name: "refund", arguments: '{"order":' }, last),
        answer("tool_calls", refund("A-3")),
        "Done.",
      ]);
      const response = await agent.generate("Refund all");

      expect(response.text).toBe("Done.");
      expect(contents(response)).toEqual(["Refunded A-1.", cutOff, cutOff]);
      expect(done).toEqual(["A-1", "A-3"]);
      expect(source.requests.every(({ messages }) => isPaired(messages))).toBe(true);
    }
  });

  it("asks no person about its last call, nor counts it against the budget", async () => {
    const { agent } = shopAgent([answer("length", refund("A-1"), remove("A-2")), answer("tool_calls", remove("A-2")), "Done."]);
    const asked: unknown[] = [];
    const response = await agent.generate("Go", {
      budget: { callsPerTool: { delete: 1 } },
      confirm: ({ callId, input }) => {
        asked.push(input);
        return approve(callId);
      },
    });

    expect(response.text).toBe("Done.");
    expect(asked).toEqual([{ order: "A-2" }]);
    expect(done).toEqual(["A-1", "A-2"]);
  });

  it("pauses for an earlier call that waits, and after the approval runs that one alone", async () => {
    const { agent } = shopAgent([answer("length", remove("A-1"), remove("A-2")), "Done."]);
    const paused = await agent.generate("Go");
    expect(paused.confirmations).toHaveLength(1);
    const response = await agent.resume(paused.state!, { decisions: [approve(paused.confirmations![0]!.callId)] });

    expect(response.text).toBe("Done.");
    expect(done).toEqual(["A-1"]);
  });
});

describe("a model of the application's own", () => {
  it.each(["content-filter", "refusal", undefined, "constructor"])(
    "that ends its answer with %s is rejected, and nothing runs",
    async (finishReason) => {
      const { agent } = shopAgent({
        id: "my/model",
        generate: async () => ({
          text: "",
          toolCalls: [{ id: "c1", name: "refund", arguments: '{"order":"A-1"}' }],
          finishReason: finishReason as FinishReason,
          usage: noUsage,
        }),
      });
      await expect(agent.generate("Go")).rejects.toThrow(
        `my/model: generate returned the finishReason ${JSON.stringify(finishReason)}, which isn't one of stop, tool_calls, length, content_filter, error, other. Translate the provider's word with finishReasonOf(word).`,
      );
      expect(done).toEqual([]);
    },
  );
});
