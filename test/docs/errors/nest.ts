import { Module, type Type } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { Agent, model } from "../../../src/agent/index.js";
import { ToolwrightModule } from "../../../src/nest/index.js";
import { description, Tool } from "../../../src/tool/index.js";
import { errorOf } from "./example.js";

class WeatherService {}

/** What ends the start of a Nest application. */
export const serviceMissing = (): Promise<Error> =>
  errorOf(async () => {
    @description("Gets the weather. Use when the user asks about weather.")
    class WeatherTool extends Tool {
      constructor(readonly weather: WeatherService) {
        super();
      }

      call() {}
    }

    @Module({ imports: [ToolwrightModule.forFeature({ tools: [WeatherTool] })] })
    class ChatModule {}

    await startAndClose(ChatModule);
  });

/** What keeps users from sharing a conversation. */
export const agentShared = (): Promise<Error> =>
  errorOf(async () => {
    @model("embedded/keyword")
    class ChatAgent extends Agent {}

    @Module({ imports: [ToolwrightModule.forRoot({})], providers: [ChatAgent] })
    class ChatModule {}

    await startAndClose(ChatModule);
  });

async function startAndClose(module: Type): Promise<void> {
  await (await NestFactory.createApplicationContext(module, { logger: false, abortOnError: false })).close();
}
