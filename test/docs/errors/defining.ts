import { Inject } from "typedi";
import { Agent, maxSteps, model, usesTools } from "../../../src/agent/index.js";
import { ToolExecutor } from "../../../src/execution/index.js";
import { acceptSchema } from "../../../src/schema/index.js";
import {
  createTool,
  deferred,
  description,
  identifier,
  isolated,
  optional,
  providerTool,
  required,
  Tool,
} from "../../../src/tool/index.js";
import { type Examples, errorOf } from "./example.js";
import { agentShared, serviceMissing } from "./nest.js";
import { nameRefused } from "./registries.js";
import { unbound } from "./specifications.js";
import { WeatherTool } from "./subjects.js";

/** What authors of tools and agents meet. */
export const definingErrors: Examples<"ToolDefinitionError" | "SchemaError" | "AgentDefinitionError"> = {
  ToolDefinitionError: [
    () =>
      errorOf(() => {
        class WeatherTool extends Tool {
          call() {}
        }
        return WeatherTool.definition;
      }),
    () =>
      errorOf(() => {
        // As esbuild --minify prints it.
        const minified = new Function("Tool", "var m=class extends Tool{call(){}};return m")(Tool) as typeof WeatherTool;
        description("Gets the weather. Use when the user asks about weather.")(minified);
        return minified.definition;
      }),
    () =>
      errorOf(() => {
        @description("Gets the weather. Use when the user asks about weather.")
        class WeatherTool extends Tool {
          // @ts-expect-error: where it is TypeScript that compiles, it says so already
          @required()
          city!: string | number;

          call() {}
        }
        return WeatherTool.definition;
      }),
    () =>
      errorOf(() => {
        @description("Gets the weather. Use when the user asks about weather.")
        class WeatherTool extends Tool {
          @optional({ enum: ["celsius", "fahrenheit"], default: "kelvin" as "celsius" })
          units!: string;

          call() {}
        }
        return WeatherTool.definition;
      }),
    () =>
      errorOf(() => {
        @description("Gets the weather. Use when the user asks about weather.")
        class WeatherTool extends Tool {
          constructor(readonly stations: readonly string[]) {
            super();
          }

          call() {}
        }
        return new ToolExecutor({ tools: [WeatherTool] });
      }),
    async () => {
      @description("Finds a station. Use when the user asks for one.")
      class StationTool extends Tool {
        @Inject(() => Map) stations!: ReadonlyMap<string, string>;

        call() {}
      }
      return (await errorOf(() => new ToolExecutor({ tools: [StationTool] }).run("station_tool", {}))).cause as Error;
    },
    () =>
      errorOf(() => {
        @isolated("process", { module: __filename })
        @description("Renders a report. Use when the user asks for one.")
        class ReportTool extends Tool {
          constructor(readonly database: object) {
            super();
          }

          call() {}
        }
        return new ToolExecutor({ tools: [ReportTool] });
      }),
    () =>
      errorOf(() =>
        createTool({
          name: "parse",
          description: "Parses a log. Use when the user asks for it.",
          inputSchema: { type: "object" },
          // @ts-expect-error: where it is TypeScript that compiles, it says so already
          isolated: { in: "worker", module: __filename },
          execute: () => "parsed",
        }),
      ),
    () =>
      errorOf(() => {
        @description("Gets the forecast. Use when the user asks about tomorrow.")
        @identifier("weather")
        class ForecastTool extends Tool {
          call() {}
        }
        return new ToolExecutor({ tools: [WeatherTool, ForecastTool] });
      }),
    nameRefused,
    serviceMissing,
    () => errorOf(() => providerTool("anthropic/web_search", {}, { requiresConfirmation: true } as never)),
  ],
  SchemaError: [() => errorOf(() => acceptSchema({ type: "object", properties: { city: { type: "text" } } }, { owner: "find_city" }))],
  AgentDefinitionError: [
    () =>
      errorOf(() => {
        @model("embedded/keyword")
        @usesTools([providerTool("anthropic/web_search")])
        class WeatherAgent extends Agent {}
        return new WeatherAgent().generate("Weather?");
      }),
    () =>
      errorOf(() => {
        class WeatherAgent extends Agent {}
        return WeatherAgent.definition;
      }),
    () =>
      errorOf(() => {
        @description("Finds hammers. Use when the user wants to build.")
        @identifier("search_tools")
        class HammerTool extends Tool {
          call() {}
        }

        @model("embedded/keyword")
        @usesTools([HammerTool, deferred(WeatherTool)])
        class HelpDeskAgent extends Agent {}
        return HelpDeskAgent.definition;
      }),
    () =>
      errorOf(() => {
        @model("embedded/keyword")
        @usesTools([WeatherTool, WeatherTool])
        class WeatherAgent extends Agent {}
        return WeatherAgent.definition;
      }),
    () =>
      errorOf(() => {
        // A plain class, where the compiler would refuse it.
        class Weather {}

        @model("embedded/keyword")
        @usesTools([Weather as typeof WeatherTool])
        class WeatherAgent extends Agent {}
        return WeatherAgent.definition;
      }),
    () =>
      errorOf(() => {
        @model("embedded/keyword")
        @maxSteps(0)
        class WeatherAgent extends Agent {}
        return WeatherAgent.definition;
      }),
    unbound,
    agentShared,
  ],
};
