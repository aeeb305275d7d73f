import type { Tool as AnthropicSdkTool } from "@anthropic-ai/sdk/resources/messages";
import type { ChatCompletionTool } from "openai/resources/chat/completions";
import type { FunctionTool } from "openai/resources/responses/responses";
import { createRunScope, ToolExecutor } from "../../src/execution/index.js";
import { createTool, description, Integer, optional, required, Tool } from "../../src/index.js";
import { type DescribedTool, fromProviderCall, toProviderTools } from "../../src/models/provider-tools/index.js";
import type { JsonSchema } from "../../src/schema/index.js";
import { providerDialects } from "../../src/schema/internal.js";
import { callIn } from "../support/provider-calls.js";
import { namesOf, providerFaults } from "../support/provider-rules/index.js";

@description("Gets the current weather for a city.")
class WeatherTool extends Tool {
  @required(String, "The city") city!: string;
  @optional(Integer, { enum: [1, 2, 3] }) days?: number;
  override call() {
    return `${this.city} ${this.days ?? "now"}`;
  }
}

@description("Says whether the service is up.")
class PingTool extends Tool {
  override call() {
    return "pong";
  }
}

const described = (name: string, parametersSchema: object = { type: "object" }, text = `Does ${name}.`): DescribedTool => ({
  name,
  description: text,
  parametersSchema: parametersSchema as JsonSchema,
});

const city = { type: "string", description: "The city" };
const strictWeather = {
  type: "object",
  properties: { city, days: { type: ["integer", "null"], enum: [1, 2, 3, null] } },
  required: ["city", "days"],
  additionalProperties: false,
};
const weather = { name: "weather_tool", description: "Gets the current weather for a city." };

