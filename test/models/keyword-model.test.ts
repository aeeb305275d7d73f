import fc from "fast-check";
import { type ChatRequest, KeywordModel, type Message, type ModelDelta, type ModelTool } from "../../src/models/index.js";
import type { JsonSchema } from "../../src/schema/index.js";

/** A Wednesday. */
const now = () => new Date(2025, 0, 15, 12);
const model = new KeywordModel({ now });

const object = (properties: Record<string, JsonSchema>, required: readonly string[] = []): JsonSchema => ({
  type: "object",
  properties,
  required,
});
const tool = (name: string, description: string, properties: Record<string, JsonSchema>, required: readonly string[] = []): ModelTool => ({
  name,
  description,
  parameters: object(properties, required),
});

const weather = tool(
  "get_weather",
  "Gets the current weather for a city.",
  {
    city: { type: "string", description: "The city name" },
    units: { type: "string", enum: ["celsius", "fahrenheit"], default: "celsius" },
  },
  ["city"],
);
const email = tool("send_email", "Sends an email to a person.", { recipient: { type: "string" }, subject: { type: "string" } }, [
  "recipient",
]);
const order = tool(
  "cancel_order",
  "Cancels an order that has not been shipped.",
  { order_id: { type: "string" }, reason: { type: "string" } },
  ["order_id"],
);
const everything = [weather, email, order];

const ask = (content: string, tools: readonly ModelTool[] = everything) => model.generate({ messages: [{ role: "user", content }], tools });

/** The calls for a sentence, as `[name, arguments]`. */
async function callsFor(content: string, tools?: readonly ModelTool[]): Promise<[string, unknown][]> {
  const { toolCalls } = await ask(content, tools);
  return toolCalls.map((call) => [call.name, JSON.parse(call.arguments)]);
}

/** The arguments that are read from a sentence for a tool of these parameters, all of them required. */
async function read(sentence: string, properties: Record<string, JsonSchema>, required = Object.keys(properties)): Promise<unknown> {
  const response = await ask(`Use the helper, ${sentence}`, [tool("helper", "The helper to use.", properties, required)]);
  return response.toolCalls[0] ? JSON.parse(response.toolCalls[0].arguments) : response.text;
}

describe("the embedded keyword model chooses a tool", () => {
  it.each([
    ["What is the weather in Paris?", "get_weather"],
    ["Send an email to ann@example.com", "send_email"],
    ["Please cancel my order #W5442520", "cancel_order"],
  ])("by the words of %j: %s", async (sentence, name) => {
    expect((await callsFor(sentence))[0]?.[0]).toBe(name);
  });

  it("by words in other forms, and by names in any spelling", async () => {
    const tools = [tool("convertCurrency", "Money from one currency into another.", {}), tool("list.cities", "All cities.", {})];

    expect(await callsFor("I was converting currencies", tools)).toEqual([["convertCurrency", {}]]);
    expect(await callsFor("Which city?", [...tools, tool("list.users", "All users.", {})])).toEqual([["list.cities", {}]]);
  });

  it("by the words that few of the tools have", async () => {
    const tools = ["alarm", "reminder", "meeting"].map((what) => tool(`find_${what}`, `Finds a ${what} of the user.`, {}));

    expect(await callsFor("Find me the reminder of the user", tools)).toEqual([["find_reminder", {}]]);
  });

  it("and makes several calls if the parts of a sentence fit different tools", async () => {
    expect(await callsFor("Cancel order #W5442520 and get the weather in Oslo")).toEqual([
      ["cancel_order", { order_id: "#W5442520" }],
      ["get_weather", { city: "Oslo" }],
    ]);
  });

  it("and says plainly what it is where none fits", async () => {
    const { text, toolCalls, finishReason } = await ask("Tell me a joke");

    expect(toolCalls).toEqual([]);
    expect(finishReason).toBe("stop");
    expect(text).toBe(
      "I am the embedded keyword model, not a language model: I only match words with tools. None of these fits: get_weather, send_email, cancel_order.",
    );
    expect((await ask("Hello", [])).text).toContain("There are no tools here.");
  });
});

