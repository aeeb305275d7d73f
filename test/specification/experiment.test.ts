import { setTimeout as sleep } from "node:timers/promises";
import { Agent, type GenerateOptions, model } from "../../src/agent/index.js";
import { approve } from "../../src/confirmation/index.js";
import type { RunState } from "../../src/loop/index.js";
import { chooseRun } from "../../src/agent/internal.js";
import { ScriptedModel } from "../../src/models/index.js";
import { type LogEntry, openTelemetry, toolLog } from "../../src/observability/index.js";
import {
  BindingError,
  bindAgent,
  createToolLibrary,
  createToolSpecification,
  type Experiment,
  experiment,
  implementSpecification,
  type ToolLibrary,
  usesSpecifications,
} from "../../src/specification/index.js";
import { createTool, description, failure } from "../../src/tool/index.js";
import { registerContext, telemetry } from "../observability/support.js";

const search = createToolSpecification("search", "Searches the shop.", '(::Text {paramName:"query"})==>(::String)');
const refund = createToolSpecification("refund", "Refunds an order.", '(::Text {paramName:"order"})==>(::String)');
const Classic = implementSpecification(search, ({ query }) => `classic ${query}`);
const Semantic = implementSpecification(search, ({ query }) => `semantic ${query}`);
const Refund = implementSpecification(refund, ({ order }) => `Refunded ${order}.`);

const by = ({ userId }: { userId?: string }) => userId;
const classicAndSemantic = () => experiment("search", { a: createToolLibrary([Classic]), b: createToolLibrary([Semantic]) }, { by });

/** An agent that searches once for each question, and the experiment that it is bound to. */
function shop(trial: Experiment = classicAndSemantic(), calls = [{ name: "search", arguments: { query: "lamps" } }]) {
  let step = 0;

  @model({
    id: "test/script",
    generate: (request) => new ScriptedModel([(step += 1) % 2 === 1 ? { toolCalls: calls } : "Done."]).generate(request),
  })
  @usesSpecifications([search, refund])
  class ShopAgent extends Agent {}

  const Shop = bindAgent(ShopAgent, [trial, createToolLibrary([Refund])]);
  const ask = async (userId?: string, options: GenerateOptions = {}) => {
    const { steps } = await Shop.generate("Find lamps", { ...(userId !== undefined && { toolContext: { userId } }), ...options });
    return steps[0]?.toolCalls[0]?.content;
  };
  return { Shop, ShopAgent, ask, trial };
}

describe("an experiment gives each user one variant", () => {
  it("always the same one, in every process", async () => {
    const answers = async ({ ask }: ReturnType<typeof shop>) => {
      const given = [];
      for (const user of ["ada", "bob", "cleo", "dan"]) given.push(await ask(user));
      return given;
    };
    expect(await answers(shop())).toEqual(["semantic lamps", "semantic lamps", "semantic lamps", "classic lamps"]);
    expect(await answers(shop())).toEqual(await answers(shop()));
  });

  it("in shares by the weights", async () => {
    const share = async (weights?: Record<"a" | "b", number>) => {
      const trial = experiment(
        "search",
        { a: createToolLibrary([Classic]), b: createToolLibrary([Semantic]) },
        { by, ...(weights && { weights }) },
      );
      const variants = await Promise.all(Array.from({ length: 10_000 }, (_, index) => trial.variantFor({ userId: `user-${index}` })));
      return variants.filter((variant) => variant === "b").length / variants.length;
    };
    expect(await share()).toBeCloseTo(0.5, 1);
    expect(await share({ a: 9, b: 1 })).toBeCloseTo(0.1, 1);
    expect(await share({ a: 0, b: 0.1 })).toBe(1);
  });

  it("and moves no user between two variants when a third one comes", async () => {
    const [a, b, c] = [createToolLibrary([Classic]), createToolLibrary([Semantic]), createToolLibrary([Semantic])];
    const [two, three] = [experiment("search", { a, b }, { by }), experiment("search", { a, b, c }, { by })];
    for (let index = 0; index < 1_000; index += 1) {
      const context = { userId: `user-${index}` };
      const [before, after] = [await two.variantFor(context), await three.variantFor(context)];
      if (after !== "c") expect(after).toBe(before);
    }
  });

  it("independently of other experiments", async () => {
    const other = experiment("ranking", { a: createToolLibrary([Classic]), b: createToolLibrary([Semantic]) }, { by });
    const trial = classicAndSemantic();
    const users = Array.from({ length: 1_000 }, (_, index) => ({ userId: `user-${index}` }));
    const same = await Promise.all(users.map(async (user) => (await trial.variantFor(user)) === (await other.variantFor(user))));
    expect(same.filter(Boolean).length / users.length).toBeCloseTo(0.5, 1);
  });

  it("by a key that may have to be looked up, and may be a number", async () => {
    const looked = experiment(
      "search",
      { a: createToolLibrary([Classic]), b: createToolLibrary([Semantic]) },
      { by: async ({ userId }) => ((await Promise.resolve(userId)) === "ada" ? 7 : undefined) },
    );
    expect(await looked.variantFor({ userId: "ada" })).toBe(await classicAndSemantic().variantFor({ userId: "7" }));
  });

  it("the first one to who has no key, without counting", async () => {
    const { ask, trial } = shop();
    const tags: unknown[] = [];
    expect(await ask(undefined, { listeners: [{ toolFinished: (record) => void tags.push(record.tags) }] })).toBe("classic lamps");
    expect(tags).toEqual([{}]);
    expect(trial.report().variants).toEqual({ a: { calls: 0, errors: {} }, b: { calls: 0, errors: {} } });
  });
});