describe("toProviderTools", () => {
  it("gives OpenAI's chat completions and responses what their SDK takes, and says of each tool whether it is strict", () => {
    const chat: ChatCompletionTool[] = toProviderTools([WeatherTool], "openai-chat");
    const responses: FunctionTool[] = toProviderTools([WeatherTool], "openai-responses");

    expect(chat).toEqual([{ type: "function", function: { ...weather, parameters: strictWeather, strict: true } }]);
    expect(responses).toEqual([{ type: "function", ...weather, parameters: strictWeather, strict: true }]);
  });

  it("gives Anthropic what its SDK takes", () => {
    const tools: AnthropicSdkTool[] = toProviderTools([WeatherTool], "anthropic");

    expect(tools).toEqual([{ ...weather, input_schema: WeatherTool.parametersSchema }]);
  });

  it("gives Gemini all tools in one list, types in capitals, and no parameters if there are none", () => {
    expect(toProviderTools([WeatherTool, PingTool], "gemini")).toEqual([
      {
        functionDeclarations: [
          {
            ...weather,
            parameters: {
              type: "OBJECT",
              properties: { city: { ...city, type: "STRING" }, days: { type: "STRING", enum: ["1", "2", "3"] } },
              required: ["city"],
            },
          },
          { name: "ping_tool", description: "Says whether the service is up." },
        ],
      },
    ]);
    expect(toProviderTools([], "gemini")).toEqual([]);
  });

  it("gives Bedrock, Mistral and Ollama theirs", () => {
    const days = { type: "integer", enum: [1, 2, 3] };
    const parameters = { type: "object", properties: { city, days }, required: ["city"] };

    expect(toProviderTools([WeatherTool], "bedrock")).toEqual([
      { toolSpec: { ...weather, inputSchema: { json: WeatherTool.parametersSchema } } },
    ]);
    expect(toProviderTools([WeatherTool], "mistral")).toEqual([
      { type: "function", function: { ...weather, parameters: WeatherTool.parametersSchema } },
    ]);
    expect(toProviderTools([WeatherTool], "ollama")).toEqual([{ type: "function", function: { ...weather, parameters } }]);
    expect(toProviderTools([described("silent", {}, "")], "bedrock")[0]?.toolSpec).not.toHaveProperty("description");
  });

  it("sends no tool strict if the application says so", () => {
    expect(toProviderTools([WeatherTool], "openai-chat", { strict: false })[0]?.function).toMatchObject({
      strict: false,
      parameters: WeatherTool.parametersSchema,
    });
  });

  it("sends Anthropic strict tools only if asked, and no more than a request may hold", () => {
    const many = Array.from({ length: 30 }, (_, index) =>
      described(`tool_${index}`, { type: "object", properties: { a: { type: "string" }, b: { type: "string" } }, required: ["a"] }),
    );
    const count = (tools: readonly DescribedTool[]) =>
      toProviderTools(tools, "anthropic", { strict: true }).filter(({ strict }) => strict).length;

    expect(toProviderTools(many, "anthropic").some((tool) => "strict" in tool)).toBe(false);
    expect(count(many)).toBe(20);
    const wide = described("wide", {
      type: "object",
      properties: Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`p${index}`, { type: "string" }])),
    });
    expect(count([wide, ...many.slice(0, 2)])).toBe(2);
  });

  it("sends 872 names with dots, 15 of which collide with others, each under a name of its own", () => {
    const dotted = Array.from({ length: 872 }, (_, index) => `group.tool_${index}`);
    const taken = Array.from({ length: 15 }, (_, index) => `group_tool_${index}`);
    const tools = [...dotted, ...taken].map((name) => described(name));
    for (const dialect of providerDialects) {
      const names = namesOf(toProviderTools(tools, dialect), dialect);
      expect(new Set(names).size).toBe(887);
      expect(names.slice(872)).toEqual(taken);
      expect(namesOf(toProviderTools([...tools].reverse(), dialect), dialect).reverse()).toEqual(names);
      expect(fromProviderCall(callIn(dialect, names[3]!, {}), tools, dialect).name).toBe("group.tool_3");
    }
  });

  it("leaves out a tool that can't be sent, names it in a warning, and sends the others", () => {
    const warned: string[] = [];
    const emitWarning = jest.spyOn(process, "emitWarning").mockImplementation((warning) => void warned.push(String(warning)));
    class Broken extends Tool {
      override call() {}
    }
    const remote = described("remote", { type: "object", properties: { a: { $ref: "https://example.com/a.json" } } });
    for (const dialect of providerDialects) {
      const tools = toProviderTools([remote, Broken, WeatherTool, described("weather_tool")], dialect);
      expect(namesOf(tools, dialect)).toEqual(["weather_tool"]);
    }
    emitWarning.mockRestore();

    expect(warned).toHaveLength(3 * providerDialects.length);
    expect(warned.slice(0, 3)).toEqual([
      expect.stringMatching(/^The tool "remote" is left out for openai-chat: the schema at #\/properties\/a\/\$ref .* never fetched/),
      expect.stringMatching(/^The tool "Broken" is left out for openai-chat: .*description/),
      expect.stringMatching(/^The tool "weather_tool" is left out for openai-chat: another tool before it has the same name/),
    ]);
  });

  it("cuts a description of a megabyte, and says so in it", () => {
    for (const dialect of providerDialects) {
      const text = JSON.stringify(toProviderTools([described("long", {}, "x".repeat(2 ** 20))], dialect));
      expect(text.length).toBeLessThan(33_000);
      expect(text).toContain("[cut: 1048576 characters in all]");
    }
  });

  it("sends a recursive tool to each provider", () => {
    const node = {
      type: "object",
      properties: { name: { type: "string" }, children: { type: "array", items: { $ref: "#/$defs/Node" } } },
      required: ["name"],
    };
    const tree = described("tree", {
      type: "object",
      properties: { root: { $ref: "#/$defs/Node" }, self: { $ref: "#" } },
      $defs: { Node: node },
    });
    for (const dialect of providerDialects) {
      const tools = toProviderTools([tree], dialect);
      expect(tools).toHaveLength(1);
      expect(providerFaults(tools, dialect)).toEqual([]);
    }
  });

  it("shares what it converted, so that a second time costs little", () => {
    const [first, second] = [toProviderTools([WeatherTool], "gemini"), toProviderTools([WeatherTool], "gemini")];
    expect(second[0]?.functionDeclarations[0]?.parameters).toBe(first[0]?.functionDeclarations[0]?.parameters);
    expect(second[0]?.functionDeclarations[0]).not.toBe(first[0]?.functionDeclarations[0]);
  });
});

