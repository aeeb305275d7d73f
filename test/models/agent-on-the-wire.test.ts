import { createAnthropic } from "@ai-sdk/anthropic";
import { Agent, instructions, model, usesTools } from "../../src/agent/index.js";
import type { ModelReference } from "../../src/models/index.js";
import { description, failure, identifier, required, Tool } from "../../src/tool/index.js";
import { anthropicMessage, chatCompletion, ProviderServer } from "../support/provider-servers.js";
import { anthropicStream, chatStream } from "../support/provider-streams.js";

@identifier("acme/weather.get")
@description("Gets the weather for a city.")
class WeatherTool extends Tool {
  @required(String, "The city name")
  city!: string;

  call() {
    return this.city === "Atlantis" ? failure("No station in Atlantis.") : `Sunny in ${this.city}.`;
  }
}

const agentOn = (reference: ModelReference): Agent => {
  @model(reference, { retries: 1 })
  @instructions("Be brief.")
  @usesTools([WeatherTool])
  class WeatherAgent extends Agent {}
  return new WeatherAgent();
};

describe("an agent on a provider's wire", () => {
  let server: ProviderServer;
  beforeAll(async () => {
    server = await ProviderServer.start();
  });
  afterAll(() => server.close());

  it("runs parallel calls of an OpenAI-compatible server, one of them failing, and answers", async () => {
    const agent = agentOn(`${server.url}/v1#test-model`);
    server.play(
      chatCompletion({
        calls: [
          { id: "c1", name: "acme_weather_get", arguments: '{"city":"Paris"}' },
          { id: "c2", name: "acme_weather_get", arguments: '{"city":"Atlantis"}' },
        ],
      }),
      chatCompletion({ text: "Sunny in Paris only." }),
    );
    const response = await agent.generate("Weather in Paris and Atlantis?");

    expect(response).toMatchObject({ text: "Sunny in Paris only." });
    const [first, second] = server.requests;
    expect(first?.body.tools[0].function.name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(second?.body.messages.slice(-2)).toEqual([
      { role: "tool", tool_call_id: "c1", content: "Sunny in Paris." },
      { role: "tool", tool_call_id: "c2", content: expect.stringContaining("No station in Atlantis.") },
    ]);
  });

  it("tries again after a 429, and sends signed thinking back on the next step", async () => {
    const agent = agentOn(createAnthropic({ apiKey: "test-key", baseURL: server.url })("claude-sonnet-4-5"));
    const thinking = { type: "thinking", thinking: "One city.", signature: "signed" };
    server.play(
      {
        status: 429,
        headers: { "retry-after-ms": "1" },
        body: { type: "error", error: { type: "rate_limit_error", message: "Slow down" } },
      },
      anthropicMessage([thinking, { type: "tool_use", id: "c1", name: "acme_weather_get", input: { city: "Paris" } }], "tool_use"),
      anthropicMessage([{ type: "text", text: "Sunny." }]),
    );
    const response = await agent.generate("Weather in Paris?");

    expect(response).toMatchObject({ text: "Sunny." });
    expect(server.requests).toHaveLength(3);
    expect(server.requests[2]?.body.messages[1].content).toEqual([
      thinking,
      { type: "tool_use", id: "c1", name: "acme_weather_get", input: { city: "Paris" } },
    ]);
  });

  it("streams text and parallel calls of an OpenAI-compatible server, step by step", async () => {
    const agent = agentOn(`${server.url}/v1#test-model`);
    server.play(
      chatStream({
        calls: [
          { id: "c1", name: "acme_weather_get", arguments: '{"city":"Paris"}' },
          { id: "c2", name: "acme_weather_get", arguments: '{"city":"Atlantis"}' },
        ],
      }),
      chatStream({ text: "Sunny in Paris only." }),
    );
    const stream = agent.stream("Weather in Paris and Atlantis?");
    const written = new Map<string, string>();
    let told = "";
    for await (const event of stream) {
      if (event.type === "tool_call_delta") written.set(event.callId, (written.get(event.callId) ?? "") + event.delta);
      if (event.type === "text_delta") told += event.delta;
    }

    expect([...written]).toEqual([
      ["c1", '{"city":"Paris"}'],
      ["c2", '{"city":"Atlantis"}'],
    ]);
    expect(told).toBe("Sunny in Paris only.");
    expect(await stream.response).toMatchObject({ text: "Sunny in Paris only.", usage: { inputTokens: 40, outputTokens: 18 } });
  });

  it("keeps the streamed text if the connection breaks off, and ends as a model error without a second request", async () => {
    const agent = agentOn(createAnthropic({ apiKey: "test-key", baseURL: server.url })("claude-sonnet-4-5"));
    server.play(anthropicStream([{ type: "text", text: "It is sun" }], "end_turn", { ending: "break" }));
    const stream = agent.stream("Weather in Paris?");
    let told = "";
    for await (const event of stream) if (event.type === "text_delta") told += event.delta;

    expect(told).toMatch(/^It is/);
    expect((await stream.response).outcome.reason).toBe("model_error");
    expect(server.requests).toHaveLength(1);
  });
});
