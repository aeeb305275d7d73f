import { Module } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { ToolwrightModule } from "../../../src/interop/nest/index.js";
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

    await (await NestFactory.createApplicationContext(ChatModule, { logger: false, abortOnError: false })).close();
  });
