import { Inject, Service } from "typedi";
import { checkTools, type ToolFinding, type ToolRule } from "../../src/lint/index.js";
import { createRegistry, createWorkspace } from "../../src/registry/index.js";
import {
  createTool,
  deferred,
  description,
  identifier,
  input,
  optional,
  required,
  Tool,
  timeout,
  type ToolClass,
  type ToolContext,
  ToolDefinitionError,
} from "../../src/tool/index.js";
import { brave, fileToolbox, standardToolbox, webToolbox } from "../../src/tools/index.js";

const tool = (name: string, text: string, properties: object = {}): ToolClass =>
  createTool({ name, description: text, inputSchema: { type: "object", properties } as never, execute: () => name });

class AccountDto {
  @required(String, "The account's number")
  account!: string;
}

const fine = "Gets the balance of an account from the ledger. Use when the user asks how much money there is.";

/** The findings of one rule: the tools that they are about. */
const found = (rule: ToolRule, tools: readonly ToolClass[]): readonly ToolFinding[] =>
  checkTools(tools).filter((finding) => finding.rule === rule);
const isFound = (rule: ToolRule, text: string): boolean => found(rule, [tool("balance", text)]).length > 0;

it("has nothing to say of descriptions that say what a tool does, and when to use it", () => {
  expect(checkTools([tool("balance", fine, { account: { type: "string", description: "The account's number" } })])).toEqual([]);
});

it("has nothing to say of the built-in tools", () => {
  const web = webToolbox({ search: { engine: brave, apiKey: "an-api-key-of-brave" } });
  const { tools } = standardToolbox(web, fileToolbox("."));
  expect(tools).toHaveLength(7);
  expect(checkTools(tools)).toEqual([]);
});

it("reports the tool, the rule, the problem and the fix of each finding, as data", () => {
  const findings = checkTools([tool("portfolio", "Gets portfolio data", { id: { type: "string" } })]);
  expect(JSON.parse(JSON.stringify(findings))).toEqual([
    {
      tool: "portfolio",
      rule: "says-when-to-use",
      message: "The description says what the tool does, but not when to use it. A model needs both to choose.",
      fix: 'Add a sentence with the trigger: "Use when the user asks ...".',
    },
    {
      tool: "portfolio",
      rule: "not-vague",
      message: '"Gets portfolio data" is too little to choose by.',
      fix: "Say of whom or what, from which source, and when to use it.",
    },
    {
      tool: "portfolio",
      rule: "describes-parameters",
      parameter: "id",
      message: "The parameter id has no description, so that a model guesses from its name what belongs there.",
      fix: "Say in the description of id what belongs there, with its unit or form.",
    },
  ]);
});

it("throws if a definition is wrong, as everywhere", () => {
  class Undescribed extends Tool {
    call(): void {}
  }
  expect(() => checkTools([Undescribed])).toThrow(ToolDefinitionError);
});

it("has nothing to say of no tools", () => {
  expect(checkTools([])).toEqual([]);
});

describe("says-when-to-use", () => {
  it.each([
    "Gets the weather. Use when the user asks about weather.",
    "Searches the web. Use for facts that change.",
    "Calculates. Use it for any arithmetic instead of calculating yourself.",
    "Lists the windows. Use this to understand which pages are open.",
    "Writes a file. Should be used when text is to be kept.",
    "Asks a person. Call this tool only if nothing else helps.",
    "Hands the chat over whenever the user wants a person.",
  ])("takes %j", (text) => {
    expect(isFound("says-when-to-use", text)).toBe(false);
  });

  it.each([
    "Gets the weather of a city.",
    "An interface used to get orders of a customer.",
    "Sets labels. Use short forms like CA.",
    "Gets a user of the shop.",
    "Gets a user of the shop. Use when needed.",
    "Gets a user of the shop. Use it if it is necessary.",
  ])("finds %j", (text) => {
    expect(isFound("says-when-to-use", text)).toBe(true);
  });
});

