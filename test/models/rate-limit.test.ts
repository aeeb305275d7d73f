import { Agent, model, usesTools } from "../../src/agent/index.js";
import { type ChatModel, ModelError, type ModelReference, noUsage } from "../../src/models/index.js";
import { createTool } from "../../src/tool/index.js";

/** A provider that takes 50 calls a second: true where it takes one now. */
const limits: Readonly<Record<string, () => () => boolean>> = {
  "in each second of the clock": () => {
    let second = -1;
    let taken = 0;
    return () => {
      const now = Math.floor(performance.now() / 1_000);
      if (now !== second) [second, taken] = [now, 0];
      taken += 1;
      return taken <= 50;
    };
  },
  "in the last second": () => {
    let times: number[] = [];
    return () => {
      times = times.filter((time) => time > performance.now() - 1_000);
      return times.length < 50 && times.push(performance.now()) > 0;
    };
  },
  "by a bucket of 50": () => {
    let [tokens, last] = [50, performance.now()];
    return () => {
      tokens = Math.min(50, tokens + (performance.now() - last) / 20);
      last = performance.now();
      if (tokens < 1) return false;
      tokens -= 1;
      return true;
    };
  },
};

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const look = createTool("look", "Looks.", { type: "object", properties: {} }, () => "A lamp.");

/** A model that answers after so many steps, and calls `look` in each of those before. */
function limitedModel(takes: () => boolean, retryAfter: number | undefined, steps = 1): ChatModel & { calls: number; refused: number } {
  return {
    id: "test/limited",
    calls: 0,
    refused: 0,
    async generate({ messages }) {
      this.calls += 1;
      const isTaken = takes();
      if (!isTaken) this.refused += 1;
      await pause(20);
      const step = messages.filter(({ role }) => role === "tool").length + 1;
      if (isTaken && step < steps) {
        const toolCalls = [{ id: `call_${step}`, name: "look", arguments: "{}" }];
        return { text: "", toolCalls, finishReason: "tool_calls", usage: noUsage };
      }
      if (isTaken) return { text: "Done.", toolCalls: [], finishReason: "stop", usage: noUsage };
      throw new ModelError(this.id, "too many", { retryable: true, status: 429, ...(retryAfter !== undefined && { retryAfter }) });
    },
  };
}

/** Chance that is the same in each run of the test. */
function seedChance(): void {
  let state = 42;
  jest.spyOn(Math, "random").mockImplementation(() => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  });
}

/** Runs an agent 300 times, begun within `arrival` milliseconds. */
async function run300(reference: () => ModelReference, arrival: number, options: Parameters<Agent["generate"]>[1] = {}) {
  @model(reference)
  @usesTools([look])
  class BusyAgent extends Agent {}

  const start = performance.now();
  const outcomes = new Map<string, number>();
  const runs = Array.from({ length: 300 }, async (_, index) => {
    await pause((arrival / 300) * index);
    const { reason } = await new BusyAgent().generate("Hi", options);
    outcomes.set(reason, (outcomes.get(reason) ?? 0) + 1);
  });
  let isOver = false;
  void Promise.all(runs).then(() => (isOver = true));
  while (!isOver) await jest.advanceTimersByTimeAsync(20);
  return { outcomes: Object.fromEntries(outcomes), time: performance.now() - start };
}

describe("300 runs against a provider that takes 50 a second", () => {
  beforeEach(() => {
    jest.useFakeTimers();
    seedChance();
  });
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  const cases = Object.keys(limits).flatMap((limit) =>
    [1_000, undefined].flatMap((retryAfter) => [0, 400].map((arrival) => [limit, retryAfter, arrival] as const)),
  );

  it.each(cases)(
    "%s, with Retry-After %s, begun within %s ms: all succeed in less than 1.5 times the least possible time",
    async (limit, retryAfter, arrival) => {
      const limited = limitedModel(limits[limit]!(), retryAfter);
      const { outcomes, time } = await run300(() => limited, arrival);

      expect(outcomes).toEqual({ success: 300 });
      expect(time).toBeLessThan(9_000);
      expect(limited.calls).toBeLessThan(650);
    },
  );

  const longer = Object.keys(limits).flatMap((limit) => [0, 3_000].map((arrival) => [limit, arrival] as const));

  it.each(longer)(
    "%s, of 4 steps each, begun within %s ms: all succeed, and runs that weren't rejected wait too",
    async (limit, arrival) => {
      const limited = limitedModel(limits[limit]!(), 1_000, 4);
      const { outcomes, time } = await run300(() => limited, arrival);

      expect(outcomes).toEqual({ success: 300 });
      expect(limited.refused).toBeLessThan(500);
      // The least possible time is 24 s.
      expect(time).toBeLessThan(48_000);
    },
  );

  it("end with their wall time while they wait for their turn", async () => {
    const limited = limitedModel(limits["in the last second"]!(), 1_000);
    const { outcomes, time } = await run300(() => limited, 0, { budget: { wallTime: 3_000 } });

    expect(outcomes.success).toBeGreaterThan(100);
    expect(outcomes.budget_exhausted).toBe(300 - outcomes.success!);
    expect(time).toBeLessThan(3_100);
  });

  it("don't come back together if the provider asks for a minute or more", async () => {
    const returned: number[] = [];
    const { outcomes } = await run300(() => {
      const limited = limitedModel(() => returned.length > 0, 120_000);
      return {
        ...limited,
        generate: (request) => {
          if (performance.now() > 60_000) returned.push(performance.now());
          return limited.generate(request);
        },
      };
    }, 0);

    expect(outcomes).toEqual({ success: 300 });
    const [busiest = 0] = returned
      .map((from) => returned.filter((time) => time >= from && time < from + 1_000).length)
      .sort((one, other) => other - one);
    expect(busiest).toBeLessThan(40);
  });

  it("wait for a minute and a half at most, however few are taken", async () => {
    let taken = 0;
    const { outcomes, time } = await run300(() => limitedModel(() => (taken += 1) <= 1, 30_000), 0);

    expect(outcomes).toEqual({ success: 1, model_error: 299 });
    expect(time).toBeLessThan(181_000);
  });
});
