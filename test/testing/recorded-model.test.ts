import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { Agent, instructions, model, modelOptions, usesTools } from "../../src/agent/index.js";
import { type ChatModel, type ChatRequest, type ScriptedStep, ModelError, noUsage } from "../../src/models/index.js";
import { RecordingError, recordedModel, ScriptedModel } from "../../src/testing/index.js";
import { readRecording, writeRecording } from "../../src/testing/recording/recording-file.js";
import { description, identifier, required, Tool, type ToolContext } from "../../src/tool/index.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "recording-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const file = (name = "weather.json") => join(folder, name);
const reader = (name?: string) => JSON.parse(readFileSync(file(name), "utf8"));

@description("Gets the current weather for a city. Use when the user asks about weather now.")
@identifier("weather")
class WeatherTool extends Tool {
  @required(String, "The city name")
  city!: string;

  call() {
    return weatherOf(this.city);
  }
}

let weatherOf = (city: string) => `Sunny in ${city}.`;
afterEach(() => {
  weatherOf = (city) => `Sunny in ${city}.`;
});

/** An agent class around a model: what differs between recording and replaying is the model alone. */
function agentOf(chat: ChatModel) {
  @model(chat, { retries: 0 })
  @instructions("You are a weather assistant.")
  @usesTools([WeatherTool])
  @modelOptions({ temperature: 0 })
  class WeatherAgent extends Agent {}
  return WeatherAgent;
}

const call = (city: string, id = `toolu_${Math.random()}`) => ({ toolCalls: [{ id, name: "weather", arguments: { city } }] });
const live = (...steps: ScriptedStep[]) => new ScriptedModel(steps, { id: "openai/gpt-5-mini" });
const record = (chat: ChatModel, name?: string) => recordedModel(chat, file(name), { mode: "record" });
const replay = (name?: string) => recordedModel("openai/gpt-5-mini", file(name), { mode: "replay" });

const weatherScript = () => live({ ...call("Paris"), usage: { inputTokens: 12, outputTokens: 3 } }, "It is sunny in Paris.");

