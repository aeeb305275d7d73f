import fc from "fast-check";
import { AttemptLedger, canonicalJson, createRunScope, ToolExecutor } from "../../src/execution/index.js";
import { createTool, description, effect, failure, optional, Tool } from "../../src/tool/index.js";
import { caller, recordingListener } from "./support.js";

/** A tool that fails whenever it is told to, and counts how often its body ran. */
function flaky(options: { retryable?: boolean; outputSchema?: object } = {}) {
  const runs: unknown[] = [];
  const tool = createTool({
    name: "flaky",
    description: "Fails when told to.",
    inputSchema: { type: "object", properties: { fail: { type: "boolean" }, n: { type: "integer" } } },
    ...(options as object),
    execute: async (input: any) => {
      runs.push(input);
      if (input.fail) throw new Error(`failed ${input.n}`);
      return "fine";
    },
  });
  return { tool, runs };
}

describe('seed 000, "Retry Policy"', () => {
  it("gives a tool three attempts in all, the model learning of each failure", async () => {
    const { tool, runs } = flaky();
    const call = caller(tool);
    expect(
      [await call({ fail: true, n: 1 }), await call({ fail: true, n: 2 }), await call({ fail: true, n: 3 })].map(({ error }) => error),
    ).toEqual(["failed 1", "failed 2", "failed 3"]);
    expect(await call({ n: 4 })).toMatchObject({ errorType: "retries_exhausted", error: expect.stringContaining("failed 3 times") });
    expect(runs).toHaveLength(3);
  });

  it("starts the count anew after a success", async () => {
    const call = caller(flaky().tool);
    for (const fail of [true, true, false, true, true]) await call({ fail });
    expect((await call({})).data).toBe("fine");
  });

  it("does not count invalid arguments", async () => {
    const call = caller(flaky().tool);
    for (let attempt = 0; attempt < 5; attempt += 1) expect((await call({ n: "x" })).errorType).toBe("validation_error");
    expect((await call({})).data).toBe("fine");
  });

  it("counts what the tool itself calls a failure, and results that break its output schema", async () => {
    const refusing = createTool({
      name: "shop",
      description: "A shop.",
      inputSchema: { type: "object" },
      execute: () => failure("Sold out.", "out_of_stock"),
    });
    const wrong = createTool({
      name: "wrong",
      description: "Wrong.",
      inputSchema: { type: "object" },
      outputSchema: { type: "string" },
      execute: () => 1,
    });
    for (const [tool, type] of [
      [refusing, "out_of_stock"],
      [wrong, "output_validation_error"],
    ] as const) {
      const call = caller(tool);
      const types = [await call(), await call(), await call(), await call()].map(({ errorType }) => errorType);
      expect(types).toEqual([type, type, type, "retries_exhausted"]);
    }
  });

  it("counts each tool and each run by itself", async () => {
    const { tool } = flaky();
    const other = createTool({ name: "other", description: "Other.", inputSchema: { type: "object" }, execute: () => "fine" });
    const executor = new ToolExecutor({ tools: [tool, other] });
    const scope = createRunScope();
    for (let attempt = 0; attempt < 3; attempt += 1) await executor.call({ id: "1", name: "flaky", arguments: { fail: true } }, scope);
    expect((await executor.call({ id: "2", name: "other", arguments: {} }, scope)).data).toBe("fine");
    expect((await executor.call({ id: "3", name: "flaky", arguments: {} }, createRunScope())).data).toBe("fine");
  });

  it("lets a tool that isn't retryable fail once with the same arguments, whatever their order, and try others", async () => {
    const { tool, runs } = flaky({ retryable: false });
    const call = caller(tool);
    await call('{"fail":true,"n":1}');
    expect(await call('{"n":1,"fail":true}')).toMatchObject({
      errorType: "retries_exhausted",
      error: expect.stringContaining("may have taken effect"),
    });
    expect((await call({ fail: false, n: 1 })).data).toBe("fine");
    expect((await call('{"fail":true,"n":1}')).errorType).toBe("retries_exhausted");
    expect(runs).toHaveLength(2);
  });

  it("knows refused arguments again though the tool changed the objects that it got", async () => {
    let runs = 0;
    const changing = createTool({
      name: "changing",
      description: "Changes its input.",
      inputSchema: { type: "object", properties: { tags: { type: "array" } } },
      retryable: false,
      execute: ({ tags }: any) => {
        runs += 1;
        tags.push("changed");
        throw new Error("failed");
      },
    });
    const call = caller(changing);
    await call({ tags: ["a"] });
    expect((await call({ tags: ["a"] })).errorType).toBe("retries_exhausted");
    expect(runs).toBe(1);
  });

  it("gives listeners the number of the attempt, which starts anew after a success", async () => {
    const { listener, of } = recordingListener();
    const call = caller(flaky().tool, { listeners: [listener] });
    for (const fail of [true, true, false, true]) await call({ fail });
    expect(of("toolFinished").map(({ attempt }) => attempt)).toEqual([1, 2, 3, 1]);
  });
});

