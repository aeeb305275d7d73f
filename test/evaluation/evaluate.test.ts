import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  Agent,
  createTool,
  deferred,
  description,
  effect,
  Integer,
  ModelError,
  model,
  optional,
  required,
  requiresConfirmation,
  Tool,
  usesTools,
} from "../../src/index.js";
import { type EvaluationCase, EvaluationError, evaluate } from "../../src/evaluation/index.js";
import { type ChatModel, type ChatRequest, ScriptedModel } from "../../src/models/index.js";
import type { JsonSchema } from "../../src/schema/index.js";
import { stubTool, withStubs } from "../../src/testing/index.js";

const ran: string[] = [];
const asked: string[] = [];
const folders: string[] = [];

@description("Gets the current weather for a city. Use when the user asks about weather now.")
class Weather extends Tool {
  @required(String, "The city name")
  city!: string;

  @optional(Integer, { description: "How many days", default: 1 })
  days!: number;

  call() {
    ran.push("weather");
    return `Sunny in ${this.city}.`;
  }
}

@description("Refunds an order.")
@effect("once")
@requiresConfirmation()
class Refund extends Tool {
  @required(String, "The order")
  order!: string;

  call() {
    ran.push("refund");
    return "Refunded.";
  }
}

const usage = { inputTokens: 10, outputTokens: 5, cachedInputTokens: 0, reasoningTokens: 0 };

/** A model that does what the user's words say: `weather {"city":"Paris"}`; other words are its answer. */
const obedient: ChatModel = {
  id: "test/obedient",
  generate: async ({ messages }: ChatRequest) => {
    const last = messages.at(-1);
    const said = last?.role === "user" ? String(last.content) : "Done.";
    asked.push(said);
    if (said === "fail") throw new ModelError("test/obedient", "It is broken.", { retryable: false });
    const calls = said.split(" + ").flatMap((part, index) => {
      const [, name = "", text = ""] = /^(\w+) (\{.*\})$/.exec(part) ?? [];
      return name === "" ? [] : [{ id: `call_${index}`, name, arguments: text }];
    });
    return { text: calls.length === 0 ? said : "", toolCalls: calls, finishReason: calls.length === 0 ? "stop" : "tool_calls", usage };
  },
};

@model(obedient)
@usesTools([Weather, Refund])
class SupportAgent extends Agent {}

const evaluateOne = async (prompt: string, expect: EvaluationCase["expect"], options: { runTools?: boolean } = {}) => {
  const { results } = await evaluate({ agent: SupportAgent, cases: [{ prompt, expect }], ...options });
  return results[0];
};

const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), "toolwright-evaluation-"));
  folders.push(path);
  return path;
};

beforeEach(() => {
  ran.length = 0;
  asked.length = 0;
});

afterAll(() => {
  for (const path of folders) rmSync(path, { recursive: true, force: true });
});

