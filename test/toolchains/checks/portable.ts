import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { join } from "node:path";
import {
  Agent,
  description,
  Integer,
  identifier,
  instructions,
  model,
  optional,
  required,
  Tool,
  type ToolClass,
  usesTools,
} from "toolwright";
import { isToolClass } from "toolwright/execution";
import { ScriptedModel } from "toolwright/models";
import { invokeTool } from "toolwright/testing";
import { type Check, refusalOf } from "./check.js";

const units = ["celsius", "fahrenheit"] as const;

enum Role {
  Reader = "reader",
  Writer = "writer",
}

class Address {
  @required(String)
  street!: string;

  @optional(Integer, { default: 1 })
  floor!: number;

  label() {
    return `${this.street}, floor ${this.floor}`;
  }
}

@description("Gets the weather for a city. Use when the user asks about weather now.")
@identifier("get_weather")
class WeatherTool extends Tool {
  @required(String, "The city name")
  city!: string;

  @optional({ enum: units, default: "celsius" })
  units!: (typeof units)[number];

  call(): unknown {
    return `${this.city} in ${this.units}`;
  }
}

@description("Makes a parcel label. Use when something is to be sent.")
@identifier("label_tool")
class LabelTool extends Tool {
  @required(Address)
  to!: Address;

  @optional([Address])
  copies?: Address[];

  call() {
    return [this.to, ...(this.copies ?? [])].map((address) => address.label());
  }
}

@description("Invites a person. Use when somebody asks for access.")
@identifier("invite_tool")
class InviteTool extends Tool {
  @required({ enum: Role })
  role!: Role;

  @optional([String], { default: [] })
  notes!: string[];

  call() {
    this.notes.push("invited");
    return [this.role === Role.Writer, this.notes.length];
  }
}

@description("Gets the weather in kelvin. Use in laboratories.")
class LaboratoryWeatherTool extends WeatherTool {
  @optional(Integer, { default: 3 })
  digits!: number;

  override call() {
    return `${super.call()} with ${this.digits} digits`;
  }
}

@description("Gets the forecast for a city. Use when the user asks about the coming days.")
class ForecastTool extends Tool {
  @required(String)
  city!: string;

  call() {
    return this.city;
  }
}

/** What works with any decorators and any compiler: types are written out. */
export const portableChecks: readonly Check[] = [
  {
    title: "Schema from explicit types",
    run() {
      assert.deepEqual(JSON.parse(JSON.stringify(WeatherTool.parametersSchema)), {
        type: "object",
        properties: {
          city: { type: "string", description: "The city name" },
          units: { type: "string", enum: ["celsius", "fahrenheit"], default: "celsius" },
        },
        required: ["city"],
        additionalProperties: false,
      });
      return undefined;
    },
  },
  {
    title: "Nested classes arrive as instances",
    async run() {
      const labels = await invokeTool(LabelTool, { to: { street: "Main" }, copies: [{ street: "Side", floor: 2 }] });
      assert.deepEqual(labels, ["Main, floor 1", "Side, floor 2"]);
      return undefined;
    },
  },
  {
    title: "Enums, of TypeScript and of literals",
    async run() {
      assert.deepEqual(JSON.parse(JSON.stringify(InviteTool.parametersSchema)).properties.role.enum, ["reader", "writer"]);
      await assert.rejects(async () => invokeTool<ToolClass>(InviteTool, { role: "owner" }), /role must be one of: reader, writer/);
      await assert.rejects(
        async () => invokeTool<ToolClass>(WeatherTool, { city: "Paris", units: "kelvin" }),
        /units must be one of: celsius, fahrenheit/,
      );
      return undefined;
    },
  },
  {
    title: "Defaults, fresh for each call",
    async run() {
      assert.equal(await invokeTool(WeatherTool, { city: "Paris" }), "Paris in celsius");
      assert.deepEqual(await invokeTool(InviteTool, { role: "writer" }), [true, 1]);
      assert.deepEqual(await invokeTool(InviteTool, { role: "writer" }), [true, 1]);
      return undefined;
    },
  },
  {
    title: "Inheritance without leaks",
    async run() {
      assert.equal(await invokeTool(LaboratoryWeatherTool, { city: "Paris" }), "Paris in celsius with 3 digits");
      assert.deepEqual(Object.keys(WeatherTool.parametersSchema.properties ?? {}), ["city", "units"]);
      assert.equal(WeatherTool.definition.description, "Gets the weather for a city. Use when the user asks about weather now.");
      return undefined;
    },
  },
  {
    title: "Tool names",
    async run() {
      assert.equal(WeatherTool.identifier, "get_weather");
      return refusalOf(() => assert.equal(ForecastTool.identifier, "forecast_tool"), "@identifier(");
    },
  },
  {
    title: "instanceof across two copies of the package",
    async run() {
      const load = createRequire(join(process.cwd(), "package.json"));
      const copy = load("toolwright-copy") as typeof import("toolwright");
      const execution = load("toolwright-copy/execution") as typeof import("toolwright/execution");
      assert.notEqual(copy.Tool, Tool, "there is only one copy");
      const Foreign = copy.createTool("echo", "Repeats a text. Use in tests.", { type: "object" }, () => "echo");
      assert.ok(isToolClass(Foreign) && execution.isToolClass(WeatherTool));
      assert.ok(new Foreign() instanceof Tool && new WeatherTool() instanceof copy.Tool);
      assert.ok(!(new ForecastTool() instanceof WeatherTool));
      assert.equal(execution.universalDefinition(WeatherTool).name, "get_weather");
      assert.equal(await invokeTool(Foreign, {}), "echo");
      return undefined;
    },
  },
  {
    title: "An agent runs a tool",
    async run() {
      const scripted = new ScriptedModel([{ toolCalls: [{ name: "get_weather", arguments: { city: "Paris" } }] }, "It is sunny."]);

      @model(scripted)
      @instructions("You are a weather assistant.")
      @usesTools([WeatherTool])
      class WeatherAgent extends Agent {}

      const response = await new WeatherAgent().generate("Weather in Paris?");
      assert.equal(response.outcome.reason, "success");
      assert.equal(response.text, "It is sunny.");
      assert.match(JSON.stringify(scripted.requests[1]), /Paris in celsius/);
      return undefined;
    },
  },
];
