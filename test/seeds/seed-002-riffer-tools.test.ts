import { createRunScope, modelText, ToolExecutor } from "../../src/execution/index.js";
import {
  Agent,
  description,
  identifier,
  Integer,
  model,
  optional,
  required,
  Tool,
  type ToolClass,
  type ToolContext,
  timeout,
  usesTools,
} from "../../src/index.js";
import { ScriptedModel } from "../../src/models/index.js";

/** Seed 002, the tools of Riffer: every documented behaviour, by its heading. Ruby's symbols and seconds are names and milliseconds here. */

@description("Gets the current weather for a city")
class WeatherTool extends Tool {
  @required(String, { description: "The city name" })
  city!: string;

  @optional(String, { default: "celsius", enum: ["celsius", "fahrenheit"] })
  units!: "celsius" | "fahrenheit";

  override call() {
    return `The weather in ${this.city} is 21 ${this.units}.`;
  }
}

const call = (tool: ToolClass, args: string | Record<string, unknown>, toolContext = {}) =>
  new ToolExecutor({ tools: [tool] }).call(
    { id: "call_1", name: tool.identifier, arguments: args as string },
    createRunScope({ toolContext }),
  );

const toolMessages = (script: ScriptedModel) =>
  script.requests.at(-1)?.messages.flatMap((message) => (message.role === "tool" ? [message.content] : []));

describe('seed 002, "Defining a Tool"', () => {
  it("a tool is a subclass with a description, parameters and a call that gets validated values", async () => {
    expect(await call(WeatherTool, { city: "Paris" })).toMatchObject({ data: "The weather in Paris is 21 celsius." });
  });
});

describe('seed 002, "Configuration Methods"', () => {
  it("description: the text helps the model choose the tool", async () => {
    const script = new ScriptedModel(["done"]);
    @model(script)
    @usesTools([WeatherTool])
    class WeatherAgent extends Agent {}
    await WeatherAgent.generate("hello");
    expect(script.requests[0]?.tools).toMatchObject([{ name: "weather_tool", description: "Gets the current weather for a city" }]);
  });

  it("identifier / name: defaults to the snake_case class name and can be set", () => {
    @description("Searches the knowledge base")
    @identifier("kb_search")
    class SearchTool extends Tool {
      override call() {}
    }
    expect(WeatherTool.identifier).toBe("weather_tool");
    expect(SearchTool.identifier).toBe("kb_search");
  });

  it("params: required and optional parameters in the order in which they are written", () => {
    @description("Creates an order")
    class CreateOrderTool extends Tool {
      @required(Integer, { description: "The product ID" }) product_id!: number;
      @required(Integer, { description: "Number of items" }) quantity!: number;
      @optional(String) notes?: string;
      @optional(String, { default: "normal", enum: ["low", "normal", "high"] }) priority!: "low" | "normal" | "high";
      override call() {}
    }
    expect(Object.keys(CreateOrderTool.parametersSchema.properties ?? {})).toEqual(["product_id", "quantity", "notes", "priority"]);
    expect(CreateOrderTool.parametersSchema.required).toEqual(["product_id", "quantity"]);
  });
});

describe('seed 002, "Parameter DSL"', () => {
  it("required: options are description and enum", () => {
    @description("d")
    class FormatTool extends Tool {
      @required(String, { description: "Output format", enum: ["json", "xml"] }) format!: "json" | "xml";
      override call() {}
    }
    expect(FormatTool.parametersSchema).toMatchObject({
      properties: { format: { type: "string", description: "Output format", enum: ["json", "xml"] } },
      required: ["format"],
    });
  });

  it("optional: options are description, default and enum; the default is used when no value is provided", async () => {
    @description("d")
    class LimitTool extends Tool {
      @optional(Integer, { default: 10, description: "Max results" }) limit!: number;
      @optional(String, { enum: ["json", "xml"] }) format?: "json" | "xml";
      override call() {
        return [this.limit, this.format];
      }
    }
    expect(await call(LimitTool, {})).toMatchObject({ data: [10, null] });
    expect(await call(LimitTool, { limit: 3, format: "xml" })).toMatchObject({ data: [3, "xml"] });
  });

  it("Supported Types: string, integer, number, boolean, array and object", () => {
    @description("d")
    class TypesTool extends Tool {
      @required(String) string!: string;
      @required(Integer) integer!: number;
      @required(Number) float!: number;
      @required(Boolean) boolean!: boolean;
      @required(Array) array!: unknown[];
      @required(Object) hash!: Record<string, unknown>;
      override call() {}
    }
    expect(Object.values(TypesTool.parametersSchema.properties ?? {}).map((schema) => (schema as { type: string }).type)).toEqual([
      "string",
      "integer",
      "number",
      "boolean",
      "array",
      "object",
    ]);
  });
});