describe("says-what-it-does", () => {
  it.each([
    "Returns JSON from the holdings endpoint.",
    "This function returns the median of the numbers.",
    "Outputs a table of all orders.",
  ])("finds %j, which starts with the result", (text) => {
    expect(isFound("says-what-it-does", text)).toBe(true);
  });

  it("takes the return of goods", () => {
    const goods = tool("return_order", "Return some items of a delivered order. Use when the customer sends something back.");
    expect(found("says-what-it-does", [goods])).toEqual([]);
  });
});

describe("not-too-long", () => {
  it.each([
    [1_024, false],
    [1_025, true],
  ])("of %d characters: %p", (length, expected) => {
    expect(isFound("not-too-long", fine.padEnd(length, "."))).toBe(expected);
  });
});

describe("not-vague", () => {
  it.each([
    "Helpful tool for users of the shop.",
    "Does stuff with orders of customers.",
    "Runs various operations on the ledger's accounts.",
    "Gets data.",
    "Gets data about stuff. Use when needed.",
  ])("finds %j", (text) => {
    expect(isFound("not-vague", text)).toBe(true);
  });

  it.each(["Cancels the open order of a customer.", "Refunds an order.", "Use when the user wants a refund. Refunds an order."])(
    "takes %j, which names what it is about",
    (text) => {
      expect(isFound("not-vague", text)).toBe(false);
    },
  );
});

describe("not-like-another", () => {
  const like = (...texts: string[]) =>
    found(
      "not-like-another",
      texts.map((text, index) => tool(`tool_${index}`, text)),
    );

  it("finds two that say the same in other words, once", () => {
    const findings = like("Retrieves the orders of a customer.", "Gets orders for the specified customer.");
    expect(findings).toMatchObject([
      {
        tool: "tool_1",
        message: "All that the description says, that of tool_0 says too, so that a model may choose either.",
        fix: 'Say in both when to use the other: "For ..., use tool_0 instead."',
      },
    ]);
  });

  it("finds the one that says nothing of its own", () => {
    expect(like("Gets the weather of a city in degrees.", "Gets the weather of a city.")).toMatchObject([{ tool: "tool_1" }]);
  });

  it("names three at most", () => {
    const [finding] = like("Gets city weather.", "Gets city weather.", "Gets city weather.", "Gets city weather.").slice(-1);
    expect(finding?.message).toBe(
      "All that the description says, those of tool_0, tool_1 and 1 more say too, so that a model may choose either.",
    );
  });

  it.each([
    ["another thing", "Gets an order of a customer.", "Gets an invoice of a customer."],
    ["another deed", "Creates an order of a customer.", "Cancels an order of a customer."],
    [
      "another time",
      "Gets the weather of a city now. Use when the user asks about now.",
      "Gets the forecast of the weather of a city. Use when the user asks about coming days.",
    ],
    ["much more", "Gets city weather.", "Gets city weather, pollen, tides, sunrise and the phase of the moon."],
  ])("takes two of which one says %s", (_what, one, other) => {
    expect(like(one, other)).toEqual([]);
  });

  it.each(["list_orders", "shop/list_orders", "shop_list_orders"])("takes two of which one sends to the other, here as %s", (name) => {
    const tools = [
      tool("shop/find_orders", `Finds the orders of a customer. For all of them, use ${name} instead.`),
      tool("shop/list_orders", "Finds the orders of a customer."),
    ];
    expect(found("not-like-another", tools)).toEqual([]);
  });

  it("passes over what nearly all tools of a house say", () => {
    const house = (text: string) => `This tool belongs to the trading system of the bank. It lets people trade stocks and bonds. ${text}`;
    const deeds = [
      "Opens an account.",
      "Closes a position.",
      "Lists dividends.",
      "Wires money.",
      "Finds a broker.",
      "Buys a stock at a limit.",
    ];
    expect(like(...deeds.map(house))).toEqual([]);
    expect(like(...[...deeds, "Opens the account."].map(house))).toMatchObject([{ tool: "tool_6" }]);
  });
});