describe("a case", () => {
  it("passes if the model calls the tool with the arguments", async () => {
    const result = await evaluateOne('weather {"city":"Paris"}', { calls: [{ tool: Weather, arguments: { city: "Paris" } }] });
    expect(result).toMatchObject({ passed: true, scores: { tool: true, arguments: true }, faults: [], usage, requests: 1 });
  });

  it("doesn't run the tool", async () => {
    await evaluateOne('weather {"city":"Paris"}', { calls: [{ tool: "weather" }] });
    expect(ran).toEqual([]);
  });

  it("ignores the order of keys and defaults that are written out", async () => {
    const result = await evaluateOne('weather {"days":1,"city":"Paris"}', { calls: [{ tool: "weather", arguments: { city: "Paris" } }] });
    expect(result?.passed).toBe(true);
  });

  it("counts arguments that the executor would repair as what the tool gets", async () => {
    const result = await evaluateOne('weather {"city":"Paris","days":"3"}', {
      calls: [{ tool: "weather", arguments: { city: "Paris", days: 3 } }],
    });
    expect(result?.passed).toBe(true);
  });

  it("says which argument is different, missing or not expected", async () => {
    const result = await evaluateOne('weather {"city":"paris","unit":"C"}', {
      calls: [{ tool: "weather", arguments: { city: "Paris", days: 2 } }],
    });
    expect(result).toMatchObject({ passed: false, scores: { tool: true, arguments: false } });
    expect(result?.faults).toEqual([
      'weather: city is "paris", expected "Paris"',
      "weather: days is missing, expected 2",
      'weather: unit is "C", and isn\'t expected',
    ]);
  });

  it("lets a function judge the arguments", async () => {
    const isFrench = ({ city }: Readonly<Record<string, unknown>>) => city === "Paris" || city === "Lyon";
    const right = await evaluateOne('weather {"city":"Lyon"}', { calls: [{ tool: Weather, arguments: isFrench }] });
    const wrong = await evaluateOne('weather {"city":"Rome"}', { calls: [{ tool: Weather, arguments: isFrench }] });
    expect([right?.passed, wrong?.passed]).toEqual([true, false]);
    expect(wrong?.faults).toEqual(['weather: the arguments are {"city":"Rome","days":1}']);
  });

  it("fails if the model calls another tool", async () => {
    const result = await evaluateOne('refund {"order":"7"}', { calls: [{ tool: Weather }] });
    expect(result).toMatchObject({ passed: false, faults: ["called refund instead of weather"] });
    expect(result?.choices).toEqual([{ expected: "weather", called: "refund" }]);
  });

  it("fails if a call is missing, and if one is too many", async () => {
    expect((await evaluateOne("Hello.", { calls: [{ tool: Weather }] }))?.faults).toEqual(["didn't call weather"]);
    expect((await evaluateOne('refund {"order":"7"}', { calls: [] }))?.faults).toEqual(["called refund, which isn't expected"]);
  });

  it("compares parallel calls in any order", async () => {
    const result = await evaluateOne('weather {"city":"Rome"} + weather {"city":"Paris"}', {
      calls: [
        { tool: Weather, arguments: { city: "Paris" } },
        { tool: Weather, arguments: { city: "Rome" } },
      ],
    });
    expect(result?.passed).toBe(true);
  });

  it("fails if a forbidden tool is called", async () => {
    const result = await evaluateOne('refund {"order":"7"}', { forbidden: [Refund] });
    expect(result).toMatchObject({ passed: false, faults: ["called refund, which is forbidden"] });
  });

  it("names the tool that a misspelt forbidden one may mean, and takes a tool that the agent doesn't have", async () => {
    const misspelt = await evaluateOne("It is sunny.", { forbidden: ["refnd"] });
    expect(misspelt?.error).toContain('The case forbids "refnd", which the agent didn\'t have in this run. Did you mean "refund"?');
    expect((await evaluateOne("It is sunny.", { forbidden: ["delete_account"] }))?.passed).toBe(true);
  });

  it("looks for words in the answer, or matches an expression", async () => {
    expect((await evaluateOne("It is sunny.", { text: "sunny" }))?.passed).toBe(true);
    expect((await evaluateOne("It is sunny.", { text: /SUNNY/i }))?.passed).toBe(true);
    expect((await evaluateOne("It is sunny.", { text: "rain" }))?.faults).toEqual(['the answer doesn\'t contain "rain"']);
  });

  it("keeps the conversation of a run that didn't pass", async () => {
    const result = await evaluateOne('refund {"order":"7"}', { calls: [{ tool: Weather }] });
    expect(result?.conversation).toEqual([
      { role: "user", text: 'refund {"order":"7"}' },
      { role: "assistant", text: "", calls: [{ tool: "refund", arguments: '{"order":"7"}' }] },
    ]);
  });

  it("continues the messages that it has", async () => {
    const { results } = await evaluate({
      agent: SupportAgent,
      cases: [
        {
          messages: [
            { role: "user", content: "Hi." },
            { role: "assistant", content: "Hello." },
            { role: "user", content: 'weather {"city":"Rome"}' },
          ],
          expect: { calls: [{ tool: Weather, arguments: { city: "Rome" } }] },
        },
      ],
    });
    expect(results[0]?.passed).toBe(true);
  });

  it("reports a model that failed as an error, not as a wrong choice", async () => {
    const { summary, results } = await evaluate({
      agent: SupportAgent,
      cases: [
        { prompt: "fail", expect: { calls: [] } },
        { prompt: "Hi.", expect: { calls: [] } },
      ],
    });
    expect(results[0]?.error).toMatch("It is broken.");
    expect(summary).toMatchObject({ errors: 1, passed: { share: 1, of: 1 } });
  });

  it("is an error if the agent doesn't have the expected tool", async () => {
    const result = await evaluateOne("Hi.", { calls: [{ tool: "wether" }] });
    expect(result?.error).toBe('The case expects a call of "wether", which the agent didn\'t have in this run. Did you mean "weather"?');
  });

  it("is an error if its arguments break the tool's schema", async () => {
    const result = await evaluateOne("Hi.", { calls: [{ tool: Weather, arguments: { town: "Paris" } }] });
    expect(result?.error).toMatch('The expected arguments break the schema of "weather"');
  });
});