describe("a recorded model", () => {
  it("replays a whole conversation without the real model", async () => {
    const recorded = await agentOf(record(weatherScript())).generate("Weather in Paris?");
    const replayed = await agentOf(replay()).generate("Weather in Paris?");
    expect(replayed.text).toBe("It is sunny in Paris.");
    expect(replayed.usage).toEqual(recorded.usage);
    expect(replayed.steps[0]?.toolCalls[0]).toMatchObject({ name: "weather", arguments: '{"city":"Paris"}', data: "Sunny in Paris." });
  });

  it("replays requests of any size, such as those with pictures", async () => {
    const prompt = "x".repeat(3_000_000);
    await agentOf(record(live("Long."))).generate(prompt);
    expect((await agentOf(replay()).generate(prompt)).text).toBe("Long.");
  });

  it("lets the real model's answer through while it records", async () => {
    const recorded = await agentOf(record(live(call("Paris", "toolu_7"), "Sunny."))).generate("Weather in Paris?");
    expect(recorded.steps[0]?.toolCalls[0]?.id).toBe("toolu_7");
    expect(recorded.text).toBe("Sunny.");
  });

  it("records if TOOLWRIGHT_RECORD is 1, and replays otherwise", async () => {
    process.env.TOOLWRIGHT_RECORD = "1";
    await agentOf(recordedModel(weatherScript(), file())).generate("Weather in Paris?");
    delete process.env.TOOLWRIGHT_RECORD;
    const neverAsked = live();
    expect((await agentOf(recordedModel(neverAsked, file())).generate("Weather in Paris?")).text).toBe("It is sunny in Paris.");
    expect(neverAsked.requests).toEqual([]);
  });

  it("takes a file URL, and makes the folders of its path", async () => {
    const url = pathToFileURL(join(folder, "deep", "er", "weather.json"));
    await agentOf(recordedModel(weatherScript(), url, { mode: "record" })).generate("Weather in Paris?");
    expect(existsSync(url)).toBe(true);
    expect((await agentOf(recordedModel("openai/gpt-5-mini", url)).generate("Weather in Paris?")).text).toBe("It is sunny in Paris.");
  });

  it("loads no provider's package in order to replay", async () => {
    const chat = () => recordedModel("mistral/mistral-small", file(), { mode: "replay" });
    await agentOf(record(new ScriptedModel(["Hello."], { id: "mistral/mistral-small" }))).generate("Hi.");
    expect((await agentOf(chat()).generate("Hi.")).text).toBe("Hello.");
  });

  it("doesn't record a call that failed, and reports its error", async () => {
    const overloaded = new ModelError("openai/gpt-5-mini", "overloaded", { retryable: true, status: 529 });
    const failing = await agentOf(record(live({ error: overloaded }))).generate("Hi.");
    expect(failing.outcome).toEqual({ reason: "model_error", detail: "overloaded" });
    expect(existsSync(file())).toBe(false);
  });

  it("lets a failed attempt be followed by a good one", async () => {
    const overloaded = new ModelError("openai/gpt-5-mini", "overloaded", { retryable: true, status: 529 });
    const chat = record(live({ error: overloaded }, "Hello."));
    await expect(chat.generate({ messages: [], tools: [] })).rejects.toBe(overloaded);
    await chat.generate({ messages: [], tools: [] });
    expect(reader().exchanges).toHaveLength(1);
  });

  it("ends an aborted request with the signal's reason", async () => {
    await agentOf(record(weatherScript())).generate("Weather in Paris?");
    const reason = new Error("closed");
    await expect(replay().generate({ messages: [], tools: [], abortSignal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  it("doesn't offer the real model what it refuses, and replays all the same", async () => {
    const real = Object.assign(live("No tools here."), { refusesTool: () => "it takes no tools" });
    await agentOf(record(real)).generate("Hi.");
    expect(real.requests[0]?.tools).toEqual([]);
    expect((await agentOf(replay()).generate("Hi.")).text).toBe("No tools here.");
  });
});

describe("a recorded model that is listened to", () => {
  const live: ChatModel = {
    id: "openai/gpt-5-mini",
    async generate({ onDelta }) {
      for (const text of ["It is ", "sun", "ny in Paris."]) onDelta?.({ type: "text", text });
      return { text: "It is sunny in Paris.", toolCalls: [], finishReason: "stop", usage: noUsage };
    },
  };
  const textOf = async (agent: ReturnType<typeof agentOf>) => {
    const pieces: string[] = [];
    for await (const piece of agent.stream("Weather in Paris?").textStream) pieces.push(piece);
    return pieces;
  };

  it("lets the real model's pieces through while it records", async () => {
    expect(await textOf(agentOf(record(live)))).toEqual(["It is ", "sun", "ny in Paris."]);
  });

  it("streams a replay whether or not the recording was streamed, and the other way round", async () => {
    await agentOf(record(live)).generate("Weather in Paris?");
    expect((await textOf(agentOf(replay()))).join("")).toBe("It is sunny in Paris.");
    await textOf(agentOf(record(live, "streamed.json")));
    expect((await agentOf(replay("streamed.json")).generate("Weather in Paris?")).text).toBe("It is sunny in Paris.");
    expect(reader("streamed.json")).toEqual(reader());
  });
});

describe("what is asked in a replay", () => {
  const history = (id: string): ChatRequest => ({
    messages: [
      { role: "user", content: "Weather?" },
      { role: "assistant", content: "", toolCalls: [{ id, name: "weather", arguments: "{}" }], providerMetadata: { item: Math.random() } },
      { role: "tool", toolCallId: id, toolName: "weather", content: "Sunny." },
    ],
    tools: [],
  });

  it("is found whatever the call ids, the provider's own data and the order of keys", async () => {
    await record(live("Done.")).generate({ ...history("call_abc"), options: { temperature: 0, topP: 1 } });
    expect((await replay().generate({ options: { topP: 1, temperature: 0 }, ...history("toolu_xyz") })).text).toBe("Done.");
  });

  it("may be asked in any order, and at the same time", async () => {
    const cities = ["Paris", "Rome", "Oslo", "Kyiv"];
    const chat = record(
      live(
        ({ messages }) => `Weather of ${messages.at(-1)?.content}`,
        ...cities.map(() => (request: ChatRequest) => `Weather of ${String(request.messages.at(-1)?.content)}`),
      ),
    );
    await Promise.all(cities.map((city) => agentOf(chat).generate(city)));
    const answers = await Promise.all([...cities].reverse().map((city) => agentOf(replay()).generate(city)));
    expect(answers.map(({ text }) => text)).toEqual(["Weather of Kyiv", "Weather of Oslo", "Weather of Rome", "Weather of Paris"]);
  });

  it("gets the answers of one request in turn, and the last one from then on", async () => {
    const chat = record(live("One.", "Two."));
    for (let turn = 0; turn < 2; turn += 1) await agentOf(chat).generate("Pick a number.");
    const replayed = replay();
    const texts: unknown[] = [];
    for (let turn = 0; turn < 3; turn += 1) texts.push((await agentOf(replayed).generate("Pick a number.")).text);
    expect(texts).toEqual(["One.", "Two.", "Two."]);
  });

  it("throws with the difference to the nearest request, and says how to record anew", async () => {
    await agentOf(record(weatherScript())).generate("Weather in Paris?");
    weatherOf = (city) => `Rainy in ${city}.`;
    const error = (await agentOf(replay())
      .generate("Weather in Paris?")
      .catch((thrown: unknown) => thrown)) as Error;
    expect(error).toBeInstanceOf(RecordingError);
    expect(error.message).toContain("this request was not recorded. The nearest is exchange 2 of 2, which differs here:");
    expect(error.message).toContain('\n  messages[3].content: recorded "Sunny in Paris.", asked "Rainy in Paris."\n');
    expect(error.message).toContain("Run the test with TOOLWRIGHT_RECORD=1");
    expect(error.message).toContain("stubTool");
  });

  it("shows long texts from where they begin to differ, and not every difference", async () => {
    const message = (index: number, end: string) => ({ role: "user" as const, content: `${"same ".repeat(100)}${index} ${end}` });
    const messages = (end: string) => Array.from({ length: 9 }, (_, index) => message(index, end));
    await record(live("Done.")).generate({ messages: messages("old"), tools: [] });
    const error = (await replay()
      .generate({ messages: messages("new"), tools: [] })
      .catch((thrown: unknown) => thrown)) as Error;
    expect(error.message).toMatch(/messages\[0\]\.content: recorded \.\.\."[same ]{38}0 old", asked \.\.\."[same ]{38}0 new"/);
    expect(error.message).toContain("  and in 4 more place(s)");
    expect(error.message.length).toBeLessThan(1_500);
  });

  it("throws if a tool's description changed, because the model's answer may have", async () => {
    await agentOf(record(live("Hello."))).generate("Hi.");
    const tool = { name: "weather", description: "Gets tomorrow's weather.", parameters: WeatherTool.parametersSchema };
    const { request } = reader().exchanges[0];
    const asked = replay().generate({ ...request, tools: [tool] });
    await expect(asked).rejects.toThrow(/tools\[0\]\.description: recorded ".*Gets the current.*", asked ".*Gets tomorrow's/);
  });

  it("throws if more or less is asked than recorded", async () => {
    const messages = [{ role: "user" as const, content: "Hi." }];
    await record(live("Hello.")).generate({ messages, tools: [], options: { seed: 1 } });
    await expect(replay().generate({ messages, tools: [] })).rejects.toThrow('options: recorded {"seed":1}, asked nothing');
  });

  it("throws if another tool choice is asked than recorded, also beside a response format", async () => {
    const request = { messages: [], tools: [], responseFormat: { name: "report", schema: { type: "object" } } } as const;
    await record(live("{}")).generate({ ...request, toolChoice: "none" });
    expect((await replay().generate({ ...request, toolChoice: "none" })).text).toBe("{}");
    await expect(replay().generate({ ...request, toolChoice: { tool: "weather" } })).rejects.toThrow(
      'toolChoice: recorded "none", asked {"tool":"weather"}',
    );
  });

  it("throws if another model was recorded", async () => {
    await agentOf(record(live("Hello."))).generate("Hi.");
    const other = recordedModel("openai/gpt-5", file(), { mode: "replay" });
    await expect(agentOf(other).generate("Hi.")).rejects.toThrow(
      'it was recorded with the model "openai/gpt-5-mini", and the test uses "openai/gpt-5". Run',
    );
  });

  it("throws if there is no recording, or it can't be read", async () => {
    await expect(agentOf(replay()).generate("Hi.")).rejects.toThrow(
      /weather\.json: this recording doesn't exist\. Run the test with TOOLWRIGHT_RECORD=1/,
    );
    const contents = {
      "isn't JSON": "{",
      "isn't a recording of version 1": '{"version":2}',
      "continues exchange 7": withExchange({ continues: 7 }),
    };
    for (const [reason, content] of Object.entries({ ...contents, 'offers "nothing"': withExchange({ tools: ["nothing"] }) })) {
      writeFileSync(file(), content);
      const error = (await agentOf(replay())
        .generate("Hi.")
        .catch((thrown: unknown) => thrown)) as Error;
      expect(error).toBeInstanceOf(RecordingError);
      expect(error.message).toContain(reason);
    }
  });

  const withExchange = (request: object) =>
    JSON.stringify({
      version: 1,
      model: "openai/gpt-5-mini",
      tools: [],
      exchanges: [{ request: { messages: [], tools: [], ...request }, response: {} }],
    });
});

describe("a recording's file", () => {
  it("reads as the conversation: each tool and each message once", async () => {
    await agentOf(record(weatherScript())).generate("Weather in Paris?");
    expect(reader()).toEqual({
      version: 1,
      model: "openai/gpt-5-mini",
      tools: [{ name: "weather", description: WeatherTool.definition.description, parameters: WeatherTool.parametersSchema }],
      exchanges: [
        {
          request: {
            messages: [
              { role: "system", content: "You are a weather assistant." },
              { role: "user", content: "Weather in Paris?" },
            ],
            tools: ["weather"],
            options: { temperature: 0 },
          },
          response: {
            text: "",
            toolCalls: [{ id: "call_1", name: "weather", arguments: '{"city":"Paris"}' }],
            finishReason: "tool_calls",
            usage: { inputTokens: 12, outputTokens: 3, cachedInputTokens: 0, reasoningTokens: 0 },
          },
        },
        {
          request: {
            continues: 1,
            messages: [
              { role: "assistant", content: "", toolCalls: [{ id: "call_1", name: "weather", arguments: '{"city":"Paris"}' }] },
              { role: "tool", toolCallId: "call_1", toolName: "weather", content: "Sunny in Paris." },
            ],
            tools: ["weather"],
            options: { temperature: 0 },
          },
          response: {
            text: "It is sunny in Paris.",
            toolCalls: [],
            finishReason: "stop",
            usage: { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, reasoningTokens: 0 },
          },
        },
      ],
    });
  });

  it("is the same text when it is recorded again, though the provider makes up new ids", async () => {
    await agentOf(record(weatherScript(), "first.json")).generate("Weather in Paris?");
    await agentOf(record(weatherScript(), "second.json")).generate("Weather in Paris?");
    expect(readFileSync(file("second.json"), "utf8")).toBe(readFileSync(file("first.json"), "utf8"));
  });

  it("stands in the order of the questions, whichever is answered first", async () => {
    const slowly = async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return "Slow.";
    };
    const chat = record(live(slowly, "Fast."));
    await Promise.all(["first", "second"].map((content) => chat.generate({ messages: [{ role: "user", content }], tools: [] })));
    expect(reader().exchanges.map(({ response }: any) => response.text)).toEqual(["Slow.", "Fast."]);
  });

  it("is shared by models of one test file, such as those that a function of the context makes", async () => {
    await record(live("One.")).generate({ messages: [], tools: [] });
    await record(live("Two.")).generate({ messages: [], tools: [] });
    expect(reader().exchanges).toHaveLength(2);
  });

  it("gives back whatever was written, however conversations branch and tools change", () => {
    const message = fc.record({ role: fc.constant("user" as const), content: fc.constantFrom("a", "b") });
    const tool = fc.record({
      name: fc.constantFrom("look", "__proto__"),
      description: fc.constantFrom("Looks up.", "Looks down."),
      parameters: fc.constant({ type: "object" } as const),
    });
    const request = fc.record({ messages: fc.array(message, { maxLength: 4 }), tools: fc.array(tool, { maxLength: 2 }) });
    const response = fc.constant({ text: "", toolCalls: [], finishReason: "stop" as const, usage: noUsage });
    fc.assert(
      fc.property(fc.array(fc.record({ request, response }), { maxLength: 6 }), (exchanges) => {
        writeRecording(file(), { model: "m", exchanges });
        expect(JSON.stringify(readRecording(file()))).toBe(JSON.stringify({ model: "m", exchanges }));
      }),
    );
  });

  it("keeps two tools of one name apart", async () => {
    const tool = (text: string) => ({ name: "look", description: text, parameters: { type: "object" } as const });
    const chat = record(live("One.", "Two."));
    await chat.generate({ messages: [], tools: [tool("Looks up.")] });
    await chat.generate({ messages: [], tools: [tool("Looks down.")] });
    expect((await replay().generate({ messages: [], tools: [tool("Looks down.")] })).text).toBe("Two.");
  });

  it("holds no secrets of messages, results, settings and answers", async () => {
    const secret = "sk-proj-abcdefghijklmnop1234";
    weatherOf = () => JSON.stringify({ apiKey: "hunter2hunter2", url: "https://ada:hunter2@example.org/?token=hunter2" });
    const script = live({ ...call(`Paris ${secret}`), reasoning: `The key is ${secret}` }, `Bearer ${secret}`);

    @modelOptions({ providerOptions: { openai: { apiKey: "hunter2" } } })
    class Secretive extends agentOf(record(script)) {}
    await new Secretive().generate(`My key is ${secret}.`);
    const text = readFileSync(file(), "utf8");
    expect(text).not.toContain(secret);
    expect(text).not.toContain("hunter2");

    @modelOptions({ providerOptions: { openai: { apiKey: "another" } } })
    class Replayed extends agentOf(replay()) {}
    expect((await new Replayed().generate(`My key is ${secret}.`)).text).toBe("Bearer [redacted]");
  });

  it("holds images and files by their hash, and distinguishes them by it", async () => {
    const image = (data: string): ChatRequest => ({
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "Who?" },
            { type: "image", mediaType: "image/png", data },
          ],
        },
      ],
      tools: [],
    });
    await record(live("A cat.")).generate(image("cat".repeat(1_000)));
    expect(readFileSync(file(), "utf8").length).toBeLessThan(1_000);
    expect((await replay().generate(image("cat".repeat(1_000)))).text).toBe("A cat.");
    await expect(replay().generate(image("dog".repeat(1_000)))).rejects.toThrow(/content\[1\]\.data: recorded "sha256/);
  });

  it("keeps the schema of a parameter that is named like a secret", async () => {
    @description("Sets a password. Use when the user forgot it.")
    class PasswordTool extends Tool {
      @required(String) password!: string;

      call(_context: ToolContext) {
        return "set";
      }
    }

    @usesTools([PasswordTool])
    class PasswordAgent extends agentOf(record(live("Which?"))) {}
    await new PasswordAgent().generate("Set it.");
    expect(reader().tools[0].parameters.properties.password).toEqual({ type: "string" });
  });
});