describe("names-known-tools", () => {
  const known = (text: string, properties: object = {}) =>
    found("names-known-tools", [
      tool("orders", text, properties),
      tool("list_invoices", fine),
      tool("shop/find_user", fine),
      tool("search", fine),
    ]);

  it.each([
    "Lists orders. For invoices, use list_receipts instead.",
    "Lists orders. For users, use the `finder` tool.",
    "Lists orders. Call 'users/find' first.",
  ])("finds %j, if there is no such tool", (text) => {
    expect(known(text)).toHaveLength(1);
  });

  it("says which tool is missing", () => {
    expect(known("Lists orders. For invoices, use list_receipts instead.")[0]?.message).toBe(
      "The description sends the model to list_receipts, which isn't among the tools that are offered with it.",
    );
  });

  it.each([
    "Lists orders. For invoices, use list_invoices instead.",
    "Lists orders. For users, use find_user, shop/find_user or shop_find_user.",
    "Lists orders. For all else, use the `search` tool.",
    "Lists orders. Use caution, and use English instead of Latin.",
    "Lists orders. Use 'open' for those that wait, with read/write access.",
    "Lists orders. Use order_number for one of them.",
    "Lists orders. See https://example.com/list_orders for more.",
  ])("takes %j", (text) => {
    expect(known(text, { order_number: { type: "string", description: "The number" } })).toEqual([]);
  });
});

