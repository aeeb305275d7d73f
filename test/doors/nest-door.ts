import "reflect-metadata";
import { Inject, Injectable } from "@nestjs/common";
import { Test } from "@nestjs/testing";
import { AgentFactory, ToolwrightModule } from "../../src/nest/index.js";
import type { ToolClass } from "../../src/tool/index.js";
import type { Door, DoorCall, DoorOptions } from "./door.js";
import { agentWith, converse } from "./own-doors.js";

/** An agent of a Nest application, whose module has the tools and their services. */
export const nestDoor: Door = {
  name: "Nest",
  told: async (tools, options) => {
    const { scripted } = await runInNest(tools, [], options);
    return scripted.requests[0]!.tools.length;
  },
  run: async (tools, calls, options) => (await runInNest(tools, calls, options)).texts,
};

async function runInNest(
  tools: readonly ToolClass[],
  calls: readonly DoorCall[],
  { services = [], listeners = [], toolContext = {}, ...options }: DoorOptions = {},
) {
  const { SomeAgent, scripted } = agentWith(tools, calls);

  @Injectable()
  class ChatService {
    constructor(@Inject(AgentFactory) readonly agents: AgentFactory) {}
  }

  const application = await Test.createTestingModule({
    imports: [
      ToolwrightModule.forRoot({ listeners, toolContext: () => toolContext }),
      ToolwrightModule.forFeature({ tools, agents: [SomeAgent] }),
    ],
    providers: [ChatService, ...services],
  }).compile();
  try {
    await application.init();
    const agent = await application.get(ChatService).agents.create(SomeAgent, {});
    return { scripted, texts: await converse(agent, options) };
  } finally {
    await application.close();
  }
}
