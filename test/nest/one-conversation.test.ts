import { Controller, Module, Post, Req, Res } from "@nestjs/common";
import type { Request, Response } from "express";
import { Agent, model } from "../../src/agent/index.js";
import { type ChatModel, noUsage } from "../../src/models/index.js";
// biome-ignore lint/style/useImportType: the compiler emits what constructors take
import { AgentFactory, ToolwrightModule } from "../../src/nest/index.js";
import { MemoryStorage } from "../../src/storage/index.js";
import { agentHandler, nodeRequestOf, toNodeHandler } from "../../src/web/index.js";
import { postJson } from "../web/support.js";
import { closeApplications, start } from "./support.js";

afterEach(closeApplications);

const echo: ChatModel = {
  id: "test/echo",
  generate: async ({ messages }) => {
    await new Promise((resolve) => setTimeout(resolve, 2));
    return { text: `Answer to ${String(messages.at(-1)?.content)}`, toolCalls: [], finishReason: "stop", usage: noUsage };
  },
};

@model(echo)
class ChatAgent extends Agent {}

/** An application with one endpoint over `agentHandler`, and one by hand. */
function chat() {
  const { conversations } = new MemoryStorage();

  @Controller()
  class ChatController {
    private readonly handler = toNodeHandler(
      agentHandler({
        format: "json",
        agent: async (request) => (await this.agents.create(ChatAgent, nodeRequestOf(request))).load(conversations, "ada"),
        onFinish: ({ agent }) => agent.save(conversations, "ada"),
      }),
    );

    constructor(private readonly agents: AgentFactory) {}

    @Post("handler")
    async post(@Req() request: Request, @Res() response: Response) {
      await this.handler(request, response);
    }

    @Post("by-hand")
    async byHand(@Req() request: Request) {
      const agent = await (await this.agents.create(ChatAgent, request)).load(conversations, "ada");
      const { text } = await agent.generate((request.body as { prompt: string }).prompt);
      await agent.save(conversations, "ada");
      return { text };
    }
  }

  @Module({
    imports: [ToolwrightModule.forRoot({}), ToolwrightModule.forFeature({ agents: [ChatAgent] })],
    controllers: [ChatController],
  })
  class ChatModule {}

  const questions = async () => {
    const messages = (await conversations.load("ada"))?.messages ?? [];
    return messages.filter(({ role }) => role === "user").map(({ content }) => content);
  };
  return { ChatModule, questions };
}

const prompts = Array.from({ length: 10 }, (_, index) => `question ${index}`);

describe("ten requests for one conversation at once, in Nest", () => {
  it("are all in the history if they are answered by agentHandler", async () => {
    const { ChatModule, questions } = chat();
    const url = await start({ imports: [ChatModule] });
    const statuses = await Promise.all(prompts.map(async (prompt) => (await postJson(`${url}/handler`, { prompt })).status));
    expect(statuses).toEqual(prompts.map(() => 200));
    expect((await questions()).sort()).toEqual(prompts);
  });

  it("are in the history or fail, if a controller loads and saves by hand", async () => {
    const { ChatModule, questions } = chat();
    const url = await start({ imports: [ChatModule] }, (application) => application.useLogger(false));
    const answers = await Promise.all(
      prompts.map(async (prompt) => ({ prompt, isSaved: (await postJson(`${url}/by-hand`, { prompt })).ok })),
    );
    const saved = answers.filter(({ isSaved }) => isSaved).map(({ prompt }) => prompt);
    expect(saved.length).toBeGreaterThan(0);
    expect((await questions()).sort()).toEqual(saved.sort());
  });
});
