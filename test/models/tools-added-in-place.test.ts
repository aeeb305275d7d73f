/** What a package of AI SDK 7 gets for OpenAI's Responses API if tools are added in the middle of a conversation. */
import { Agent, type AgentTools, instructions, model, usesTools } from "../../src/agent/index.js";
import type { AiSdkCallOptions, AiSdkMessage } from "../../src/models/ai-sdk/language-model.js";
import type { AiSdkLanguageModel, ToolChoice } from "../../src/models/index.js";
import { createTool, providerTool, type ToolClass } from "../../src/tool/index.js";

const tool = (name: string, description = `Does ${name}. Use when asked to.`): ToolClass =>
  createTool({ name, description, inputSchema: { type: "object", properties: { q: { type: "string" } } }, execute: () => "done" });
const search = tool("search");
const refund = tool("refund");
const audit = tool("audit");

class Sent {
  readonly requests: AiSdkCallOptions[] = [];
  /** The next request fails. */
  failure: Error | undefined;
  readonly model: AiSdkLanguageModel = {
    specificationVersion: "v4",
    provider: "openai.responses",
    modelId: "gpt-5.6",
    doGenerate: async (options: AiSdkCallOptions) => {
      this.requests.push(options);
      const { failure } = this;
      this.failure = undefined;
      if (failure !== undefined) throw failure;
      return { content: [{ type: "text", text: "Done." }], finishReason: "stop", usage: {} };
    },
  };

  get latest(): AiSdkCallOptions {
    return this.requests.at(-1) as AiSdkCallOptions;
  }

  /** The names in the list at the beginning. */
  get listed(): readonly string[] {
    const { tools = [] } = this.latest;
    return tools.flatMap((one) => ((one.providerOptions?.openai as any)?.omitFromRequestTools === true ? [] : [one.name]));
  }

  /** What the developer says behind the first message: texts, and the tools that are added. */
  get late(): readonly unknown[] {
    return this.latest.prompt
      .slice(1)
      .filter(({ role }) => role === "system")
      .map((message: AiSdkMessage) => (message.providerOptions?.openai as any)?.additionalTools ?? message.content);
  }
}

const added = (name: string, description = `Does ${name}. Use when asked to.`) => [
  expect.objectContaining({ type: "function", name, description }),
];

describe("a tool that is added in its place", () => {
  let sent: Sent;
  let agent: Agent;
  let offered: AgentTools;
  beforeEach(() => {
    sent = new Sent();
    @model(sent.model, { retries: 0 })
    @instructions("Be brief.")
    @usesTools(() => [...(offered as readonly ToolClass[])])
    class GrowingAgent extends Agent {}
    agent = new GrowingAgent();
  });
  const say = async (tools: AgentTools, toolChoice?: ToolChoice) => {
    offered = tools;
    const warnings: string[] = [];
    const listeners = [{ modelFinished: ({ response }: any) => void warnings.push(...(response?.warnings ?? [])) }];
    const response = await agent.generate("Go on.", { ...(toolChoice !== undefined && { toolChoice }), listeners });
    return { response, warnings };
  };

  it("is reported as a change of the messages if its definition changes there", async () => {
    const parts: string[] = [];
    const listeners = [{ prefixChanged: ({ part }: { readonly part: string }) => void parts.push(part) }];
    for (const tools of [[search], [search, refund], [search, tool("refund", "Refunds in a new way.")]]) {
      offered = tools;
      await agent.generate("Go on.", { listeners });
    }
    expect(parts).toEqual(["messages"]);
  });

  it("leaves the list at the beginning as it was", async () => {
    await say([search]);
    await say([search, refund]);

    expect(sent.listed).toEqual(["search"]);
    expect(sent.late).toEqual([added("refund")]);
  });

  it("comes with the names of those that were hidden by a list until then, and each return is said", async () => {
    await say([search, audit]);
    await say([audit]);
    expect([sent.late, sent.latest.providerOptions]).toEqual([[], { openai: { allowedTools: { toolNames: ["audit"], mode: "auto" } } }]);

    await say([audit, refund]);
    await say([search, audit, refund]);
    await say([search]);
    await say([search, refund]);
    expect(sent.late).toEqual([
      "These tools can't be called any more: search.",
      added("refund"),
      "These tools can be called again: search.",
      "These tools can't be called any more: audit, refund.",
      "These tools can be called again: refund.",
    ]);
  });

  it("stays in its place if a tool of the provider comes later, which goes to the end of the list", async () => {
    await say([search]);
    await say([search, refund]);
    await say([search, refund, providerTool("openai/web_search", {})]);

    expect(sent.listed).toEqual(["search", "web_search"]);
    expect(sent.late).toEqual([added("refund")]);
  });

  it("gets a changed definition in the place where it was added", async () => {
    await say([search]);
    await say([search, refund]);
    await say([search, tool("refund", "Refunds in full.")]);

    expect(sent.late).toEqual([added("refund", "Refunds in full.")]);
  });

  it("can't be forced: the model gets a free choice, and a warning says so", async () => {
    await say([search]);
    const { response, warnings } = await say([search, refund], { tool: "refund" });

    expect([response.text, sent.latest.toolChoice]).toEqual(["Done.", { type: "auto" }]);
    expect(warnings).toEqual([expect.stringContaining("can't be forced to call one tool")]);
  });

  it("leaves the model a free choice if it must call a tool, and has none from the list", async () => {
    await say([search]);
    await say([refund], "required");
    expect(sent.latest.toolChoice).toEqual({ type: "auto" });
    await say([search, refund], "required");
    expect(sent.latest.toolChoice).toEqual({ type: "required" });
  });

  it("is still in its place after the package has rejected a request for another reason", async () => {
    await say([search]);
    sent.failure = Object.assign(new Error("A file of this type isn't supported."), { name: "AI_UnsupportedFunctionalityError" });
    expect((await say([search, refund])).response.outcome.reason).toBe("model_error");
    expect(sent.requests).toHaveLength(2);

    await say([search, refund]);
    expect(sent.late).toEqual([added("refund")]);
  });
});
