import "reflect-metadata";
import { Container, Service } from "typedi";
import { Agent, type AgentResponse, instructions, maxSteps, model, usesTools } from "../../src/agent/index.js";
import { useContainer } from "../../src/execution/index.js";
import { ScriptedModel } from "../../src/models/index.js";
import {
  type ApplicationContext,
  createTool,
  description,
  identifier,
  required,
  access,
  Tool,
  type ToolContext,
} from "../../src/tool/index.js";

@description("Searches the public pages. Use for general questions.")
class PublicSearchTool extends Tool {
  call(_context: ToolContext) {
    return "public pages";
  }
}

@description("Changes settings. Use when an administrator asks.")
class AdminTool extends Tool {
  call(_context: ToolContext) {
    return "changed";
  }
}

const hello = () => new ScriptedModel(["Hello.", "Hello.", "Hello."]);

const toolNames = (scripted: ScriptedModel, request = 0) => scripted.requests[request]?.tools.map(({ name }) => name);

describe("the tools of an agent", () => {
  it('seed 002, "Static Registration": are a list', async () => {
    const scripted = hello();

    @model(scripted)
    @usesTools([PublicSearchTool, AdminTool])
    class MyAgent extends Agent {}

    await MyAgent.generate("Hi");
    expect(toolNames(scripted)).toEqual(["public_search_tool", "admin_tool"]);
  });

  it('seed 002, "Dynamic Registration": depend on the context, at each run', async () => {
    const scripted = hello();

    @model(scripted)
    @usesTools((context) => (context.userId === "admin" ? [PublicSearchTool, AdminTool] : [PublicSearchTool]))
    class MyAgent extends Agent {}

    const agent = new MyAgent();
    await agent.generate("Hi");
    await agent.generate("Hi", { toolContext: { userId: "admin" } });
    await agent.generate("Hi", { toolContext: { userId: "guest" } });
    expect(toolNames(scripted, 0)).toEqual(["public_search_tool"]);
    expect(toolNames(scripted, 1)).toEqual(["public_search_tool", "admin_tool"]);
    expect(toolNames(scripted, 2)).toEqual(["public_search_tool"]);
  });

  it("may come from an asynchronous function", async () => {
    const scripted = hello();

    @model(scripted)
    @usesTools(async () => [PublicSearchTool])
    class MyAgent extends Agent {}

    await MyAgent.generate("Hi");
    expect(toolNames(scripted)).toEqual(["public_search_tool"]);
  });

  it("may come in toolboxes, alone or beside classes", async () => {
    const scripted = hello();

    @model(scripted)
    @usesTools({ name: "search", tools: [PublicSearchTool] })
    class BoxAgent extends Agent {}

    @model(scripted)
    @usesTools([AdminTool, { name: "search", tools: [PublicSearchTool] }])
    class MixedAgent extends Agent {}

    await BoxAgent.generate("Hi");
    await MixedAgent.generate("Hi");
    expect(toolNames(scripted, 0)).toEqual(["public_search_tool"]);
    expect(toolNames(scripted, 1)).toEqual(["admin_tool", "public_search_tool"]);
  });

  it("may be chosen by a method that needs the agent's services", async () => {
    class Accounts {
      async isAdmin(userId: string | undefined) {
        return userId === "admin";
      }
    }
    const scripted = hello();

    @model(scripted)
    class MyAgent extends Agent {
      constructor(private readonly accounts: Accounts) {
        super();
      }

      override async tools({ userId }: ApplicationContext) {
        return (await this.accounts.isAdmin(userId)) ? [PublicSearchTool, AdminTool] : [PublicSearchTool];
      }
    }
    await new MyAgent(new Accounts()).generate("Hi", { toolContext: { userId: "admin" } });
    expect(toolNames(scripted)).toEqual(["public_search_tool", "admin_tool"]);
  });

  it("case 26: are hidden from the model and its hints if the context lacks their @access", async () => {
    @description("Refunds an order. Use when support agrees.")
    @access({ roles: ["support"] })
    class RefundTool extends Tool {
      call(_context: ToolContext) {
        return "refunded";
      }
    }
    const call = { toolCalls: [{ name: "refund_tool" }] };
    const scripted = new ScriptedModel([call, "Sorry.", call, "Done."]);

    @model(scripted)
    @usesTools([PublicSearchTool, RefundTool])
    class SupportAgent extends Agent {}

    const agent = new SupportAgent();
    const refused = await agent.generate("Refund it");
    expect(toolNames(scripted)).toEqual(["public_search_tool"]);
    expect(refused.steps[0]?.toolCalls[0]?.content).toBe("Unknown tool 'refund_tool'. Available tools: public_search_tool.");
    const allowed = await agent.generate("Refund it", { toolContext: { roles: ["support"] } });
    expect(allowed.steps[0]?.toolCalls[0]?.data).toBe("refunded");
  });

  it("case 62: of two agents in one process stay apart", async () => {
    const scripted = new ScriptedModel([{ toolCalls: [{ name: "admin_tool" }] }, "Sorry."]);

    @model(hello())
    @usesTools([AdminTool])
    class AdminAgent extends Agent {}

    @model(scripted)
    @usesTools([PublicSearchTool])
    class GuestAgent extends Agent {}

    await AdminAgent.generate("Hi");
    const { steps } = await GuestAgent.generate("Change it");
    expect(steps[0]?.toolCalls[0]?.errorType).toBe("unknown_tool");
  });

  it("case 61: are validated when an agent calls them", async () => {
    const seen: unknown[] = [];
    const add = createTool({
      name: "math.add",
      description: "Adds two numbers. Use when asked for a sum.",
      inputSchema: { type: "object", properties: { a: { type: "number" } }, required: ["a"] },
      execute: (input: unknown) => seen.push(input),
    });

    @model(new ScriptedModel([{ toolCalls: [{ name: "math_add", arguments: { a: "one" } }] }, "Sorry."]))
    @usesTools([add])
    class MathAgent extends Agent {}

    const { steps } = await MathAgent.generate("Add");
    expect(steps[0]?.toolCalls[0]).toMatchObject({ name: "math.add", errorType: "validation_error" });
    expect(seen).toEqual([]);
  });

  it("case 22: go to the model under legal names and are called by their own", async () => {
    const respond = createTool({
      name: "calendar.respondToEvent",
      description: "Answers an invitation. Use when the user accepts or declines.",
      inputSchema: { type: "object" },
      execute: () => "answered",
    });
    const scripted = new ScriptedModel([
      { toolCalls: [{ name: "calendar_respondToEvent" }, { name: "calendar.respondToEvent" }] },
      "Done.",
    ]);

    @model(scripted)
    @usesTools([respond])
    class CalendarAgent extends Agent {}

    const { steps } = await CalendarAgent.generate("Accept");
    expect(toolNames(scripted)).toEqual(["calendar_respondToEvent"]);
    expect(steps[0]?.toolCalls).toMatchObject([
      { name: "calendar.respondToEvent", data: "answered" },
      { name: "calendar.respondToEvent", data: "answered" },
    ]);
    expect(scripted.requests[1]?.messages.at(-1)).toMatchObject({ toolName: "calendar_respondToEvent" });
  });
});