describe("the embedded keyword model reads arguments", () => {
  it.each<[string, Record<string, JsonSchema>, unknown]>([
    ["the weather in Buenos Aires", { city: { type: "string" } }, { city: "Buenos Aires" }],
    ["a place in San Francisco, CA please", { location: { type: "string" } }, { location: "San Francisco, CA" }],
    ["time in Sydney, Australia", { city: { type: "string" }, country: { type: "string" } }, { city: "Sydney", country: "Australia" }],
    ["fly from Berlin to Rome", { origin: { type: "string" }, destination: { type: "string" } }, { origin: "Berlin", destination: "Rome" }],
    ["fly to Rome from Berlin", { origin: { type: "string" }, destination: { type: "string" } }, { origin: "Berlin", destination: "Rome" }],
  ])("that are names: %s", async (sentence, properties, expected) => {
    expect(await read(sentence, properties)).toEqual(expected);
  });

  it.each<[string, Record<string, JsonSchema>, unknown]>([
    ["a room for 3 nights and 2 guests", { guests: { type: "integer" }, nights: { type: "integer" } }, { guests: 2, nights: 3 }],
    ["book two rooms", { rooms: { type: "integer" } }, { rooms: 2 }],
    ["a loan of $250,000.50", { amount: { type: "number" } }, { amount: 250000.5 }],
    ["a temperature of -4.5 degrees", { temperature: { type: "number" } }, { temperature: -4.5 }],
    ["a budget of $1.5 million", { budget: { type: "number" } }, { budget: 1500000 }],
    ["an interest rate of 5%", { interest_rate: { type: "number" } }, { interest_rate: 0.05 }],
    ["brightness of 60%", { brightness: { type: "integer" } }, { brightness: 60 }],
    ["the values [1, 2.5, -3]", { values: { type: "array", items: { type: "number" } } }, { values: [1, 2.5, -3] }],
    ["the numbers 4, 5 and 6", { numbers: { type: "array", items: { type: "integer" } } }, { numbers: [4, 5, 6] }],
  ])("that are numbers: %s", async (sentence, properties, expected) => {
    expect(await read(sentence, properties)).toEqual(expected);
  });

  it("and takes no fraction for a whole number", async () => {
    expect(await read("level 2.5", { level: { type: "integer" } })).toContain("I still need: level");
  });

  it("and takes a number out of range if none in range is said, so that the refusal can say what is wrong", async () => {
    const people: JsonSchema = { type: "integer", minimum: 1, maximum: 8, description: "The number of people" };
    const party = object({ people, name: { type: "string" } }, ["people", "name"]);

    expect(await read('a table for 12 people under the name "Ada"', { party })).toEqual({ party: { people: 12, name: "Ada" } });
    expect(await read("a table for 12", { people })).toEqual({ people: 12 });
    expect(await read("12 or 4", { people })).toEqual({ people: 4 });
  });

  it.each<[string, Record<string, JsonSchema>, unknown]>([
    ["the page https://example.com/a?b=1.", { url: { type: "string" } }, { url: "https://example.com/a?b=1" }],
    ["write to ann.lee@example.co.uk, please", { email: { type: "string" } }, { email: "ann.lee@example.co.uk" }],
    ["open the file /tmp/report.pdf", { path: { type: "string" } }, { path: "/tmp/report.pdf" }],
    ["ticket A-17", { ticket_id: { type: "string" } }, { ticket_id: "A-17" }],
    ["please. Refund order A-17", { order: { type: "string" } }, { order: "A-17" }],
    ["please. Refund order 17", { order: { type: "string" } }, { order: "17" }],
    ["please. Paris it is", { city: { type: "string" } }, { city: "Paris" }],
    [
      "a server with nickname 'PG1' and host '10.0.0.7'",
      { host: { type: "string" }, nickname: { type: "string" } },
      { host: "10.0.0.7", nickname: "PG1" },
    ],
    ["a note titled \"Milk, eggs and 'more'\"", { title: { type: "string" } }, { title: "Milk, eggs and 'more'" }],
    ["post a message saying the build is green", { message: { type: "string" } }, { message: "the build is green" }],
    ["12 * (3 + 4.5) - 2^3, please", { expression: { type: "string" } }, { expression: "12 * (3 + 4.5) - 2^3" }],
    ["search the web for pizza in Rome, 3 results", { query: { type: "string" } }, { query: "pizza in Rome, 3 results" }],
    ["the time in Europe/Berlin", { timezone: { type: "string" } }, { timezone: "Europe/Berlin" }],
    ["the weather in paris", { city: { type: "string" } }, { city: "paris" }],
    ["visit Paris, Rome and Oslo", { cities: { type: "array", items: { type: "string" } } }, { cities: ["Paris", "Rome", "Oslo"] }],
  ])("that are texts: %s", async (sentence, properties, expected) => {
    expect(await read(sentence, properties)).toEqual(expected);
  });

  it.each([
    ["on March 5th, 2023", "2023-03-05"],
    ["on the 5th of march 2023", "2023-03-05"],
    ["on 2023-03-05", "2023-03-05"],
    ["on 13/3/2023", "2023-03-13"],
    ["on 3 April", "2025-04-03"],
    ["tomorrow", "2025-01-16"],
    ["next friday", "2025-01-17"],
  ])("that are dates: %s is %s", async (words, date) => {
    expect(await read(words, { date: { type: "string", format: "date" } })).toEqual({ date });
  });

  it.each([
    ["at 2025-03-04T09:00:00Z", "2025-03-04T09:00:00Z"],
    ["at 2025-03-04T09:00:00.5+02:00", "2025-03-04T09:00:00.5+02:00"],
    ["at 2025-03-04T09:00", "2025-03-04T09:00:00Z"],
    ["tomorrow", "2025-01-16T00:00:00Z"],
    ["tomorrow at 9 am", "2025-01-16T09:00:00Z"],
    ["at 14:30 on March 5th, 2023", "2023-03-05T14:30:00Z"],
  ])("that are timestamps: %s is %s", async (words, start) => {
    expect(await read(`an event ${words}`, { start: { type: "string", format: "date-time" } })).toEqual({ start });
  });

  it("and keeps a timestamp as it is said, or the date of it where only a date is wanted", async () => {
    const sentence = 'an event titled "Standup" at 2025-03-04T09:00:00Z';
    const title: JsonSchema = { type: "string" };

    expect(await read(sentence, { start: { type: "string" }, title })).toEqual({ start: "2025-03-04T09:00:00Z", title: "Standup" });
    expect(await read(sentence, { day: { type: "string", format: "date" }, title })).toEqual({ day: "2025-03-04", title: "Standup" });
  });

  it("and writes a date in the form that the description asks for, but reads none that doesn't exist", async () => {
    expect(await read("on March 5th, 2023", { date: { type: "string", description: "The day, as DD/MM/YYYY" } })).toEqual({
      date: "05/03/2023",
    });
    expect(await read("2023-02-31", { date: { type: "string", format: "date" } })).not.toMatchObject({ date: "2023-03-03" });
  });

  it("that are times of day", async () => {
    expect(await read("wake me at 7:30 pm", { time: { type: "string" } })).toEqual({ time: "19:30" });
  });

  it.each([
    ["in Fahrenheit", { units: "fahrenheit" }],
    ["in whatever you like", {}],
  ])("that are values of a list, only if they are named: %s", async (words, expected) => {
    expect(await callsFor(`Weather in Paris ${words}`)).toEqual([["get_weather", { city: "Paris", ...expected }]]);
  });

  it.each([
    ["with wifi", { wifi: true }],
    ["without wifi", { wifi: false }],
    ["please", {}],
  ])("that are booleans, only if they are mentioned: %s", async (words, expected) => {
    expect(await read(words, { wifi: { type: "boolean" } }, [])).toEqual(expected);
  });

  it("that are booleans written as texts", async () => {
    const parking: JsonSchema = { type: "string", enum: ["True", "False"] };

    expect(await read("a hotel with parking", { parking })).toEqual({ parking: "True" });
    expect(await read("a hotel without parking", { parking })).toEqual({ parking: "False" });
  });

  it("of nested objects field by field", async () => {
    const properties: Record<string, JsonSchema> = {
      address: object({ city: { type: "string" }, zip: { type: "string" } }, ["city"]),
      floors: { type: "integer" },
    };

    expect(await read("a house with 2 floors in Boston, zip 02134", properties, ["address"])).toEqual({
      address: { city: "Boston", zip: "02134" },
      floors: 2,
    });
  });

  it("through references and alternatives, even if a schema refers to itself", async () => {
    const category: JsonSchema = { type: "object", properties: { name: { type: "string" }, parent: { $ref: "#/$defs/category" } } };
    const parameters: JsonSchema = {
      type: "object",
      $defs: { category, circle: { $ref: "#/$defs/circle" } },
      properties: {
        category: { $ref: "#/$defs/category" },
        limit: { anyOf: [{ type: "null" }, { type: "integer" }] },
        circle: { $ref: "#/$defs/circle" },
      },
    };
    const listing = { name: "list_products", description: "Lists products.", parameters };

    expect(await callsFor("List products with limit 5 in the category named 'Toys'", [listing])).toEqual([
      ["list_products", { category: { name: "Toys" }, limit: 5 }],
    ]);
  });

  it("and gives an optional parameter no value that merely would fit", async () => {
    expect(
      await read("the weather in Paris", { city: { type: "string" }, artist: { type: "string" }, count: { type: "integer" } }, ["city"]),
    ).toEqual({ city: "Paris" });
  });
});