describe('seed 002, "The call Method"', () => {
  it("every tool must implement call", () => {
    // The compiler can't know which classes are answered elsewhere: the first reading of the definition finds the mistake.
    class IdleTool extends Tool {}
    description("d")(IdleTool);
    expect(() => IdleTool.definition).toThrow(/IdleTool: the tool has no call method/);
  });

  it("Accessing Context: call receives what was passed as the tool context", async () => {
    @description("Gets the current user's orders")
    class UserOrdersTool extends Tool {
      override call({ userId }: ToolContext) {
        return userId === undefined ? "No user ID provided" : `orders of ${userId}`;
      }
    }
    const script = new ScriptedModel([{ toolCalls: [{ name: "user_orders_tool", arguments: {} }] }, "done"]);
    @model(script)
    @usesTools([UserOrdersTool])
    class OrdersAgent extends Agent {}
    await OrdersAgent.generate("Show my orders", { toolContext: { userId: "123" } });
    expect(toolMessages(script)).toEqual(["orders of 123"]);
    expect(await call(UserOrdersTool, {})).toMatchObject({ data: "No user ID provided" });
  });

  it("Return Values: a returned string is what the model reads", async () => {
    expect(modelText(await call(WeatherTool, { city: "Paris" }))).toBe("The weather in Paris is 21 celsius.");
  });
});

describe('seed 002, "Timeout Configuration"', () => {
  it("the default is 10 seconds, and a tool may set its own", () => {
    @description("Calls a slow external API")
    @timeout(30_000)
    class SlowExternalApiTool extends Tool {
      override call() {}
    }
    expect(WeatherTool.definition.timeout).toBe(10_000);
    expect(SlowExternalApiTool.definition.timeout).toBe(30_000);
  });

  it("a timeout is reported to the model with the type timeout_error, and the run goes on", async () => {
    @description("Never answers")
    @timeout(20)
    class HungTool extends Tool {
      override call() {
        return new Promise(() => undefined);
      }
    }
    const script = new ScriptedModel([{ toolCalls: [{ name: "hung_tool", arguments: {} }] }, "I could not reach it."]);
    @model(script)
    @usesTools([HungTool])
    class HungAgent extends Agent {}
    const response = await HungAgent.generate("go");
    expect(response.steps[0]?.toolCalls[0]?.errorType).toBe("timeout_error");
    expect(toolMessages(script)).toEqual([expect.stringMatching(/timed out after 20 ms/)]);
    expect(response.text).toBe("I could not reach it.");
  });
});

describe('seed 002, "Validation"', () => {
  it("required parameters must be present, types must match, enum values must be in the list", async () => {
    expect(await call(WeatherTool, {})).toMatchObject({ errorType: "validation_error", error: expect.stringMatching(/^city is required/) });
    expect(await call(WeatherTool, { city: 5 })).toMatchObject({ error: expect.stringMatching(/^city must be a string/) });
    expect(await call(WeatherTool, { city: "Paris", units: "kelvin" })).toMatchObject({
      error: expect.stringMatching(/^units must be one of: celsius, fahrenheit/),
    });
  });

  it("validation errors are sent back to the model as tool results, and call is not run", async () => {
    let runs = 0;
    @description("d")
    class StrictTool extends Tool {
      @required(Integer) value!: number;
      override call() {
        runs += 1;
      }
    }
    const script = new ScriptedModel([{ toolCalls: [{ name: "strict_tool", arguments: { value: "many" } }] }, "sorry"]);
    @model(script)
    @usesTools([StrictTool])
    class StrictAgent extends Agent {}
    await StrictAgent.generate("go");
    expect(toolMessages(script)).toEqual([expect.stringMatching(/^Invalid arguments: value must be an integer/)]);
    expect(runs).toBe(0);
  });
});

describe('seed 002, "JSON Schema Generation"', () => {
  it("parametersSchema is the closed object schema of the parameters", () => {
    expect(WeatherTool.parametersSchema).toEqual({
      type: "object",
      properties: {
        city: { type: "string", description: "The city name" },
        units: { type: "string", enum: ["celsius", "fahrenheit"], default: "celsius" },
      },
      required: ["city"],
      additionalProperties: false,
    });
  });
});

describe('seed 002, "Registering Tools with Agents"', () => {
  @description("Searches")
  class SearchTool extends Tool {
    override call() {}
  }
  @description("Administers")
  class AdminTool extends Tool {
    override call() {}
  }

  it("Static Registration: the model is offered the listed tools", async () => {
    const script = new ScriptedModel(["done"]);
    @model(script)
    @usesTools([WeatherTool, SearchTool])
    class MyAgent extends Agent {}
    await MyAgent.generate("hello");
    expect(script.requests[0]?.tools.map((tool) => tool.name)).toEqual(["weather_tool", "search_tool"]);
  });

  it("Dynamic Registration: a function of the context chooses the tools of the run", async () => {
    const script = new ScriptedModel(["done", "done"]);
    @model(script)
    @usesTools((context) => (context.userId === "admin" ? [SearchTool, AdminTool] : [SearchTool]))
    class MyAgent extends Agent {}
    await MyAgent.generate("hello", { toolContext: { userId: "admin" } });
    await MyAgent.generate("hello");
    expect(script.requests.map(({ tools }) => tools.map((tool) => tool.name))).toEqual([["search_tool", "admin_tool"], ["search_tool"]]);
  });
});

describe('seed 002, "Error Handling"', () => {
  it("an error in a tool is caught and reaches the model as a tool result, which it can respond to", async () => {
    @description("Calls an API")
    class ApiTool extends Tool {
      override call() {
        throw new Error("API rate limit exceeded");
      }
    }
    const script = new ScriptedModel([{ toolCalls: [{ name: "api_tool", arguments: {} }] }, "Please try later."]);
    @model(script)
    @usesTools([ApiTool])
    class ApiAgent extends Agent {}
    const response = await ApiAgent.generate("go");
    expect(toolMessages(script)).toEqual(["Error executing tool: API rate limit exceeded"]);
    expect(response.text).toBe("Please try later.");
  });
});
