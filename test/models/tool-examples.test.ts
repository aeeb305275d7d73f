import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { toAiSdkTools } from "../../src/adapters/ai-sdk/index.js";
import { toLangChainTools } from "../../src/adapters/langchain/index.js";
import { toOpenAiAgentsTools } from "../../src/adapters/openai-agents/index.js";
import { Agent, model, usesTools } from "../../src/agent/index.js";
import { listedTool } from "../../src/mcp/server/listed-tool.js";
import { AiSdkModel } from "../../src/models/index.js";
import { toProviderTools } from "../../src/models/provider-tools/index.js";
import { toWireTools } from "../../src/models/ai-sdk/wire-request.js";
import { describedByExamples, providerDialects } from "../../src/schema/internal.js";
import { createTool } from "../../src/tool/index.js";
import { anthropicMessage, chatCompletion, geminiAnswer, openAiResponse, ProviderServer } from "../support/provider-servers.js";

const properties = { city: { type: "string" }, "max size": { type: "integer" } } as const;
const Weather = createTool({
  name: "weather",
  description: "Gets the weather.",
  inputSchema: { type: "object", properties, required: ["city"], additionalProperties: false },
  examples: [{ city: "Paris", "max size": 2 }, { city: "Rome" }],
  execute: () => "Sunny.",
});
const text = 'Example arguments: {"city":"Paris","max size":2}\nExample arguments: {"city":"Rome"}';
const renamed = text.replace("max size", "max_size");

let server: ProviderServer;
beforeAll(async () => {
  server = await ProviderServer.start();
});
afterAll(() => server.close());

/** The request that an agent with the tool sends. */
async function sentBy(languageModel: never, reply: unknown, tool = Weather): Promise<{ body: any; headers: any }> {
  @model(new AiSdkModel(languageModel))
  @usesTools([tool])
  class WeatherAgent extends Agent {}
  server.play(reply as never);
  await new WeatherAgent().generate("Weather in Paris?");
  return server.requests.at(-1) as never;
}

const settings = () => ({ baseURL: server.url, apiKey: "key" });

describe("the examples of a tool on the wire", () => {
  it("are input_examples with the names of the schema for Anthropic", async () => {
    const { body, headers } = await sentBy(
      createAnthropic(settings())("claude-opus-4-5") as never,
      anthropicMessage([{ type: "text", text: "Sunny." }]),
    );
    expect(body.tools[0].input_examples).toEqual([{ city: "Paris", max_size: 2 }, { city: "Rome" }]);
    expect(body.tools[0].description).not.toContain("Example arguments");
    expect(headers["anthropic-beta"]).toContain("advanced-tool-use");
  });

  it("end the description for OpenAI", async () => {
    const { body } = await sentBy(
      createOpenAI(settings())("gpt-5-mini") as never,
      openAiResponse([
        { type: "message", id: "m1", role: "assistant", content: [{ type: "output_text", text: "Sunny.", annotations: [] }] },
      ]),
    );
    expect(body.tools[0].description.endsWith(text)).toBe(true);
  });

  it("end the description with the names of the schema for Gemini", async () => {
    const { body } = await sentBy(createGoogleGenerativeAI(settings())("gemini-3-pro") as never, geminiAnswer([{ text: "Sunny." }]));
    expect(body.tools[0].functionDeclarations[0].description.endsWith(renamed)).toBe(true);
  });

  it("end the description for a provider that takes any schema", async () => {
    const provider = createOpenAICompatible({ ...settings(), name: "other" });
    const { body } = await sentBy(provider("some-model") as never, chatCompletion({ text: "Sunny." }));
    expect(body.tools[0].function.description).toBe(`Gets the weather.\n${text}`);
  });

  it("are sent once: requests of one definition are the same bytes", async () => {
    const anthropic = createAnthropic(settings())("claude-opus-4-5") as never;
    const first = await sentBy(anthropic, anthropicMessage([{ type: "text", text: "Sunny." }]));
    const second = await sentBy(anthropic, anthropicMessage([{ type: "text", text: "Sunny." }]));
    expect(JSON.stringify(second.body.tools)).toBe(JSON.stringify(first.body.tools));
  });

  it("stay in the description if the provider's form of the schema has no such value", () => {
    const parameters = { type: "object", properties: { n: { type: "integer" } }, additionalProperties: false } as const;
    const made = { name: "count", description: describedByExamples("Counts.", [{ n: "one" }]), parameters, examples: [{ n: "one" }] };
    const [tool] = toWireTools([made], "anthropic", true).tools;
    expect(tool).not.toHaveProperty("examples");
    expect(tool?.description).toBe('Counts.\nExample arguments: {"n":"one"}');
  });
});

describe("the examples of a tool elsewhere", () => {
  it.each(providerDialects)("end the description of toProviderTools for %s", (dialect) => {
    const written = JSON.stringify(toProviderTools([Weather], dialect));
    const shown = ["anthropic", "bedrock", "gemini"].includes(dialect) ? renamed : text;
    expect(written).toContain(JSON.stringify(shown).slice(1, -1));
  });

  it("end the description that frameworks get", () => {
    expect((toAiSdkTools([Weather]).weather as { description?: string }).description).toContain(text);
    expect(toLangChainTools([Weather])[0]?.description).toContain(text);
    expect(toOpenAiAgentsTools([Weather])[0]?.description).toContain(text);
  });

  it("end the description in the listing of an MCP server", () => {
    expect(listedTool("weather", Weather.definition).description).toBe(`Gets the weather.\n${text}`);
  });
});