describe("the embedded keyword model keeps up a conversation", () => {
  const user = (content: string): Message => ({ role: "user", content });
  const called = (id: string, name: string, parameters: object): Message => ({
    role: "assistant",
    content: "",
    toolCalls: [{ id, name, arguments: JSON.stringify(parameters) }],
  });
  const result = (id: string, name: string, content: string, errorType?: string): Message => ({
    role: "tool",
    toolCallId: id,
    toolName: name,
    content,
    ...(errorType !== undefined && { errorType }),
  });
  const next = (...messages: Message[]) => model.generate({ messages, tools: everything });

  it("asks for a required argument that it can't find, and calls the tool when the answer comes", async () => {
    const question = await next(user("How is the weather?"));
    expect(question.text).toBe("To call get_weather I still need: city (The city name)");

    const answered = await next(user("How is the weather?"), { role: "assistant", content: question.text }, user("Lima"));
    expect(answered.toolCalls).toMatchObject([{ name: "get_weather", arguments: '{"city":"Lima"}' }]);
  });

  it("names the allowed values when it asks for one of them", async () => {
    const lamp = tool("lamp", "Switches the lamp.", { state: { type: "string", enum: ["bright", "dim"] } }, ["state"]);

    expect((await ask("Switch the lamp", [lamp])).text).toBe("To call lamp I still need: state (one of bright, dim)");
  });

  it("repeats what the tools answered, in order, and reports a failure in a sentence", async () => {
    const response = await next(
      user("Weather in Paris and Rome"),
      {
        role: "assistant",
        content: "",
        toolCalls: ["Paris", "Rome"].map((city, index) => ({
          id: `call_${index}`,
          name: "get_weather",
          arguments: JSON.stringify({ city }),
        })),
      },
      result("call_0", "get_weather", "Sunny in Paris."),
      result("call_1", "get_weather", "Error executing tool: no station", "execution_error"),
    );

    expect(response).toMatchObject({ text: "Sunny in Paris.\nget_weather failed: no station.", toolCalls: [], finishReason: "stop" });
  });

  it("names the tool that overran its time", async () => {
    const response = await next(
      user("Weather in Paris"),
      called("call_1", "get_weather", { city: "Paris" }),
      result("call_1", "get_weather", "Tool execution timed out after 200 ms. It may have finished its work.", "timeout_error"),
    );

    expect(response.text).toBe("get_weather failed: timed out after 200 ms. It may have finished its work.");
  });

  it("corrects a refused value once, if the error names the allowed ones, and reports the second refusal", async () => {
    const refusal = "Invalid arguments: units must be one of: celsius, fahrenheit";
    const reported = "get_weather refused the arguments: units must be one of: celsius, fahrenheit.";
    const first = [
      user("Weather in Paris"),
      called("call_1", "get_weather", { city: "Paris", units: "Celsius" }),
      result("call_1", "get_weather", refusal, "validation_error"),
    ];
    const corrected = await next(...first);
    const again = await next(
      ...first,
      called("call_2", "get_weather", { city: "Paris", units: "celsius" }),
      result("call_2", "get_weather", refusal, "validation_error"),
    );

    expect(corrected.toolCalls).toEqual([{ id: "call_2", name: "get_weather", arguments: '{"city":"Paris","units":"celsius"}' }]);
    expect(again).toMatchObject({ text: reported, toolCalls: [] });
  });

  it("reports a refusal that it can't correct", async () => {
    const refusal = "Invalid arguments: units must be one of: celsius, fahrenheit";
    const reported = "get_weather refused the arguments: units must be one of: celsius, fahrenheit.";
    const response = await next(
      user("Weather"),
      called("call_1", "get_weather", { city: "Paris", units: "kelvin" }),
      result("call_1", "get_weather", refusal, "validation_error"),
    );

    expect(response).toMatchObject({ text: reported, toolCalls: [] });
  });

  it("never uses a call id twice in a conversation", async () => {
    const response = await next(
      user("Weather in Paris"),
      called("call_1", "get_weather", { city: "Paris" }),
      result("call_1", "get_weather", "Sunny."),
      user("Weather in Rome"),
    );

    expect(response.toolCalls[0]?.id).toBe("call_2");
  });

  it("gives the same answer to the same request", async () => {
    const request: ChatRequest = { messages: [user("Send an email to bob@example.com about the weather tomorrow")], tools: everything };

    expect(await model.generate(request)).toEqual(await new KeywordModel({ now }).generate(request));
  });
});