describe("deferred tools", () => {
  @model(
    new ScriptedModel([
      { toolCalls: [{ name: "search_tools", arguments: { query: "weather" } }] },
      { toolCalls: [{ name: "weather", arguments: { city: "Paris" } }] },
    ]),
  )
  @usesTools([deferred({ name: "all", tools: [Weather, Refund] })])
  class SearchingAgent extends Agent {}

  it("are found before the model chooses", async () => {
    const { results } = await evaluate({
      agent: SearchingAgent,
      cases: [{ prompt: "Weather in Paris?", expect: { calls: [{ tool: Weather, arguments: { city: "Paris" } }] } }],
    });
    expect(results[0]).toMatchObject({ passed: true, requests: 2 });
    expect(ran).toEqual([]);
  });
});

describe("with runTools", () => {
  it("runs go on to their end", async () => {
    const result = await evaluateOne(
      'weather {"city":"Paris"}',
      { calls: [{ tool: Weather }], text: "Done.", outcome: "success" },
      { runTools: true },
    );
    expect(result).toMatchObject({ passed: true, outcome: "success", requests: 2 });
    expect(ran).toEqual(["weather"]);
  });

  it("a call that a person must approve waits", async () => {
    const result = await evaluateOne(
      'refund {"order":"7"}',
      { calls: [{ tool: Refund }], outcome: "awaiting_confirmation" },
      { runTools: true },
    );
    expect(result?.passed).toBe(true);
    expect(ran).toEqual([]);
  });

  it("stubs replace what mustn't run", async () => {
    const weather = stubTool(Weather, () => "Rain.");
    const { results } = await evaluate({
      agent: SupportAgent,
      cases: [{ prompt: 'weather {"city":"Paris"}', expect: { calls: [{ tool: Weather }] } }],
      runTools: true,
      services: () => withStubs([weather]),
    });
    expect(results[0]?.passed).toBe(true);
    expect(weather.calls).toHaveLength(1);
    expect(ran).toEqual([]);
  });

  it("is what a case needs whose outcome comes after the calls", async () => {
    const result = await evaluateOne('refund {"order":"7"}', { outcome: "awaiting_confirmation" });
    expect(result?.faults).toEqual([
      "ended with max_steps, not awaiting_confirmation; its tools don't run, so it ended at its calls: set runTools",
    ]);
  });
});

