import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createGroq } from "@ai-sdk/groq";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { Agent, model, usesTools } from "../../src/agent/index.js";
import type { AgentTools } from "../../src/agent/agent-class.js";
import { type AiSdkLanguageModel, AiSdkModel, type ChatModel, ModelError, withFallback } from "../../src/models/index.js";
import { toProviderTools } from "../../src/models/provider-tools/index.js";
import { createTool, deferred, providerTool, type Toolbox, type ToolClass } from "../../src/tool/index.js";
import { anthropicMessage, chatCompletion, geminiAnswer, openAiResponse, ProviderServer } from "../support/provider-servers.js";

const toolsOf = (count: number): ToolClass[] =>
  Array.from({ length: count }, (_, index) =>
    createTool({ name: `tool_${index}`, description: "Does it.", inputSchema: { type: "object" }, execute: () => index }),
  );

let warnings: jest.SpiedFunction<typeof process.emitWarning>;
beforeEach(() => {
  warnings = jest.spyOn(process, "emitWarning").mockImplementation(() => undefined);
});
afterEach(() => warnings.mockRestore());
const warned = (): readonly unknown[] => warnings.mock.calls.map(([warning]) => warning);

let server: ProviderServer;
beforeAll(async () => {
  server = await ProviderServer.start();
});
afterAll(() => server.close());

const settings = (): { apiKey: string; baseURL: string } => ({ apiKey: "key", baseURL: server.url });
const chat = (): AiSdkLanguageModel => createOpenAI(settings()).chat("gpt-5-mini");
const responses = (): AiSdkLanguageModel => createOpenAI(settings()).responses("gpt-5-mini");
const gemini = (): AiSdkLanguageModel => createGoogleGenerativeAI(settings())("gemini-3-pro");
const groq = (): AiSdkLanguageModel => createGroq(settings())("llama-3.3-70b-versatile");
const done = chatCompletion({ text: "Done." });
const message = { type: "message", role: "assistant", id: "msg_1", content: [{ type: "output_text", text: "Done.", annotations: [] }] };

function agentOn(asked: AiSdkLanguageModel | ChatModel, tools: AgentTools | ((context: { userId?: string }) => AgentTools)): Agent {
  @model(asked)
  @usesTools(tools as AgentTools)
  class CrowdedAgent extends Agent {}
  return new CrowdedAgent();
}

const fix = "Offer fewer at a time: defer tools with @deferred(), or use a resolver of @usesTools, a profile, or prepareStep.";