describe("whatever it reads, the embedded keyword model", () => {
  const anything = tool(
    "anything",
    "Takes anything: a city, a date, a number.",
    {
      city: { type: "string" },
      count: { type: ["integer", "null"] },
      dates: { type: "array", items: { type: "string", format: "date" } },
      flag: { type: "boolean" },
      __proto: { type: "object", properties: { constructor: { type: "string" as const } } },
    },
    ["city"],
  );

  it("answers with a text or with calls whose arguments are JSON objects of declared names", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string({ unit: "binary", maxLength: 200 }),
          fc.string({ unit: fc.constantFrom(..."'\"[],.:#@/-_1aA é\n%$"), maxLength: 200 }),
        ),
        async (text) => {
          const { toolCalls, text: answer } = await ask(`anything ${text}`, [anything]);
          expect(toolCalls.length > 0 || answer !== "").toBe(true);
          for (const call of toolCalls) {
            expect(Object.keys(anything.parameters.properties ?? {})).toEqual(
              expect.arrayContaining(Object.keys(JSON.parse(call.arguments))),
            );
          }
        },
      ),
    );
  });

  it("takes schemas of any shape", async () => {
    const odd: ModelTool = {
      name: "odd",
      description: "An odd tool.",
      parameters: {
        type: "object",
        properties: {
          any: true,
          none: {},
          list: { type: "array" },
          tuple: { type: "array", items: [{ type: "string" }] },
          nothing: { type: ["null"] },
        },
        required: ["absent"],
      },
    };

    expect((await ask("the odd tool with any list of Paris", [odd])).toolCalls).toHaveLength(1);
  });

  it.each(["'", "[1,[", "#A1", "A ", "1,", "a@", "Paris, ", " "])("ends soon on a long text of %j", async (unit) => {
    const { toolCalls } = await ask(`Weather in Paris. ${unit.repeat(100_000 / unit.length)}`);

    expect(toolCalls.length).toBeLessThanOrEqual(1);
  });
});