describe("a wrong argument of toProviderTools or fromProviderCall", () => {
  const call = { functionCall: { name: "ping_tool" } };

  it.each<[string, () => unknown, string]>([
    ["a dialect", () => toProviderTools([PingTool], "openai" as never), 'there is no dialect "openai". Known are: openai-chat,'],
    [
      "a dialect of a call",
      () => fromProviderCall(call, [PingTool], "gemni" as never),
      'there is no dialect "gemni". Did you mean "gemini"?',
    ],
    ["a class in place of a list", () => toProviderTools(PingTool as never, "gemini"), "Put it into a list: [PingTool]."],
    ["one in place of the list of a call", () => fromProviderCall(call, PingTool as never, "gemini"), "Put it into a list: [PingTool]."],
    ["an instance", () => toProviderTools([new PingTool()] as never, "gemini"), "an instance of PingTool. Give the class itself"],
    ["nothing", () => toProviderTools([undefined] as never, "gemini"), "undefined, as happens if files import each other"],
    ["an option", () => toProviderTools([PingTool], "gemini", { strct: false } as never), 'unknown option "strct". Did you mean "strict"?'],
    [
      "nothing in place of a call",
      () => fromProviderCall(undefined as never, [PingTool], "gemini"),
      "no name in this call of gemini: undefined.",
    ],
  ])("is reported: %s", (_what, mistake, message) => {
    expect(mistake).toThrow(message);
  });
});

describe("fromProviderCall", () => {
  const anyOfTextAndMap: JsonSchema = { anyOf: [{ type: "string" }, { type: "object", additionalProperties: { type: "string" } }] };
  const inputs = { gemini: { city: "Paris", days: "2" }, "openai-chat": { city: "Paris", days: 2 } };

  it.each(providerDialects)("reads a call of %s, which the executor then runs", async (dialect) => {
    const input = dialect === "gemini" ? inputs.gemini : inputs["openai-chat"];
    const call = fromProviderCall(callIn(dialect, "weather_tool", input), [PingTool, WeatherTool], dialect);

    expect(call).toEqual({ id: "call_1", name: "weather_tool", arguments: { city: "Paris", days: 2 } });
    expect(await new ToolExecutor({ tools: [WeatherTool] }).call(call, createRunScope())).toMatchObject({ data: "Paris 2" });
  });

  it("takes null of strict mode for what is left out", () => {
    const call = callIn("openai-responses", "weather_tool", { city: "Paris", days: null });
    expect(fromProviderCall(call, [WeatherTool], "openai-responses").arguments).toEqual({ city: "Paris" });
  });

  it.each(["A-17", "4711", "true", "null", "[1]"])(
    "gives a text of Gemini, %s, as it is where the tool takes texts, though it is JSON",
    (id) => {
      const find = createTool("find", "Finds orders.", { type: "object", properties: { id: anyOfTextAndMap } }, () => null);
      const read = fromProviderCall({ functionCall: { name: "find", args: { id } } }, [find], "gemini");
      expect(read.arguments).toEqual({ id });
      const map = fromProviderCall({ functionCall: { name: "find", args: { id: '{"a":"b"}' } } }, [find], "gemini");
      expect(map.arguments).toEqual({ id: { a: "b" } });
    },
  );

  it("makes up an id if the provider gives none, and takes no arguments for none", () => {
    const call = fromProviderCall({ functionCall: { name: "ping_tool" } }, [PingTool], "gemini");
    expect(call).toEqual({ id: expect.stringMatching(/^call_\w{32}$/), name: "ping_tool", arguments: {} });
  });

  it("gives text that isn't JSON as it is, which the executor reports to the model", async () => {
    const call = fromProviderCall(
      { id: "c", function: { name: "weather_tool", arguments: '{"city": "Par' } },
      [WeatherTool],
      "openai-chat",
    );
    expect(call.arguments).toBe('{"city": "Par');
    expect(await new ToolExecutor({ tools: [WeatherTool] }).call(call, createRunScope())).toMatchObject({ errorType: "validation_error" });
  });

  it("gives the name and arguments of a call of no tool as they are", () => {
    const call = fromProviderCall({ id: "c", name: "nothing", input: { a: null } }, [WeatherTool], "anthropic");
    expect(call).toEqual({ id: "c", name: "nothing", arguments: { a: null } });
  });

  it("refuses what is no call of the dialect, and says what to give", () => {
    expect(() => fromProviderCall({ choices: [] }, [WeatherTool], "openai-chat")).toThrow(
      'fromProviderCall: there is no name in this call of openai-chat: {"choices":[]}. Give one call of the response.',
    );
  });
});