describe("a list of tools that is longer than the provider takes", () => {
  it.each([
    ["OpenAI's Chat Completions", chat, 128, "openai/gpt-5-mini: 129 tools are too many for one request: openai.chat takes 128."],
    ["Groq", groq, 128, "groq/llama-3.3-70b-versatile: 129 tools are too many for one request: groq.chat takes 128."],
    ["Gemini", gemini, 512, "google/gemini-3-pro: 513 tools are too many for one request: google.generative-ai takes 512."],
  ])("is an error before the request: %s", async (_, asked, most, problem) => {
    server.play();
    const response = await agentOn(asked(), toolsOf(most + 1)).generate("Hello");
    expect(response.outcome).toMatchObject({ reason: "model_error", detail: `${problem} ${fix}` });
    expect((response as { readonly error?: unknown }).error).toBeInstanceOf(ModelError);
    expect(server.requests).toEqual([]);
  });

  it("is an error in a stream, too", async () => {
    server.play();
    const stream = agentOn(chat(), toolsOf(129)).stream("Hello");
    expect((await stream.response).outcome.reason).toBe("model_error");
    expect(server.requests).toEqual([]);
  });

  it.each([
    ["OpenAI's Chat Completions", chat, 128, done],
    ["Gemini", gemini, 512, geminiAnswer([{ text: "Done." }])],
  ])("is sent if it has as many tools as the provider takes: %s", async (_, asked, most, reply) => {
    server.play(reply);
    expect((await agentOn(asked(), toolsOf(most)).generate("Hello")).text).toBe("Done.");
    expect(server.requests).toHaveLength(1);
  });

  it("has no deferred tools: they don't count until they are found", async () => {
    server.play(done);
    const tools = toolsOf(400).map((tool, index) => (index < 100 ? tool : deferred(tool)));
    expect((await agentOn(chat(), tools).generate("Hello")).text).toBe("Done.");
    expect(server.requests[0]?.body.tools).toHaveLength(101);
  });

  it("counts the tools of a toolbox, unless it is deferred", async () => {
    const crm: Toolbox = { name: "crm", tools: toolsOf(200) };
    server.play(done);
    expect((await agentOn(chat(), [crm]).generate("Hello")).outcome.detail).toContain("200 tools are too many");
    expect((await agentOn(chat(), [deferred(crm)]).generate("Hello")).text).toBe("Done.");
  });

  it("counts what the resolver offers to this user", async () => {
    server.play(done);
    const agent = agentOn(chat(), ({ userId }) => toolsOf(userId === undefined ? 5 : 130));
    expect((await agent.generate("Hello")).text).toBe("Done.");
    const signedIn = await agent.generate("Hello", { toolContext: { userId: "Ada" } });
    expect(signedIn.outcome.detail).toContain("130 tools are too many");
    expect(server.requests).toHaveLength(1);
  });

  it("counts what prepareStep leaves for a step", async () => {
    server.play(done);
    const tools = toolsOf(200);
    @model(chat())
    @usesTools(tools)
    class NarrowedAgent extends Agent {
      override prepareStep() {
        return { tools: tools.slice(0, 3) };
      }
    }
    expect((await new NarrowedAgent().generate("Hello")).text).toBe("Done.");
    expect(server.requests[0]?.body.tools).toHaveLength(3);
  });

  it("goes to a fallback that takes it", async () => {
    server.play(anthropicMessage([{ type: "text", text: "Done." }]));
    const claude = new AiSdkModel(createAnthropic(settings())("claude-opus-5-5"));
    const retries: string[] = [];
    const response = await agentOn(withFallback([new AiSdkModel(chat()), claude]), toolsOf(150)).generate("Hello", {
      listeners: [{ modelRetried: ({ error }) => retries.push(error.message) }],
    });
    expect(response.text).toBe("Done.");
    expect(retries).toEqual([expect.stringContaining("150 tools are too many for one request: openai.chat takes 128.")]);
    expect(server.requests.map(({ path }) => path)).toEqual(["/messages"]);
  });

  it("doesn't count the tools that Gemini runs itself", async () => {
    server.play(geminiAnswer([{ text: "Done." }]));
    const tools = [...toolsOf(512), providerTool("google/google_search")];
    expect((await agentOn(gemini(), tools).generate("Hello")).text).toBe("Done.");
  });

  it("is sent with a warning to OpenAI's Responses API, which has no published limit", async () => {
    server.play(openAiResponse([message]), openAiResponse([message]));
    const asked = new AiSdkModel(responses());
    for (let run = 0; run < 2; run += 1) expect((await agentOn(asked, toolsOf(129)).generate("Hello")).text).toBe("Done.");
    expect(warned()).toEqual([`129 tools may be too many for openai.responses: requests with more than 128 are known to fail. ${fix}`]);
  });

  it.each([
    ["a server that is compatible with OpenAI", () => createOpenAICompatible({ name: "local", baseURL: server.url })("llama-3")],
    ["OpenAI's package with the name of another server", () => createOpenAI({ ...settings(), name: "local" }).chat("llama-3")],
  ])("has any length for %s", async (_, asked) => {
    server.play(done);
    expect((await agentOn(asked(), toolsOf(600)).generate("Hello")).text).toBe("Done.");
    expect(warned()).toEqual([]);
  });
});

describe("toProviderTools", () => {
  it.each([
    ["openai-chat", 128],
    ["openai-responses", 128],
    ["gemini", 512],
  ] as const)("warns of a list that is too long for one request: %s, %i", (dialect, most) => {
    toProviderTools(toolsOf(most), dialect);
    expect(warned()).toEqual([]);
    expect(JSON.stringify(toProviderTools(toolsOf(most + 1), dialect))).toContain(`tool_${most}`);
    expect(warned()).toEqual([
      `${most + 1} tools may be too many for ${dialect}: requests with more than ${most} are known to fail. ${fix}`,
    ]);
  });

  it("takes any number of tools for the others", () => {
    for (const dialect of ["anthropic", "bedrock", "mistral", "ollama"] as const) toProviderTools(toolsOf(600), dialect);
    expect(warned()).toEqual([]);
  });
});