describe("declares-parameters", () => {
  const remarks = (toolClass: ToolClass) => found("declares-parameters", [toolClass]);

  it("finds a field that call reads and that is never filled", () => {
    @description(fine)
    class BalanceTool extends Tool {
      @required(String, "The account's number")
      account!: string;

      currency!: string;

      call() {
        return `${this.account} in ${this.currency}`;
      }
    }
    expect(remarks(BalanceTool)).toEqual([
      {
        tool: "balance_tool",
        rule: "declares-parameters",
        message: "call reads this.currency, which isn't a parameter, and the class never sets it: it is undefined in every call.",
        fix: 'Declare it: @required(String, "What belongs there") currency!: string, with its own type.',
        parameter: "currency",
      },
    ]);
  });

  it("finds an argument of call that would be the context, if the compiler emits no types", () => {
    class BalanceTool extends Tool {
      call(account: string) {
        return `The balance of ${account}`;
      }
    }
    description(fine)(BalanceTool);
    expect(remarks(BalanceTool)).toEqual([
      {
        tool: "balance_tool",
        rule: "declares-parameters",
        message: 'call takes "account", but receives the context there: a parameter without a decorator isn\'t an argument.',
        fix: 'Make it a field: @required(String, "What belongs there") account!: string, which call reads as this.account. If it is the context, name it so.',
        parameter: "account",
      },
    ]);
  });

  it("finds arguments that call takes out of the context", () => {
    @description(fine)
    class WeatherTool extends Tool {
      async call({ city, units: unit = "celsius" }: { city: string; units?: string }) {
        return `Sunny in ${city}, in ${unit}`;
      }
    }
    expect(remarks(WeatherTool)).toMatchObject([
      {
        message: 'call takes "city" out of the context, which has the application\'s values and no argument: it is undefined.',
        fix: 'Make it a field: @required(String, "What belongs there") city!: string, which call reads as this.city. If your context has it, write call(context) and read context.city.',
        parameter: "city",
      },
      { parameter: "units" },
    ]);
  });

  it("finds a declared parameter that call takes as an argument", () => {
    class WeatherTool extends Tool {
      call({ city }: { city: string }) {
        return `Sunny in ${city}`;
      }
    }
    required(String, "The city")(WeatherTool.prototype, "city" as never);
    description(fine)(WeatherTool);
    class PlainTool extends Tool {
      call(city: string) {
        return `Sunny in ${city}`;
      }
    }
    required(String, "The city")(PlainTool.prototype, "city" as never);
    description(fine)(PlainTool);
    expect(remarks(WeatherTool)).toMatchObject([{ fix: "Read this.city instead.", parameter: "city" }]);
    expect(remarks(PlainTool)).toMatchObject([
      { fix: expect.stringContaining("Read this.city, and remove the parameter."), parameter: "city" },
    ]);
  });

  it("finds an object of all arguments", () => {
    @description(fine)
    class WeatherTool extends Tool {
      call(input: { city: string }) {
        return `Sunny in ${input.city}`;
      }
    }
    expect(remarks(WeatherTool)).toMatchObject([{ parameter: "input" }]);
  });

  it("says nothing of what call takes out of the context rightly", () => {
    @description(fine)
    class WhoTool extends Tool {
      call({ runId, userId, tenant, catalogue }: ToolContext & { tenant: string; catalogue: { size: number } }) {
        return [runId, userId, tenant, catalogue.size];
      }
    }
    @description(fine)
    class RegionTool extends Tool {
      @optional(String, "The region, if another than the caller's") region?: string;

      call({ region }: ToolContext & { region: string }) {
        return this.region ?? region;
      }
    }
    expect([...remarks(WhoTool), ...remarks(RegionTool)]).toEqual([]);
  });

  it("says nothing of services, however they come, nor of what the class sets itself", () => {
    @Service()
    class Ledger {
      sum = () => 3;
    }

    @description(fine)
    class BalanceTool extends Tool {
      @Inject(() => Ledger) injected!: Ledger;
      @input(AccountDto) dto!: AccountDto;
      ledger!: Ledger;
      readonly currency = "euro";
      unit: string;
      count!: number;
      readonly #rate = 2;

      constructor(readonly rates: Ledger) {
        super();
        this.unit = "cent";
      }

      get name() {
        return "balance";
      }

      call() {
        this.count = 1; // this.comment is no field
        return [this.injected, this.dto, this.currency, this.unit, this.rates, this.name, this.#rate, this.count, this.ledger.sum()];
      }
    }

    class EuroTool extends BalanceTool {
      override call() {
        return [this.currency, this.unit, this.rates] as never;
      }
    }
    expect([...remarks(BalanceTool), ...remarks(EuroTool)]).toEqual([]);
  });

  it("says nothing of an initializer that a compiler turned into a call", () => {
    class BalanceTool extends Tool {
      call() {
        return (this as unknown as { unit: string }).unit;
      }
    }
    description(fine)(BalanceTool);
    expect(remarks(BalanceTool)).toHaveLength(1);

    const define = (target: object, name: string, value: unknown) => Object.defineProperty(target, name, { value, configurable: true });
    class CompiledTool extends BalanceTool {
      constructor() {
        super();
        define(this, "unit", "cent");
      }
    }
    expect(remarks(CompiledTool)).toEqual([]);
  });

  it("says nothing of a context, by whatever name it is used as one", () => {
    const calls = [
      class extends Tool {
        call(context: ToolContext) {
          return String(context);
        }
      },
      class extends Tool {
        async call(given: ToolContext) {
          return given.runId;
        }
      },
      class extends Tool {
        call(given: ToolContext) {
          const { runId } = given;
          return runId;
        }
      },
      class extends Tool {
        call({ runId }: ToolContext) {
          return runId;
        }
      },
      class extends Tool {
        call(_unused: ToolContext) {
          return 1;
        }
      },
    ];
    for (const toolClass of calls) {
      identifier("balance")(toolClass);
      description(fine)(toolClass);
      expect(remarks(toolClass)).toEqual([]);
    }
  });
});

describe("describes-parameters", () => {
  class Address {
    @required(String)
    street!: string;

    @optional(String, "Digits alone")
    zip?: string;
  }

  class Node {
    @required(String, "What it says")
    text!: string;

    @optional([() => Node])
    children?: Node[];
  }

  it("finds parameters, properties of nested objects and of lists, by their paths", () => {
    @description(fine)
    class BalanceTool extends Tool {
      @required(Address, "Where it is sent")
      address!: Address;

      @required([Address])
      others!: Address[];

      @optional(Node, "A tree")
      tree?: Node;

      call(): void {}
    }
    expect(found("describes-parameters", [BalanceTool]).map(({ parameter }) => parameter)).toEqual([
      "address.street",
      "others",
      "others[].street",
      "tree.children",
    ]);
  });

  it("looks where a schema refers to, and is not held up by circles and references to nowhere", () => {
    const findings = found("describes-parameters", [
      createTool({
        name: "balance",
        description: fine,
        inputSchema: {
          type: "object",
          properties: { account: { $ref: "#/$defs/account" }, other: { anyOf: [{ $ref: "#/$defs/account" }, { type: "null" }] } },
          $defs: {
            account: {
              type: "object",
              description: "An account",
              properties: { parent: { $ref: "#/$defs/account" }, note: { type: "string" } },
            },
          },
        },
        execute: () => 1,
      }),
    ]);
    expect(findings.map(({ parameter }) => parameter)).toEqual(["account.note", "other"]);
  });

  it("takes an empty description for none", () => {
    expect(found("describes-parameters", [tool("balance", fine, { account: { type: "string", description: " " } })])).toHaveLength(1);
  });
});

describe("has-portable-names", () => {
  const described = { type: "string", description: "What it is" };

  it.each([
    ["get.weather", "OpenAI, Anthropic and Bedrock take only letters, digits, _ and - in a name"],
    ["wetter_für_städte", "OpenAI, Anthropic and Bedrock take only letters"],
    ["2fa", "Gemini takes only names that begin with a letter or _."],
    ["w".repeat(65), "The name has 65 characters."],
  ])("finds the name %s", (name, message) => {
    expect(found("has-portable-names", [tool(name, fine)])[0]?.message).toContain(message);
  });

  it.each([
    ["Content-Type", "Gemini takes only letters, digits and _ in the names of parameters"],
    ["año", "Anthropic refuses a request with a parameter such as año"],
    ["filter[name]", "Anthropic refuses a request"],
  ])("finds the parameter %s", (name, message) => {
    expect(found("has-portable-names", [tool("balance", fine, { [name]: described })])).toMatchObject([
      { parameter: name, message: expect.stringContaining(message) },
    ]);
  });

  it("takes the full names of a registry, whose slashes the wire replaces", () => {
    const project = createWorkspace({ organisation: "acme" })
      .toolbox("bank")
      .addTool(tool("balance", fine, { account: described }))
      .build();
    expect(checkTools(createRegistry({ organisation: project }).select("acme/*"))).toEqual([]);
  });
});

describe("fits-into-request", () => {
  const toolsOf = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      createTool({ name: `balance_${index}`, description: fine, inputSchema: { type: "object" }, execute: () => index }),
    );

  it("finds more than 128 tools that are offered together, at the 129th", () => {
    expect(found("fits-into-request", toolsOf(128))).toEqual([]);
    expect(found("fits-into-request", toolsOf(131))).toEqual([
      {
        tool: "balance_128",
        rule: "fits-into-request",
        message:
          "131 tools are offered together: OpenAI, Azure and Groq reject a request with more than 128, Gemini one with more than 512.",
        fix: "Offer fewer at a time: defer tools with @deferred(), or use a resolver of @usesTools, a profile, or prepareStep.",
      },
    ]);
  });

  it("doesn't count deferred tools", () => {
    expect(
      found("fits-into-request", [
        ...toolsOf(128),
        ...toolsOf(200)
          .slice(128)
          .map((tool) => deferred(tool)),
      ]),
    ).toEqual([]);
  });
});

describe("has-timeout-in-milliseconds", () => {
  const withTimeout = (milliseconds: number) => createTool({ ...config, timeout: milliseconds });
  const config = { name: "balance", description: fine, inputSchema: { type: "object" }, execute: () => 1 } as const;
  const rule = "has-timeout-in-milliseconds";

  it("finds @timeout(30), and says what to write", () => {
    @description(fine)
    @timeout(30)
    class BalanceTool extends Tool {
      override call() {
        return 1;
      }
    }
    expect(found(rule, [BalanceTool])).toEqual([
      {
        tool: "balance_tool",
        rule,
        message: "The timeout is 30 ms, which reads like seconds: nearly every call would time out.",
        fix: "If 30 seconds are meant, write @timeout(30_000), or timeout: 30_000. Otherwise raise it to at least 200 ms.",
      },
    ]);
  });

  it.each([0.5, 5, 60, 120])("finds a timeout of %d in createTool", (milliseconds) => {
    expect(found(rule, [withTimeout(milliseconds)])).toHaveLength(1);
  });

  it.each([0, 200, 5_000, Number.POSITIVE_INFINITY])("takes a timeout of %d", (milliseconds) => {
    expect(found(rule, [withTimeout(milliseconds)])).toEqual([]);
  });
});
