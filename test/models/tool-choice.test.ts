import { createAnthropic } from "@ai-sdk/anthropic";
import { Agent, type AgentListener, model, modelOptions, usesTools } from "../../src/agent/index.js";
import type { AiSdkLanguageModel, ModelOptions } from "../../src/models/index.js";
import { type LogEntry, toolLog } from "../../src/observability/index.js";
import { createTool, type ToolClass } from "../../src/tool/index.js";
import { loadPackages, type ProviderPackages } from "../support/histories/models.js";
import { replyOn } from "../support/histories/replies.js";
import type { Wire } from "../support/histories/rules.js";
import { ProviderServer } from "../support/provider-servers.js";
import { anthropicStream } from "../support/provider-streams.js";

describe("a tool that must be called", () => {
  let server: ProviderServer;
  let packages: ProviderPackages;
  beforeAll(async () => {
    packages = await loadPackages();
    server = await ProviderServer.start();
  });
  afterAll(() => server.close());

  const ran: string[] = [];
  const toolOf = (name: string): ToolClass =>
    createTool({
      name,
      description: `Does ${name}. Use when asked to.`,
      inputSchema: { type: "object", properties: {} },
      execute: () => {
        ran.push(name);
        return "done";
      },
    });
  const agentOf = (reference: AiSdkLanguageModel, options: ModelOptions = {}): Agent => {
    @model(reference, { retries: 0 })
    @modelOptions({ maxOutputTokens: 1_000, ...options })
    @usesTools([toolOf("search"), toolOf("other")])
    class SearchAgent extends Agent {}
    return new SearchAgent();
  };
  const claude = (id: string) => createAnthropic({ apiKey: "test-key", baseURL: server.url })(id);
  const settings = () => ({ apiKey: "test-key", baseURL: server.url, region: "us-east-1" });
  const toolsOf = (body: { tools?: unknown; toolConfig?: { tools: unknown } }) => body.tools ?? body.toolConfig?.tools;
  const step = (wire: Wire, name: string) => ({ body: replyOn(wire, { text: "", calls: [{ id: "abcdefghi", name, arguments: {} }] }) });
  const done = (wire: Wire) => ({ body: replyOn(wire, { text: "Done.", calls: [] }) });
  const warningsOf = (told: string[]): AgentListener => ({ modelFinished: ({ response }) => told.push(...(response?.warnings ?? [])) });

  it.each(["claude-opus-5-5", "claude-sonnet-5-5", "claude-fable-5-1", "claude-opus-6", "claude-sonnet-5.6"])(
    "is asked for with auto and all tools of %s, with a warning",
    async (id) => {
      server.play(step("anthropic", "search"), done("anthropic"));
      const told: string[] = [];
      await agentOf(claude(id)).generate("Go", { toolChoice: { tool: "search" }, listeners: [warningsOf(told)] });

      const [first, second] = server.requests.map(({ body }) => body);
      expect(first.tool_choice).toEqual({ type: "auto" });
      expect(first.tools.map(({ name }: { name: string }) => name)).toEqual(["search", "other"]);
      expect(second.tools).toEqual(first.tools);
      expect(told.filter((text) => text.includes("toolChoice"))).toEqual([
        expect.stringContaining(`${id} of anthropic.messages can't be forced`),
      ]);
    },
  );

  it.each(["claude-opus-5", "claude-sonnet-4-5-20250929", "claude-haiku-5-5", "claude-opus-4-20250514", "claude-fable-5"])(
    "is forced of %s",
    async (id) => {
      server.play(step("anthropic", "search"), done("anthropic"));
      await agentOf(claude(id)).generate("Go", { toolChoice: { tool: "search" } });

      expect(server.requests[0]?.body.tool_choice).toEqual({ type: "tool", name: "search" });
      expect(server.requests[1]?.body.tools).toEqual(server.requests[0]?.body.tools);
    },
  );

  it("isn't forced while a budget of thinking is set", async () => {
    server.play(done("anthropic"));
    const options = { providerOptions: { anthropic: { thinking: { type: "enabled", budgetTokens: 1_024 } } } };
    await agentOf(claude("claude-sonnet-4-5"), options).generate("Go", { toolChoice: { tool: "search" } });

    expect(server.requests[0]?.body.tools).toHaveLength(2);
    expect(server.requests[0]?.body.tool_choice).toEqual({ type: "auto" });
  });

  it.each([
    ["mistral", () => packages.createMistral(settings())("mistral-large-latest")],
    ["cohere", () => packages.createCohere(settings())("command-a-03-2025")],
    ["amazon-bedrock", () => packages.createAmazonBedrock(settings())("anthropic.claude-sonnet-4-5-20250929-v1:0")],
  ] as const)("leaves the list of tools whole for %s, and no other tool runs in the step", async (wire, make) => {
    ran.length = 0;
    server.play(step(wire, "other"), step(wire, "search"), done(wire));
    const told: string[] = [];
    const { text } = await agentOf(make()).generate("Go", { toolChoice: { tool: "search" }, listeners: [warningsOf(told)] });

    const lists = server.requests.map(({ body }) => toolsOf(body));
    expect(lists[0]).toHaveLength(2);
    expect(lists[1]).toEqual(lists[0]);
    expect(JSON.stringify(server.requests[0]?.body)).toMatch(/"any"|"REQUIRED"/);
    expect([text, ran]).toEqual(["Done.", ["search"]]);
    expect(told).toContainEqual(expect.stringContaining('"required" was sent, with all tools'));
  });

  it("shows the package's own warnings to listeners and in the log, streamed or not", async () => {
    server.play(done("anthropic"), anthropicStream([{ type: "text", text: "Done." }]));
    const told: string[] = [];
    const entries: LogEntry[] = [];
    const log = toolLog({ handlers: [{ logEntry: (entry) => entries.push(entry), flushLog: () => undefined }] });
    const agent = agentOf(claude("claude-opus-5-5"), { temperature: 0.2, frequencyPenalty: 1 });
    await agent.generate("Go", { listeners: [warningsOf(told), log] });
    await agent.stream("Go on", { listeners: [warningsOf(told), log] }).response;

    expect(told.filter((text) => text === "frequencyPenalty is not supported")).toHaveLength(2);
    expect(told.filter((text) => text.startsWith("temperature: "))).toHaveLength(2);
    expect(entries.filter(({ level }) => level === "WARN").map(({ message }) => message)).toContain(
      "Model anthropic/claude-opus-5-5: frequencyPenalty is not supported",
    );
  });
});