describe("the variant of a run is reported", () => {
  it("as a tag, beside the application's own, to listeners and to the log", async () => {
    const entries: LogEntry[] = [];
    const log = toolLog({ handlers: [{ logEntry: (entry) => void entries.push(entry), flushLog: () => undefined }] });
    await shop().ask("bob", { listeners: [log], tags: { tenant: "acme" } });
    expect(entries.length).toBeGreaterThan(3);
    for (const { metadata } of entries) expect(metadata.tags).toEqual({ tenant: "acme", "experiment.search": "b" });
  });

  it("as an attribute of all spans of the run", async () => {
    registerContext();
    const { tracer, meter, spans, stop } = telemetry();
    await shop().ask("bob", { listeners: [openTelemetry({ tracer, meter })] });
    expect(spans().map(({ name, attributes }) => [name, attributes["toolwright.tag.experiment.search"]])).toEqual([
      ["chat script", "b"],
      ["execute_tool search", "b"],
      ["chat script", "b"],
      ["invoke_agent shop_agent", "b"],
    ]);
    await stop();
  });

  it("and can be asked for by the same tag", async () => {
    const { ask } = shop();
    expect(await ask("dan", { tags: { "experiment.search": "b" } })).toBe("semantic lamps");
  });

  it("and none but its variants can be asked for: a misspelt one would be another without a word", async () => {
    const { ask } = shop(experiment("search", { classic: createToolLibrary([Classic]), semantic: createToolLibrary([Semantic]) }, { by }));
    for (const user of ["dan", undefined]) {
      await expect(ask(user, { tags: { "experiment.search": "semnatic" } })).rejects.toThrow(
        'experiment "search": the run\'s tag "experiment.search" asks for "semnatic", which isn\'t one of its variants. Did you mean "semantic"?',
      );
    }
  });

  it("and stays with the run, though users are shared out anew before it is resumed", async () => {
    const gated = (text: string) => createToolLibrary([implementSpecification(search, () => text, { requiresConfirmation: true })]);
    const libraries = { a: gated("classic"), b: gated("semantic") };
    const before = shop(experiment("search", libraries, { by, weights: { a: 0, b: 1 } }));
    const { state } = await before.Shop.generate("Find lamps", { toolContext: { userId: "ada" } });
    const after = shop(experiment("search", libraries, { by, weights: { a: 1, b: 0 } }));
    const stored = JSON.parse(JSON.stringify(state)) as RunState;
    const response = await new after.Shop().resume(stored, { decisions: [approve("call_1")], toolContext: { userId: "ada" } });
    expect(JSON.stringify(response.messages)).toContain("semantic");
    expect(after.trial.report().variants).toMatchObject({ a: { calls: 0 }, b: { calls: 1 } });
  });
});

describe("a run whose variant was given up before it is resumed", () => {
  it("gets one of those that there are", async () => {
    const gated = (text: string) => createToolLibrary([implementSpecification(search, () => text, { requiresConfirmation: true })]);
    const [a, b, c] = ["classic", "semantic", "latest"].map(gated) as [ToolLibrary, ToolLibrary, ToolLibrary];
    const before = shop(experiment("search", { a, b }, { by, weights: { a: 0, b: 1 } }));
    const { state } = await before.Shop.generate("Find lamps", { toolContext: { userId: "ada" } });
    const after = shop(experiment("search", { a, c }, { by, weights: { a: 0, c: 1 } }));
    const response = await new after.Shop().resume(state as RunState, { decisions: [approve("call_1")], toolContext: { userId: "ada" } });
    expect(JSON.stringify(response.messages)).toContain("latest");
  });
});

