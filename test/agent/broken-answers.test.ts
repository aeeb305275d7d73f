import { Agent, type AgentStream, model, usesTools } from "../../src/agent/index.js";
import { type ChatModel, ModelError, noUsage } from "../../src/models/index.js";
import { description, identifier, Tool } from "../../src/tool/index.js";

/** Says the words, then does what `then` says; the second time it answers. */
function modelThatBreaks(
  words: readonly string[],
  then: (signal: AbortSignal | undefined) => Promise<never>,
): ChatModel & { asked: unknown[] } {
  const asked: unknown[] = [];
  return {
    asked,
    id: "test/breaking",
    generate: async ({ messages, onDelta, abortSignal }) => {
      asked.push(messages.map(({ role, content }) => `${role}: ${String(content)}`));
      if (asked.length > 1) return { text: "Sunny.", toolCalls: [], finishReason: "stop", usage: noUsage };
      for (const text of words) onDelta?.({ type: "text", text });
      return then(abortSignal);
    },
  };
}

const untilAborted = (signal: AbortSignal | undefined) =>
  new Promise<never>((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));

function agentWith(source: ChatModel, tools: readonly (typeof Tool)[] = []): Agent {
  @model(source, { retries: 0 })
  @usesTools(tools as never)
  class WeatherAgent extends Agent {}
  return new WeatherAgent();
}

async function abortAfter(stream: AgentStream, words: string, controller: AbortController) {
  let said = "";
  for await (const event of stream) {
    if (event.type === "text_delta") said += event.delta;
    if (said === words) controller.abort("The user left.");
  }
  return stream.response;
}

const linesOf = (agent: Agent) => agent.messages.map(({ role, content }) => `${role}: ${String(content)}`);

describe("an answer that was streamed in part", () => {
  it("is the response's text and stands in the history, if the run is aborted", async () => {
    const agent = agentWith(modelThatBreaks(["It is ", "sun"], untilAborted));
    const controller = new AbortController();
    const response = await abortAfter(agent.stream("Weather?", { abortSignal: controller.signal }), "It is sun", controller);
    expect(response).toMatchObject({ reason: "aborted", text: "It is sun" });
    expect(linesOf(agent)).toEqual(["user: Weather?", "assistant: It is sun"]);
    expect(response.messages).toHaveLength(2);
  });

  it("is the response's text and stands in the history, if the model's connection breaks", async () => {
    const agent = agentWith(
      modelThatBreaks(["It is sun"], () => Promise.reject(new ModelError("test/breaking", "socket hang up", { retryable: true }))),
    );
    const stream = agent.stream("Weather?");
    expect(await stream.response).toMatchObject({ reason: "model_error", text: "It is sun" });
    expect(linesOf(agent)).toEqual(["user: Weather?", "assistant: It is sun"]);
  });

  it("is the response's text, if the wall time of the budget ends", async () => {
    const agent = agentWith(modelThatBreaks(["It is sun"], untilAborted));
    const response = await agent.stream("Weather?", { budget: { wallTime: 20 } }).response;
    expect(response).toMatchObject({ reason: "budget_exhausted", text: "It is sun" });
  });

  it("is read by the model before the next question", async () => {
    const source = modelThatBreaks(["It is sun"], untilAborted);
    const agent = agentWith(source);
    const controller = new AbortController();
    await abortAfter(agent.stream("Weather?", { abortSignal: controller.signal }), "It is sun", controller);
    await agent.generate("And?");
    expect(source.asked[1]).toEqual(["user: Weather?", "assistant: It is sun", "user: And?"]);
  });

  it("is given anew by a resumed run, in another process too", async () => {
    const source = modelThatBreaks(["It is sun"], untilAborted);
    const controller = new AbortController();
    const agent = agentWith(source);
    const { state } = await abortAfter(agent.stream("Weather?", { abortSignal: controller.signal }), "It is sun", controller);
    const other = agentWith(source);
    expect((await other.resume(JSON.parse(JSON.stringify(state)))).text).toBe("Sunny.");
    expect(source.asked[1]).toEqual(["user: Weather?"]);
    expect(linesOf(other)).toEqual(["user: Weather?", "assistant: Sunny."]);
  });

  it("leaves no blank message", async () => {
    const agent = agentWith(modelThatBreaks([" \n"], untilAborted));
    const controller = new AbortController();
    await abortAfter(agent.stream("Weather?", { abortSignal: controller.signal }), " \n", controller);
    expect(linesOf(agent)).toEqual(["user: Weather?"]);
  });

  it("is what the model said before its calls, if the run is aborted during them", async () => {
    const controller = new AbortController();

    @identifier("leave")
    @description("Leaves. Use never.")
    class LeaveTool extends Tool {
      call() {
        controller.abort("The user left.");
        return new Promise(() => undefined);
      }
    }

    const source: ChatModel = {
      id: "test/calling",
      generate: async () => ({
        text: "Let me look.",
        toolCalls: [{ id: "c1", name: "leave", arguments: "{}" }],
        finishReason: "tool_calls",
        usage: noUsage,
      }),
    };
    const response = await agentWith(source, [LeaveTool]).stream("Weather?", { abortSignal: controller.signal }).response;
    expect(response).toMatchObject({ reason: "aborted", text: "Let me look." });
  });
});
