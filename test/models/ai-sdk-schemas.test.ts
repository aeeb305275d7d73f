import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { Agent, model, usesTools } from "../../src/agent/index.js";
import { AiSdkModel, type ModelReference, withFallback } from "../../src/models/index.js";
import { createTool, type ToolClass } from "../../src/tool/index.js";
import { anthropicMessage, chatCompletion, geminiAnswer, ProviderServer, type ServerReply } from "../support/provider-servers.js";

let server: ProviderServer;
beforeAll(async () => {
  server = await ProviderServer.start();
});
afterAll(() => server.close());

const openAi = () => createOpenAI({ apiKey: "test-key", baseURL: server.url }).chat("gpt-4o");
const anthropic = () => createAnthropic({ apiKey: "test-key", baseURL: server.url })("claude-sonnet-4-5");
const gemini = () => createGoogleGenerativeAI({ apiKey: "test-key", baseURL: server.url })("gemini-3-flash");
const ollama = () => createOpenAICompatible({ name: "ollama", baseURL: server.url })("llama3.2");

/** A tool with an optional property, a name that providers refuse, numbers to choose from and a free object. */
function searchTool(calls: unknown[]): ToolClass {
  return createTool({
    name: "search",
    description: "Searches.",
    inputSchema: {
      type: "object",
      properties: { "filter[id]": { type: "string" }, level: { type: "integer", enum: [1, 2] }, note: { type: ["string", "null"] } },
      required: ["filter[id]", "level"],
      additionalProperties: false,
    },
    execute: (input) => {
      calls.push(input);
      return "found";
    },
  });
}

/** What the provider was sent first, and what the tool got. */
async function run(reference: ModelReference, ...replies: ServerReply[]): Promise<{ body: any; calls: unknown[]; text: string }> {
  const calls: unknown[] = [];
  @model(reference)
  @usesTools([searchTool(calls)])
  class SearchAgent extends Agent {}
  server.play(...replies);
  const { text } = await SearchAgent.generate("Find 7.");
  return { body: server.requests[0]!.body, calls, text: text ?? "" };
}

const openAiCall = (input: object) => chatCompletion({ calls: [{ id: "c1", name: "search", arguments: JSON.stringify(input) }] });
const found = { "filter[id]": "7", level: 2 };

describe("a run of an agent", () => {
  it("cuts a description that no provider takes, and says so", async () => {
    const tool = createTool({ name: "long", description: "x".repeat(1_048_576), inputSchema: { type: "object" }, execute: () => "" });
    @model(openAi())
    @usesTools([tool])
    class LongAgent extends Agent {}
    server.play(chatCompletion({ text: "Done." }));
    await LongAgent.generate("Go.");

    const { description } = server.requests[0]!.body.tools[0].function;
    expect(description).toHaveLength(32_000 + "... [cut: 1048576 characters in all]".length);
    expect(description).toContain("[cut: 1048576 characters in all]");
  });

  it("asks OpenAI for strict arguments, and gives the tool what they mean", async () => {
    const { body, calls, text } = await run(openAi(), openAiCall({ ...found, note: null }), chatCompletion({ text: "Done." }));

    expect(body.tools[0].function).toMatchObject({ strict: true, parameters: { required: ["filter[id]", "level", "note"] } });
    expect({ calls, text }).toEqual({ calls: [{ ...found, note: null }], text: "Done." });
  });

  it("gives Anthropic names that it takes", async () => {
    const { body, calls } = await run(
      anthropic(),
      anthropicMessage([{ type: "tool_use", id: "c1", name: "search", input: { filter_id_: "7", level: 2 } }]),
      anthropicMessage([{ type: "text", text: "Done." }]),
    );

    expect(body.tools[0].input_schema).toMatchObject({ properties: { filter_id_: { type: "string" } }, required: ["filter_id_", "level"] });
    expect(calls).toEqual([found]);
  });

  it("gives Gemini texts to choose from", async () => {
    const { body, calls } = await run(
      gemini(),
      geminiAnswer([{ functionCall: { name: "search", args: { filter_id_: "7", level: "2" } } }]),
      geminiAnswer([{ text: "Done." }]),
    );

    expect(body.tools[0].functionDeclarations[0].parameters.properties).toMatchObject({
      filter_id_: { type: "string" },
      level: { type: "string", enum: ["1", "2"] },
      note: { type: "string", nullable: true },
    });
    expect(calls).toEqual([found]);
  });

  it("gives Ollama one type for each property", async () => {
    const { body } = await run(ollama(), openAiCall(found), chatCompletion({ text: "Done." }));

    expect(body.tools[0].function.parameters.properties.note).toEqual({
      type: "string",
      description: 'JSON Schema: {"type":["string","null"]}',
    });
  });

  it("writes the tools anew for a fallback at another provider", async () => {
    const refused = { status: 400, body: { error: { message: "no" } } };
    const fallback = withFallback([new AiSdkModel(openAi()), new AiSdkModel(anthropic())]);
    const { calls } = await run(
      fallback,
      refused,
      anthropicMessage([{ type: "tool_use", id: "c1", name: "search", input: { filter_id_: "7", level: 2 } }]),
      chatCompletion({ text: "Done." }),
    );

    expect(server.requests[0]!.body.tools[0].function.strict).toBe(true);
    expect(Object.keys(server.requests[1]!.body.tools[0].input_schema.properties)).toContain("filter_id_");
    expect(calls).toEqual([found]);
  });
});

it("leaves the text of arguments as the model wrote it where nothing is to be undone", async () => {
  const text = '{ "filter[id]": "x = \\"a,}\\"", "level": 1.0, "note": "n" }';
  const tool = searchTool([]);
  server.play(chatCompletion({ calls: [{ id: "c1", name: "search", arguments: text }] }));
  const { name, description, parametersSchema: parameters } = tool.definition;
  const { toolCalls } = await new AiSdkModel(openAi()).generate({
    messages: [{ role: "user", content: "Go." }],
    tools: [{ name, description, parameters }],
  });

  expect(toolCalls[0]!.arguments).toBe(text);
});
