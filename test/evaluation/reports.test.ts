import { Agent, description, model, required, Tool, usesTools } from "../../src/index.js";
import {
  comparisonText,
  compareEvaluations,
  type EvaluationCase,
  EvaluationError,
  type EvaluationReport,
  evaluate,
  evaluationHtml,
  evaluationText,
  readCases,
} from "../../src/evaluation/index.js";
import { ScriptedModel } from "../../src/models/index.js";

@description("Gets the current weather for a city. Use when the user asks about weather now.")
class Weather extends Tool {
  @required(String, "The city name")
  city!: string;

  call() {
    return "Sunny.";
  }
}

@description("Gets the forecast for a city. Use when the user asks about weather to come.")
class Forecast extends Tool {
  @required(String, "The city name")
  city!: string;

  call() {
    return "Rain.";
  }
}

@model("embedded/keyword")
@usesTools([Weather, Forecast])
class WeatherAgent extends Agent {}

const cases: readonly EvaluationCase[] = ["Paris", "Rome", "Bern", "Wien", "Oslo", "Riga"].map((city) => ({
  id: city,
  prompt: `Weather in ${city}?`,
  expect: { calls: [{ tool: Weather, arguments: { city } }] },
}));

/** A report of a model that calls these tools with these cities, in turn. */
const reportOf = (calls: readonly (readonly [string, string])[]): Promise<EvaluationReport> =>
  evaluate({
    agent: WeatherAgent,
    cases: cases.slice(0, calls.length),
    concurrency: 1,
    model: new ScriptedModel(
      calls.map(([name, city]) => ({ toolCalls: [{ name, arguments: { city } }] })),
      { id: "test/scripted" },
    ),
  });

const right = cases.map(({ id = "" }) => ["weather", id] as const);

it("a report is plain JSON", async () => {
  const report = await reportOf(right);
  expect(JSON.parse(JSON.stringify(report))).toEqual(report);
});

it("evaluationText shows shares with intervals, confusions, faults and cases that didn't pass", async () => {
  const report = await reportOf([
    ["weather", "Paris"],
    ["forecast", "Rome"],
    ["weather", "bern"],
  ]);
  const text = evaluationText(report).replace(/median \d+ ms, 95 % \d+ ms/, "median 1 ms, 95 % 2 ms");
  expect(text).toBe(
    [
      "weather_agent with test/scripted: 3 cases",
      "  passed       33.3 % of 3 (6.1 to 79.2)",
      "  tool         66.7 % of 3 (20.8 to 93.9)",
      "  arguments    33.3 % of 3 (6.1 to 79.2)",
      "  tokens       0 in (0 cached), 0 out",
      "  latency      median 1 ms, 95 % 2 ms",
      "  requests     3, 0 of them answered before",
      "",
      "Right tool, by tool:",
      "  weather: 66.7 % of 3 (20.8 to 93.9)",
      "",
      "Called in place of:",
      "  expected weather, called forecast: 1 time",
      "",
      "Arguments:",
      "  weather.city is different: 1 time",
      "",
      "Not passed:",
      "  Rome",
      "    asked: Weather in Rome?",
      "    called forecast instead of weather",
      "  Bern",
      "    asked: Weather in Bern?",
      '    weather: city is "bern", expected "Bern"',
    ].join("\n"),
  );
});

it("evaluationText shows what a case that didn't pass was answered, and no more than the beginning of a long answer", async () => {
  const report = await evaluate({
    agent: WeatherAgent,
    cases: [{ id: "Paris", prompt: "Weather\nin Paris?", expect: { calls: [], text: "Sunny." } }],
    model: new ScriptedModel(["Rain. ".repeat(100)]),
  });
  expect(evaluationText(report)).toContain(`  Paris\n    asked: Weather in Paris?\n    answered: ${"Rain. ".repeat(20)}…\n`);
});

it("evaluationText escapes what a terminal would obey", async () => {
  const report = await evaluate({
    agent: WeatherAgent,
    cases: [{ id: "\u001b[2J", prompt: "Hi", expect: { text: "\u202e" } }],
    model: new ScriptedModel(["\u001b[31m"]),
  });
  for (const obeyed of ["\u001b", "\u202e"]) expect(evaluationText(report)).not.toContain(obeyed);
});

describe("evaluationHtml", () => {
  it("shows the matrix and the conversation of a case that didn't pass", async () => {
    const html = evaluationHtml(await reportOf([["forecast", "Paris"]]));
    expect(html).toContain("<title>expected weather, called forecast: 1</title>");
    expect(html).toContain("called forecast instead of weather");
    expect(html).toContain("Weather in Paris?");
  });

  it("escapes markup and marks of direction in what users and models wrote", async () => {
    const report = await evaluate({
      agent: WeatherAgent,
      cases: [{ id: "<b>x", prompt: "<script>alert(1)</script>\u202e", expect: { text: "never" } }],
      model: new ScriptedModel(['"><img src=x onerror=alert(1)>']),
    });
    const html = evaluationHtml(report);
    expect(html).not.toMatch(/<script|<img|<b>x|\u202e/);
  });

  it("makes no requests", async () => {
    expect(evaluationHtml(await reportOf(right))).not.toMatch(/src=|href=|url\(|@import/);
  });
});

describe("compareEvaluations", () => {
  it("says by how much the later one is better, and that it is more than chance", async () => {
    const wrong = cases.map(({ id = "" }) => ["forecast", id] as const);
    const comparison = compareEvaluations(await reportOf(wrong), await reportOf(right));
    expect(comparison).toMatchObject({ cases: 6, before: 0, after: 1, difference: 1, isMoreThanChance: true });
    expect(comparison.probability).toBeCloseTo(0.03125, 10);
    expect(comparison.better).toHaveLength(6);
    expect(comparisonText(comparison)).toContain("passed, 6 cases: 0.0 % before, 100.0 % after: better, beyond chance");
  });

  it("doesn't take a difference in few cases for more than chance", async () => {
    const almost = [["forecast", "Paris"] as const, ...right.slice(1)];
    expect(compareEvaluations(await reportOf(right), await reportOf(almost))).toMatchObject({ worse: ["Paris"], isMoreThanChance: false });
  });

  it("compares one score", async () => {
    const lower = right.map(([name, city]) => [name, city.toLowerCase()] as const);
    const [before, after] = [await reportOf(lower), await reportOf(right)];
    expect(compareEvaluations(before, after, { score: "tool" })).toMatchObject({ difference: 0 });
    expect(compareEvaluations(before, after, { score: "arguments" })).toMatchObject({ difference: 1 });
  });

  it("rejects reports without a common case", async () => {
    const report = await reportOf(right);
    expect(() => compareEvaluations(report, { ...report, results: [] })).toThrow(EvaluationError);
  });
});

describe("readCases", () => {
  it("reads a case from each line, and skips empty ones", () => {
    const text = '\uFEFF{"prompt":"Hi.","expect":{"calls":[]}}\r\n\n{"prompt":"Bye.","expect":{"text":"Bye"}}\n';
    expect(readCases(text).map(({ prompt }) => prompt)).toEqual(["Hi.", "Bye."]);
  });

  it("names the line that is no JSON", () => {
    expect(() => readCases('{"prompt":"Hi.","expect":{"calls":[]}}\n{"prompt":\n', "cases.jsonl")).toThrow(
      "cases.jsonl line 2: it is no JSON",
    );
  });

  it("names the line that is no case", () => {
    expect(() => readCases('\n{"prompt":"Hi.","expects":{}}', "cases.jsonl")).toThrow(
      'cases.jsonl line 2: unknown option "expects". Did you mean "expect"?',
    );
  });
});