describe("repeating by the executor itself", () => {
  const repeated = (kind: "none" | "idempotent" | "once" | undefined) => {
    let runs = 0;
    @description("Fails twice.")
    class TwiceTool extends Tool {
      @optional(Boolean)
      refuse?: boolean;

      call() {
        runs += 1;
        if (this.refuse) return failure("No.");
        if (runs < 3) throw new Error(`failed ${runs}`);
        return runs;
      }
    }
    if (kind !== undefined) effect(kind)(TwiceTool);
    return TwiceTool;
  };

  it("happens if the application asks and the effect allows it; every attempt is recorded", async () => {
    const { listener, of } = recordingListener();
    expect((await caller(repeated("idempotent"), { attempts: 3, listeners: [listener] })()).data).toBe(3);
    expect(of("toolFinished").map(({ attempt, result }) => [attempt, result.error])).toEqual([
      [1, "failed 1"],
      [2, "failed 2"],
      [3, undefined],
    ]);
  });

  it("happens only there", async () => {
    expect((await caller(repeated("none"))()).error).toBe("failed 1");
    expect((await caller(repeated("once"), { attempts: 3 })()).error).toBe("failed 1");
    expect((await caller(repeated(undefined), { attempts: 3 })()).error).toBe("failed 1");
  });

  it("gives each attempt the same arguments, whatever the tool did to them", async () => {
    const seen: string[] = [];
    const changing = createTool({
      name: "changing",
      description: "Changes its input.",
      inputSchema: { type: "object", properties: { tags: { type: "array" } } },
      effect: "none",
      execute: ({ tags }: any) => {
        seen.push(tags.join());
        tags.push("changed");
        throw new Error("failed");
      },
    });
    await caller(changing, { attempts: 3 })({ tags: ["a"] });
    expect(seen).toEqual(["a", "a", "a"]);
  });

  it("ends with the three attempts of the ledger", async () => {
    const { listener, of } = recordingListener();
    const call = caller(repeated("none"), { attempts: 9, listeners: [listener] });
    expect((await call({ refuse: true })).error).toBe("No.");
    expect(of("toolFinished")).toHaveLength(3);
  });

  it("takes whole numbers from 1", () => {
    expect(() => caller(repeated("none"), { attempts: 0 })).toThrow(/attempts must be a whole number from 1, got 0/);
  });
});

describe("the ledger as JSON", () => {
  it("goes on from where it was stored", async () => {
    const { tool } = flaky({ retryable: false });
    const ledger = new AttemptLedger();
    await caller(tool, {}, { ledger })({ fail: true, n: 1 });
    const stored = JSON.stringify(ledger);
    expect(stored).not.toContain('"n"');
    const restored = AttemptLedger.fromJSON(JSON.parse(stored));
    expect((await caller(tool, {}, { ledger: restored })({ fail: true, n: 1 })).errorType).toBe("retries_exhausted");
    expect(JSON.stringify(restored)).toBe(stored);
  });

  it("is empty while nothing failed, and holds any name", () => {
    expect(JSON.stringify(new AttemptLedger())).toBe("{}");
    const ledger = new AttemptLedger();
    ledger.recordFailure({ name: "__proto__", retryable: true }, undefined);
    expect(AttemptLedger.fromJSON(JSON.parse(JSON.stringify(ledger))).nextAttempt("__proto__")).toBe(2);
  });
});

describe("canonicalJson", () => {
  it("gives equal values one text, in whatever order their keys came", () => {
    const shuffled = (value: any): any =>
      Array.isArray(value)
        ? value.map(shuffled)
        : typeof value === "object" && value !== null
          ? Object.fromEntries(
              Object.entries(value)
                .reverse()
                .map(([key, member]) => [key, shuffled(member)]),
            )
          : value;
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(canonicalJson(shuffled(value))).toBe(canonicalJson(value));
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it("keeps apart what differs in type or in the order of an array", () => {
    expect(new Set([1, "1", [1, 2], [2, 1], { a: 1 }, null, {}, []].map(canonicalJson)).size).toBe(8);
  });
});