describe("scorers", () => {
  const cases: readonly EvaluationCase[] = [{ prompt: "Hello there.", expect: { calls: [] } }];

  it("decide with a boolean, and are averaged as numbers", async () => {
    const { results, summary } = await evaluate({
      agent: SupportAgent,
      cases,
      scorers: { short: (_case, { text = "" }) => text.length < 5, tone: () => 0.8 },
    });
    expect(results[0]).toMatchObject({ passed: false, scores: { short: false, tone: 0.8 }, faults: ["short is false"] });
    expect(summary.scores.tone?.share).toBe(0.8);
  });

  it("make the run an error if they return something else", async () => {
    const { results } = await evaluate({ agent: SupportAgent, cases, scorers: { tone: () => 7 } });
    expect(results[0]?.error).toMatch('The scorer "tone" returned 7');
  });
});

describe("the summary", () => {
  it("counts what was called in place of what, and faults by parameter", async () => {
    const expectWeather = { calls: [{ tool: Weather, arguments: { city: "Paris" } }] };
    const { summary } = await evaluate({
      agent: SupportAgent,
      cases: [
        { prompt: 'weather {"city":"Paris"}', expect: expectWeather },
        { prompt: 'weather {"city":"Rome"}', expect: expectWeather },
        { prompt: 'refund {"order":"1"}', expect: expectWeather },
        { prompt: 'refund {"order":"2"}', expect: expectWeather },
      ],
    });
    expect(summary.passed).toMatchObject({ share: 0.25, of: 4 });
    expect(summary.tools).toMatchObject([{ tool: "weather", right: { share: 0.5, of: 4 } }]);
    expect(summary.confusions).toEqual([{ expected: "weather", called: "refund", count: 2 }]);
    expect(summary.argumentFaults).toEqual([{ tool: "weather", parameter: "city", kind: "different", count: 1 }]);
    expect(summary.usage).toMatchObject({ inputTokens: 40, outputTokens: 20 });
  });
});

describe("another model", () => {
  it("stands in place of the agent's own", async () => {
    const other = new ScriptedModel(["Hello."], { id: "test/other" });
    const { results, model: id } = await evaluate({
      agent: SupportAgent,
      cases: [{ prompt: 'refund {"order":"7"}', expect: { calls: [] } }],
      model: other,
    });
    expect(id).toBe("test/other");
    expect(results[0]?.passed).toBe(true);
    expect(asked).toEqual([]);
  });
});