describe("experiment.report()", () => {
  it("has the calls, the errors by type and the latency of each variant", async () => {
    const Slow = implementSpecification(search, async ({ query }) => {
      await sleep(30);
      return `slow ${query}`;
    });
    const Failing = implementSpecification(search, ({ query }) => {
      if (query === "lamps") return failure("The index is down.", "index_down");
      throw new Error("No way.");
    });
    const trial = experiment("search", { slow: createToolLibrary([Slow]), failing: createToolLibrary([Failing]) }, { by });
    const calls = [
      { name: "search", arguments: { query: "lamps" } },
      { name: "search", arguments: { query: "chairs" } },
      { name: "search", arguments: {} },
      { name: "refund", arguments: { order: "A-17" } },
    ];
    for (const variant of ["slow", "failing"]) await shop(trial, calls as never).ask("ada", { tags: { "experiment.search": variant } });
    const { experiment: name, variants } = trial.report();
    expect(name).toBe("search");
    expect(variants.slow).toMatchObject({ calls: 3, errors: { validation_error: 1 } });
    expect(variants.failing).toMatchObject({ calls: 3, errors: { index_down: 1, execution_error: 1, validation_error: 1 } });
    const { p50 = 0, p95 = 0, p99 = 0 } = variants.slow.latency ?? {};
    // Timers may fire a little early; refused calls, which took no time, are not in it.
    expect(p50).toBeGreaterThan(25);
    expect(p95).toBeGreaterThanOrEqual(p50);
    expect(p99).toBeGreaterThanOrEqual(p95);
    expect(JSON.parse(JSON.stringify(trial.report()))).toEqual(trial.report());
  });

  it("counts each call once if a sub-agent is part of the same experiment, and no other tool of the name", async () => {
    const trial = classicAndSemantic();
    const call = (...names: string[]) => ({
      toolCalls: names.map((name) => ({ name, arguments: name === "search" ? { query: "lamps" } : { prompt: "Find lamps" } })),
    });

    @model(new ScriptedModel([call("search"), "Done."]))
    @description("Searches. Use when something is to be found.")
    @usesSpecifications([search])
    class FinderAgent extends Agent {}

    @model(new ScriptedModel([call("search"), "Done."]))
    @description("Knows its own search. Use never.")
    @usesSpecifications([])
    class OtherAgent extends Agent {
      override tools() {
        return [createTool("search", "Searches elsewhere.", search.schema, () => "elsewhere")];
      }
    }

    const Finder = bindAgent(FinderAgent, trial);

    @model(new ScriptedModel([call("search", "finder_agent", "other_agent"), "Done."]))
    @usesSpecifications([search, Finder, OtherAgent])
    class DeskAgent extends Agent {}

    const { text } = await bindAgent(DeskAgent, trial).generate("Find lamps", { toolContext: { userId: "bob" } });
    expect(text).toBe("Done.");
    expect(trial.report().variants).toMatchObject({ a: { calls: 0 }, b: { calls: 2 } });
  });

  it("costs a run no new executor: runs with the same listeners share one list of them", async () => {
    const agent = new (shop().Shop)();
    const listeners = [{}];
    const choices = [
      await agent[chooseRun]?.({ userId: "bob" }, { listeners }, false),
      await agent[chooseRun]?.({ userId: "ada" }, { listeners }, false),
    ];
    expect(choices[0]?.options.listeners).toHaveLength(2);
    expect(choices[1]?.options.listeners).toBe(choices[0]?.options.listeners);
  });
});

describe("an experiment is refused", () => {
  const [a, b] = [createToolLibrary([Classic]), createToolLibrary([Semantic])];

  it.each([
    ["without a name", () => experiment(" ", { a, b }, { by }), /the name is empty/],
    ["with one variant", () => experiment("search", { a }, { by }), /compares nothing with 1 variants/],
    [
      "with a variant that is no library",
      () => experiment("search", { a, b: [Semantic] as never }, { by }),
      /variant "b" isn't a tool library/,
    ],
    ["without a key", () => experiment("search", { a, b }, {} as never), /by must be a function/],
    ["with a weight below 0", () => experiment("search", { a, b }, { by, weights: { a: 1, b: -1 } }), /the weight of "b" is -1/],
    ["with a weight left out", () => experiment("search", { a, b }, { by, weights: { a: 1 } as never }), /the weight of "b" is undefined/],
    ["with no weight at all", () => experiment("search", { a, b }, { by, weights: { a: 0, b: 0 } }), /all weights are 0/],
    [
      "with a weight for nothing",
      () => experiment("search", { a, b }, { by, weights: { a: 1, b: 1, c: 1 } as never }),
      /weights names "c"/,
    ],
  ])("%s", (_, make, message) => {
    expect(make).toThrow(expect.objectContaining({ name: "SpecificationError", message: expect.stringMatching(message) }));
  });

  it("if a variant doesn't implement what is specified, and says which one", () => {
    const Different = createTool("search", "Searches well.", search.schema, () => "");
    const trial = experiment("search", { a, b: createToolLibrary([Different]) }, { by });
    expect(() => shop(trial)).toThrow(BindingError);
    expect(() => shop(trial)).toThrow(/Variant "b" of the experiment "search": The description of "search" is/);
  });

  it("for an agent with a method that chooses its tools", () => {
    @model("embedded/keyword")
    @usesSpecifications([search])
    class ChoosyAgent extends Agent {
      override tools() {
        return [];
      }
    }
    expect(() => bindAgent(ChoosyAgent, classicAndSemantic())).toThrow(/ChoosyAgent overrides tools, which an experiment would pass over/);
  });

  it("by the compiler, if weights name no variant", () => {
    // @ts-expect-error: there is no variant c
    expect(() => experiment("search", { a, b }, { by, weights: { a: 1, c: 1 } })).toThrow(/weights names "c"/);
    // @ts-expect-error: there is no variant c
    expect(experiment("search", { a, b }, { by }).report().variants.c).toBeUndefined();
  });
});