describe("the embedded keyword model does what the request says", () => {
  const request = (content: string, rest: Partial<ChatRequest>): ChatRequest => ({
    messages: [{ role: "user", content }],
    tools: everything,
    ...rest,
  });

  it("of tools: none is called if toolChoice is none", async () => {
    const response = await model.generate(request("What is the weather in Paris?", { toolChoice: "none" }));

    expect(response).toMatchObject({ toolCalls: [], text: expect.stringContaining("not a language model") });
  });

  it("of tools: one is called if one is required, with what was found of its arguments", async () => {
    const [call] = (await model.generate(request("Send an email", { toolChoice: "required" }))).toolCalls;
    expect(call).toMatchObject({ name: "send_email", arguments: "{}" });

    expect((await model.generate(request("Good morning!", { toolChoice: "required" }))).toolCalls).toHaveLength(1);
  });

  it("of tools: the named one is called, whatever the words say", async () => {
    const { toolCalls } = await model.generate(request("What is the weather in Paris?", { toolChoice: { tool: "cancel_order" } }));

    expect(toolCalls.map((call) => call.name)).toEqual(["cancel_order"]);
  });

  it("of the answer's form: JSON of the schema, from the words of the answer and of the user", async () => {
    const { text } = await model.generate({
      messages: [
        { role: "user", content: "What is the weather in Paris?" },
        { role: "assistant", content: "", toolCalls: [{ id: "c1", name: "get_weather", arguments: '{"city":"Paris"}' }] },
        { role: "tool", toolCallId: "c1", toolName: "get_weather", content: "Sunny, 21 degrees" },
      ],
      tools: everything,
      responseFormat: { name: "report", schema: object({ city: { type: "string" }, degrees: { type: "number" } }, ["city", "degrees"]) },
    });

    expect(JSON.parse(text)).toEqual({ city: "Paris", degrees: 21 });
  });

  it("of the answer's form: a text that isn't found is the whole answer, a number that isn't found is left out", async () => {
    const schema = object({ number: { type: "number" }, email: { type: "string" } }, ["number", "email"]);
    const { text } = await model.generate(request("hello", { tools: [], responseFormat: { name: "remark", schema } }));

    expect(JSON.parse(text)).toEqual({ email: expect.stringContaining("I am the embedded keyword model") });
  });

  it("of listening: it streams its answer by words, and the arguments of its calls", async () => {
    const deltas: ModelDelta[] = [];
    const listening = { onDelta: (delta: ModelDelta) => void deltas.push(delta) };
    const { text } = await model.generate(request("Hello", listening));
    expect(deltas.length).toBeGreaterThan(5);
    expect(deltas.map((delta) => delta.type === "text" && delta.text).join("")).toBe(text);

    deltas.length = 0;
    const { toolCalls } = await model.generate(request("What is the weather in Paris?", listening));
    expect(deltas.map((delta) => delta.type === "tool_call" && delta.arguments).join("")).toBe(toolCalls[0]?.arguments);
  });

  it("of images: it reads the text beside them", async () => {
    const content = [
      { type: "text", text: "What is the weather in Paris?" },
      { type: "image", mediaType: "image/png", data: "" },
    ] as const;

    expect((await model.generate({ messages: [{ role: "user", content }], tools: everything })).toolCalls).toHaveLength(1);
  });
});