describe("kept answers", () => {
  const cases: readonly EvaluationCase[] = ["Hi.", 'weather {"city":"Paris"}', "Bye."].map((prompt) => ({
    prompt,
    expect: { forbidden: [Refund] },
  }));

  it("are used in place of requests that were answered", async () => {
    const answers = folder();
    const first = await evaluate({ agent: SupportAgent, cases, answers });
    const again = await evaluate({ agent: SupportAgent, cases, answers });
    expect(asked).toHaveLength(3);
    expect(again.summary).toMatchObject({ requests: 3, keptRequests: 3 });
    expect(again.results.map(({ scores, outcome }) => ({ scores, outcome }))).toEqual(
      first.results.map(({ scores, outcome }) => ({ scores, outcome })),
    );
  });

  it("are of one repetition, so that repetitions differ", async () => {
    await evaluate({ agent: SupportAgent, cases, answers: folder(), repetitions: 2 });
    expect(asked).toHaveLength(6);
  });

  it("survive an interruption: the next evaluation asks only for the others", async () => {
    const answers = folder();
    const controller = new AbortController();
    const stopped = evaluate({
      agent: SupportAgent,
      cases,
      answers,
      concurrency: 1,
      abortSignal: controller.signal,
      onProgress: ({ done }) => done === 1 && controller.abort(new Error("Stopped.")),
    });
    await expect(stopped).rejects.toThrow("Stopped.");
    expect(asked).toEqual(["Hi."]);
    await evaluate({ agent: SupportAgent, cases, answers });
    expect(asked).toEqual(["Hi.", 'weather {"city":"Paris"}', "Bye."]);
  });

  it("are in the file before anything is done with them", async () => {
    const answers = folder();
    const linesAtProgress: number[] = [];
    const lines = () => readFileSync(join(answers, "answers.jsonl"), "utf8").trimEnd().split("\n").length;
    await evaluate({ agent: SupportAgent, cases, answers, concurrency: 1, onProgress: () => linesAtProgress.push(lines()) });
    expect(linesAtProgress).toEqual([1, 2, 3]);
  });

  it("are asked for anew if the description of a tool or of a parameter has changed, and not if keys have another order", async () => {
    const answers = folder();
    const searching = (text: string, properties: Readonly<Record<string, JsonSchema>>) => {
      @model(obedient)
      @usesTools([createTool("search", text, { type: "object", properties }, () => "Found.")])
      class SearchingAgent extends Agent {}
      return evaluate({ agent: SearchingAgent, cases: [{ prompt: "Hi.", expect: { calls: [] } }], answers });
    };
    const query: JsonSchema = { type: "string", description: "Words" };
    const limit: JsonSchema = { type: "integer" };
    await searching("Searches.", { query, limit });
    await searching("Searches.", { limit, query: { description: "Words", type: "string" } });
    expect(asked).toHaveLength(1);
    await searching("Searches. Use to search.", { query, limit });
    await searching("Searches.", { query: { ...query, description: "A sentence" }, limit });
    expect(asked).toHaveLength(3);
  });

  it("skip a line that was cut off, and go on after it", async () => {
    const answers = folder();
    await evaluate({ agent: SupportAgent, cases, answers });
    const path = join(answers, "answers.jsonl");
    writeFileSync(path, readFileSync(path, "utf8").slice(0, -40));
    await evaluate({ agent: SupportAgent, cases, answers });
    await evaluate({ agent: SupportAgent, cases, answers });
    expect(asked).toHaveLength(4);
  });

  it("end the evaluation if they can't be written", async () => {
    const answers = folder();
    const path = join(answers, "file");
    writeFileSync(path, "");
    await expect(evaluate({ agent: SupportAgent, cases, answers: path })).rejects.toThrow(EvaluationError);
  });
});

describe("wrong input", () => {
  const wrong: readonly (readonly [string, unknown, string])[] = [
    ["no cases", [], "evaluate: cases must be a list with at least one case"],
    ["a case that is no object", ["Hi."], "evaluate: case 1: a case is an object"],
    ["a misspelt member", [{ promt: "Hi.", expect: {} }], 'evaluate: case 1: unknown option "promt". Did you mean "prompt"?'],
    ["an empty expectation", [{ prompt: "Hi.", expect: {} }], "evaluate: case 1: expect is empty"],
    ["no prompt", [{ expect: { calls: [] } }], "evaluate: case 1: it has neither prompt nor messages"],
    ["an unknown outcome", [{ prompt: "Hi.", expect: { outcome: "done" } }], "evaluate: case 1: expect.outcome must be one of success"],
    [
      "a call without a tool",
      [{ prompt: "Hi.", expect: { calls: [{}] } }],
      "evaluate: case 1: expect.calls[0].tool must be a tool's class or name",
    ],
  ];

  it.each(wrong)("rejects %s", async (_title, cases, message) => {
    await expect(evaluate({ agent: SupportAgent, cases: cases as readonly EvaluationCase[] })).rejects.toThrow(message);
  });

  it("rejects two cases of one id", async () => {
    const one: EvaluationCase = { id: "a", prompt: "Hi.", expect: { calls: [] } };
    await expect(evaluate({ agent: SupportAgent, cases: [one, one] })).rejects.toThrow('two cases have the id "a"');
  });

  it("ends at once if the model isn't set up", async () => {
    const cases: readonly EvaluationCase[] = [{ prompt: "Hi.", expect: { calls: [] } }];
    await expect(evaluate({ agent: SupportAgent, cases, model: "nothing/x" })).rejects.toThrow('Model "nothing/x" is not known');
  });
});