describe("an agent class", () => {
  it("has a definition with its name, description and limits", () => {
    @model("embedded/keyword")
    @description("Knows the weather.")
    class HTTPWeatherAgent extends Agent {}

    expect(HTTPWeatherAgent.definition).toMatchObject({ name: "http_weather_agent", description: "Knows the weather.", maxSteps: 16 });
    expect(HTTPWeatherAgent.identifier).toBe("http_weather_agent");
    expect(Object.isFrozen(HTTPWeatherAgent.definition)).toBe(true);
  });

  it.each([
    ["a mark that turns the direction of text", "pay\u202eyap", "pay\\u202eyap"],
    ["a character without width", "pay\u200b", "pay\\u200b"],
    ["a line break", "pay\ntool: other", "pay\\ntool: other"],
  ])("refuses a name with %s: the person who approves its calls reads it", (_name, name, shown) => {
    @model("embedded/keyword")
    @identifier(name)
    class HidingAgent extends Agent {}

    expect(() => HidingAgent.definition).toThrow(`HidingAgent: the name "${shown}" holds characters that people don't see`);
  });

  it("inherits decorators and overrides them, and nothing leaks to its base or siblings", () => {
    @model("embedded/keyword")
    @instructions("Be brief.")
    @usesTools([PublicSearchTool])
    @maxSteps(4)
    class BaseAgent extends Agent {}

    @identifier("boss")
    @usesTools([AdminTool])
    class BossAgent extends BaseAgent {}

    class PlainAgent extends BaseAgent {}

    expect(BossAgent.definition).toMatchObject({ name: "boss", instructions: "Be brief.", tools: [AdminTool], maxSteps: 4 });
    expect(PlainAgent.definition).toMatchObject({ name: "plain_agent", tools: [PublicSearchTool] });
    expect(BaseAgent.definition).toMatchObject({ name: "base_agent", tools: [PublicSearchTool] });
  });

  it("runs without a key or a network by the embedded keyword model", async () => {
    @model("embedded/keyword")
    @usesTools([PublicSearchTool])
    class MyAgent extends Agent {}

    expect((await MyAgent.generate("Search the public pages")).outcome.reason).toBe("success");
  });

  it("may be made by a container, with services of its own, and so may its tools", async () => {
    @Service()
    class OrderService {
      find = (id: string) => `order ${id}`;
    }

    @description("Finds an order. Use when the user names one.")
    class OrderTool extends Tool {
      @required(String)
      id!: string;

      constructor(private readonly orders: OrderService) {
        super();
      }

      call() {
        return this.orders.find(this.id);
      }
    }

    @Service({ transient: true })
    @model(new ScriptedModel([{ toolCalls: [{ name: "order_tool", arguments: { id: "7" } }] }, "Here."]))
    @usesTools([OrderTool])
    class OrderAgent extends Agent {
      constructor(readonly orders: OrderService) {
        super();
      }
    }
    useContainer(Container);
    try {
      const agent = Container.get(OrderAgent);
      expect(agent.orders).toBeInstanceOf(OrderService);
      expect((await agent.generate("Order 7?")).steps[0]?.toolCalls[0]?.data).toBe("order 7");
    } finally {
      useContainer(undefined);
    }
    const other = { get: (type: new (orders: OrderService) => unknown) => new type({ find: () => "another container's order" }) };
    const scripted = new ScriptedModel([{ toolCalls: [{ name: "order_tool", arguments: { id: "7" } }] }, "Here."]);

    @model(scripted)
    @usesTools([OrderTool])
    class OtherAgent extends Agent {}

    expect((await OtherAgent.generate("Order 7?", { container: other })).steps[0]?.toolCalls[0]?.data).toBe("another container's order");
  });
});