describe("with deferred tools", () => {
  const search = tool("search_tools", "Finds tools that you don't see yet.", { query: { type: "string" } }, ["query"]);
  const question: Message = { role: "user", content: "Weather in Paris?" };
  const found: readonly Message[] = [
    question,
    { role: "assistant", content: "", toolCalls: [{ id: "call_1", name: "search_tools", arguments: "{}" }] },
    { role: "tool", toolCallId: "call_1", toolName: "search_tools", content: "{}" },
  ];

  it("searches if no tool fits, and not otherwise", async () => {
    expect(await callsFor("Weather in Paris?", [search, email])).toEqual([["search_tools", { query: "Weather in Paris?" }]]);
    expect(await callsFor("Weather in Paris?", [search, weather])).toEqual([["get_weather", { city: "Paris" }]]);
  });

  it("calls what a search found", async () => {
    const { toolCalls } = await model.generate({ messages: found, tools: [search, email, weather] });
    expect(toolCalls).toEqual([{ id: "call_2", name: "get_weather", arguments: '{"city":"Paris"}' }]);
  });

  it("doesn't search again if nothing was found", async () => {
    const { text, toolCalls } = await model.generate({ messages: found, tools: [search, email] });
    expect([text, toolCalls]).toEqual([expect.stringContaining("None of these fits: send_email."), []]);
  });
});