describe("an author's mistake is reported before any model is called", () => {
  const errorOf = (use: () => unknown): string => {
    try {
      use();
    } catch (error) {
      return `${(error as Error).name}: ${(error as Error).message}`;
    }
    return "no error";
  };

  it("no model", async () => {
    class ModellessAgent extends Agent {}

    expect(errorOf(() => ModellessAgent.definition)).toMatch(
      /^AgentDefinitionError: ModellessAgent: the agent has no model.*@model\("openai/,
    );
    await expect(ModellessAgent.generate("Hi")).rejects.toThrow("no model");
  });

  it("two tools of one name, both classes named", () => {
    @description("Searches. Use for questions.")
    @identifier("admin_tool")
    class OtherAdminTool extends Tool {
      call(_context: ToolContext) {
        return "other";
      }
    }

    @model("embedded/keyword")
    @usesTools([AdminTool, OtherAdminTool])
    class TwinAgent extends Agent {}

    expect(errorOf(() => TwinAgent.definition)).toMatch(/TwinAgent: AdminTool and OtherAdminTool are both named "admin_tool".*@identifier/);
  });

  it("one tool listed twice, also by a function", async () => {
    @model(hello())
    @usesTools(() => [AdminTool, AdminTool])
    class DoubleAgent extends Agent {}

    await expect(DoubleAgent.generate("Hi")).rejects.toThrow("DoubleAgent: AdminTool is listed twice");
  });

  it("what is no tool class, and what to write instead", () => {
    class Plain {}
    const wrong: [unknown, RegExp][] = [
      [[Plain], /entry 0 of the tools is Plain, which doesn't extend Tool/],
      [[AdminTool, new PublicSearchTool()], /entry 1 of the tools is an instance of PublicSearchTool. Give the class itself/],
      [[undefined], /entry 0 of the tools is undefined, as happens if files import each other.*@usesTools\(\(\) =>/],
      [["admin_tool"], /entry 0 of the tools is "admin_tool", which isn't a tool class/],
      [AdminTool, /Write @usesTools\(\[AdminTool\]\)/],
      ["admin_tool", /tools are given as a list or a toolbox/],
      [[{ name: "box", tools: [Plain] }], /toolbox "box": entry 0 of the tools is Plain/],
    ];
    for (const [tools, message] of wrong) {
      @model("embedded/keyword")
      @usesTools(tools as never)
      class WrongAgent extends Agent {}

      expect(errorOf(() => WrongAgent.definition)).toMatch(message);
    }
  });

  it("a choice that gives no list, even after one that did", async () => {
    @model(hello())
    @usesTools((context) => (context.userId === "42" ? [AdminTool] : (undefined as never)))
    class MyAgent extends Agent {}

    const agent = new MyAgent();
    await agent.generate("Hi", { toolContext: { userId: "42" } });
    await expect(agent.generate("Hi")).rejects.toThrow(
      /MyAgent: tools are given as a list or a toolbox, got undefined. No tools are an empty list: \[\]/,
    );
  });

  it("a tool whose own definition is wrong, for a static list", () => {
    class NamelessTool extends Tool {
      call(_context: ToolContext) {
        return "";
      }
    }

    @model("embedded/keyword")
    @usesTools([NamelessTool])
    class MyAgent extends Agent {}

    expect(errorOf(() => MyAgent.definition)).toMatch(/^ToolDefinitionError: NamelessTool: the tool has no description/);
  });

  it("a step limit that counts nothing", async () => {
    for (const steps of [0, -1, 1.5, Number.NaN, "16" as never]) {
      @model(hello())
      @maxSteps(steps)
      class MyAgent extends Agent {}

      expect(errorOf(() => MyAgent.definition)).toMatch(/MyAgent: maxSteps is .*, but counts model calls.*@maxSteps\(16\)/);
    }

    @model(hello())
    class MyAgent extends Agent {}

    await expect(new MyAgent().generate("Hi", { maxSteps: 0 })).rejects.toThrow("maxSteps is 0");
  });

  it("retries and a timeout that count nothing", () => {
    const wrong: [object, RegExp][] = [
      [{ retries: -1 }, /MyAgent: retries of @model is -1, but counts further attempts/],
      [{ retries: Number.NaN }, /retries of @model is NaN/],
      [{ retries: "2" }, /retries of @model is 2/],
      [{ timeout: -1 }, /MyAgent: timeout of @model is -1, but is a number of milliseconds.*0 or Infinity means none/],
      [{ timeout: Number.NaN }, /timeout of @model is NaN/],
    ];
    for (const [settings, message] of wrong) {
      @model(hello(), settings as never)
      class MyAgent extends Agent {}

      expect(errorOf(() => MyAgent.definition)).toMatch(message);
    }
  });

  it("an unknown model", async () => {
    @model("no-such-model")
    class MyAgent extends Agent {}

    await expect(MyAgent.generate("Hi")).rejects.toThrow(/Model "no-such-model" is not known/);
  });

  it("leaves the conversation as it was", async () => {
    @model((context) => (context.userId === "42" ? hello() : (undefined as never)))
    class MyAgent extends Agent {}

    const agent = new MyAgent();
    await expect(agent.generate("Hi")).rejects.toThrow();
    expect(agent.messages).toEqual([]);
    expect((await agent.generate("Hi", { toolContext: { userId: "42" } })).text).toBe("Hello.");
  });
});

describe("types", () => {
  it("distinguish the responses by text, and by error", async () => {
    @model(hello())
    class MyAgent extends Agent {}

    const response: AgentResponse = await MyAgent.generate("Hi");
    const read = (): string => {
      if (response.text !== undefined) return response.text;
      if (response.error !== undefined) return `${response.error.modelId}: ${response.outcome.detail}`;
      return response.outcome.detail;
    };
    expect(read()).toBe("Hello.");
  });

  it("refuse decorators on what is no agent, wrong tools, and agents with services in the short form", () => {
    const never = (): void => {
      // @ts-expect-error This decorator is for classes that extend Agent.
      @model("embedded/keyword")
      class Plain {}

      // @ts-expect-error This decorator is for classes that extend Agent.
      @usesTools([AdminTool])
      class WrongTool extends AdminTool {}

      // @ts-expect-error a class is no list
      @usesTools(AdminTool)
      class ListlessAgent extends Agent {}

      // @ts-expect-error the context has no such member: resolvers are checked
      @instructions((context) => `You serve ${context.usr}.`)
      class TypoAgent extends Agent {}

      class ServedAgent extends Agent {
        constructor(readonly served: string) {
          super();
        }
      }
      // @ts-expect-error the short form can't know the services
      void ServedAgent.generate("Hi");
      void [Plain, WrongTool, ListlessAgent, TypoAgent];
    };
    expect(never).toBeInstanceOf(Function);
  });
});
