import {
  type ChatModel,
  type ChatRequest,
  type ModelDelta,
  ModelError,
  ScriptedModel,
  withFallback,
  withRetries,
  withTimeout,
} from "../../src/models/index.js";

const question: ChatRequest = { messages: [{ role: "user", content: "Weather?" }], tools: [] };
const overloaded = (options: { retryAfter?: number } = {}) => ({
  error: new ModelError("test/model", "overloaded", { retryable: true, status: 529, ...options }),
});
const refused = { error: new ModelError("test/model", "invalid schema", { retryable: false, status: 400 }) };

/** Keeps the waits instead of waiting. */
function recordedSleep() {
  const waits: number[] = [];
  return { waits, sleep: async (milliseconds: number) => void waits.push(milliseconds) };
}

/** A model that never answers and ignores its signal, which it keeps. */
function hangingModel() {
  const signals: AbortSignal[] = [];
  const model: ChatModel = {
    id: "test/hanging",
    generate: ({ abortSignal }) => {
      if (abortSignal) signals.push(abortSignal);
      return new Promise(() => {});
    },
  };
  return { model, signals };
}

describe("withRetries", () => {
  it("repeats a retryable failure until the model answers, waiting longer each time", async () => {
    const { waits, sleep } = recordedSleep();
    const model = withRetries(new ScriptedModel([overloaded(), overloaded(), "Sunny."], { id: "test/model" }), { sleep });

    expect(model.id).toBe("test/model");
    expect((await model.generate(question)).text).toBe("Sunny.");
    expect(waits).toHaveLength(2);
    expect(waits[0]).toBeGreaterThanOrEqual(250);
    expect(waits[0]).toBeLessThanOrEqual(500);
    expect(waits[1]).toBeGreaterThanOrEqual(500);
    expect(waits[1]).toBeLessThanOrEqual(1_000);
  });

  it("gives up after the given number of attempts with the last error itself", async () => {
    const { waits, sleep } = recordedSleep();
    const last = overloaded();
    const scripted = new ScriptedModel([overloaded(), last, "too late"]);

    await expect(withRetries(scripted, { attempts: 2, sleep }).generate(question)).rejects.toBe(last.error);
    expect(scripted.requests).toHaveLength(2);
    expect(waits).toHaveLength(1);
  });

  it("waits at least as long as the provider asks, and up to a half longer by chance, and takes no more than a minute as asked", async () => {
    const { waits, sleep } = recordedSleep();
    await withRetries(new ScriptedModel([overloaded({ retryAfter: 7_000 }), overloaded({ retryAfter: 3_600_000 }), "Sunny."]), {
      sleep,
    }).generate(question);

    expect(waits).toHaveLength(2);
    expect(waits[0]).toBeGreaterThanOrEqual(7_000);
    expect(waits[0]).toBeLessThanOrEqual(10_500);
    expect(waits[1]).toBeGreaterThanOrEqual(60_000);
    expect(waits[1]).toBeLessThanOrEqual(90_000);
  });

  it("spreads the waits by chance also once they have grown to a minute", async () => {
    const random = jest.spyOn(Math, "random").mockReturnValue(0.5);
    const { waits, sleep } = recordedSleep();
    const many = Array.from({ length: 10 }, () => overloaded());
    await withRetries(new ScriptedModel([...many, "Sunny."]), { attempts: 11, sleep }).generate(question);
    random.mockRestore();

    expect(waits.slice(-3)).toEqual([45_000, 45_000, 45_000]);
  });

  it.each([Number.NaN, -1, Number.NEGATIVE_INFINITY])("waits as without it if a model asks for %s milliseconds", async (retryAfter) => {
    const { waits, sleep } = recordedSleep();
    await withRetries(new ScriptedModel([overloaded({ retryAfter }), "Sunny."]), { sleep }).generate(question);

    expect(waits[0]).toBeGreaterThanOrEqual(250);
    expect(waits[0]).toBeLessThanOrEqual(500);
  });

  it.each([
    ["a refusal", refused.error],
    ["an error that is not the model's", new TypeError("bug")],
    ["an abort", new DOMException("aborted", "AbortError")],
  ])("does not repeat %s", async (_what, error) => {
    const { waits, sleep } = recordedSleep();

    await expect(withRetries(new ScriptedModel([{ error }, "never"]), { sleep }).generate(question)).rejects.toBe(error);
    expect(waits).toEqual([]);
  });

  it("repeats an answer that the provider broke off, unless it holds a tool call", async () => {
    const { sleep } = recordedSleep();
    const brokenOff = { text: "The wea", finishReason: "error" } as const;
    const withCall = { ...brokenOff, toolCalls: [{ name: "weather" }] };

    expect((await withRetries(new ScriptedModel([brokenOff, "Sunny."]), { sleep }).generate(question)).text).toBe("Sunny.");
    expect((await withRetries(new ScriptedModel([withCall]), { sleep }).generate(question)).toolCalls).toHaveLength(1);
    await expect(withRetries(new ScriptedModel([brokenOff]), { attempts: 1 }).generate(question)).rejects.toMatchObject({
      message: "scripted/model: the provider ended its answer with an error",
      retryable: true,
    });
  });

  it("ends the wait at once, with the signal's reason, when the request is aborted", async () => {
    const controller = new AbortController();
    const scripted = new ScriptedModel([overloaded({ retryAfter: 60_000 }), "never"]);
    const pending = withRetries(scripted).generate({ ...question, abortSignal: controller.signal });
    const reason = new Error("the user left");
    setImmediate(() => controller.abort(reason));

    await expect(pending).rejects.toBe(reason);
    expect(scripted.requests).toHaveLength(1);
  });

  it("really waits if no sleep is given", async () => {
    expect((await withRetries(new ScriptedModel([overloaded({ retryAfter: 1 }), "Sunny."])).generate(question)).text).toBe("Sunny.");
  });
});

describe("withTimeout", () => {
  it("gives up on a model that ignores its signal, retryably, and aborts the signal", async () => {
    const { model, signals } = hangingModel();

    await expect(withTimeout(model, 10).generate(question)).rejects.toMatchObject({
      name: "ModelError",
      message: "test/hanging: no answer within 10 ms. Give it longer (timeout of @model), or try again later.",
      retryable: true,
    });
    expect(signals[0]?.aborted).toBe(true);
  });

  it("passes an answer in time through, and aborts nothing afterwards", async () => {
    const scripted = new ScriptedModel(["Sunny."]);

    expect((await withTimeout(scripted, 10_000).generate(question)).text).toBe("Sunny.");
    expect(scripted.requests[0]?.abortSignal?.aborted).toBe(false);
  });

  it("passes the caller's abort through with its reason", async () => {
    const { model } = hangingModel();
    const controller = new AbortController();
    const pending = withTimeout(model, 60_000).generate({ ...question, abortSignal: controller.signal });
    const reason = new Error("the user left");
    controller.abort(reason);

    await expect(pending).rejects.toBe(reason);
  });

  it.each([0, Number.POSITIVE_INFINITY, 2 ** 31])("sets no limit for %p, which no timer holds", async (milliseconds) => {
    const slow = new ScriptedModel([() => new Promise((resolve) => setTimeout(resolve, 5, "Sunny."))]);

    expect((await withTimeout(slow, milliseconds).generate(question)).text).toBe("Sunny.");
  });

  it.each([-1, Number.NaN])("refuses %p, which is no time", (milliseconds) => {
    expect(() => withTimeout(new ScriptedModel([]), milliseconds)).toThrow(`withTimeout: ${milliseconds} isn't a number of milliseconds`);
  });

  it("does not ask the model for a request that is aborted already", async () => {
    const scripted = new ScriptedModel(["never"]);

    await expect(withTimeout(scripted, 1_000).generate({ ...question, abortSignal: AbortSignal.abort() })).rejects.toMatchObject({
      name: "AbortError",
    });
    expect(scripted.requests).toHaveLength(0);
  });

  it("limits each attempt inside withRetries", async () => {
    const { waits, sleep } = recordedSleep();
    const { model, signals } = hangingModel();

    await expect(withRetries(withTimeout(model, 5), { attempts: 3, sleep }).generate(question)).rejects.toThrow("no answer within 5 ms");
    expect(signals).toHaveLength(3);
    expect(waits).toHaveLength(2);
  });
});

describe("withFallback", () => {
  it("asks the next model if one fails for whatever reason", async () => {
    const model = withFallback([
      new ScriptedModel([refused], { id: "test/first" }),
      new ScriptedModel([overloaded()], { id: "test/second" }),
      new ScriptedModel(["Sunny."]),
    ]);

    expect(model.id).toBe("test/first");
    expect((await model.generate(question)).text).toBe("Sunny.");
  });

  it("asks no other model if the first answers", async () => {
    const second = new ScriptedModel(["never"]);
    await withFallback([new ScriptedModel(["Sunny."]), second]).generate(question);

    expect(second.requests).toHaveLength(0);
  });

  it("reports the error of each model if all fail, and is retryable if one of them is", async () => {
    const failed = withFallback([new ScriptedModel([refused], { id: "test/first" }), new ScriptedModel([overloaded()])]).generate(question);

    await expect(failed).rejects.toMatchObject({
      modelId: "test/first",
      message: "All 2 models failed. invalid schema; overloaded",
      retryable: true,
      cause: { errors: [refused.error, expect.any(ModelError)] },
    });
    await expect(withFallback([new ScriptedModel([refused])]).generate(question)).rejects.toMatchObject({ retryable: false });
  });

  it("asks no further model once the request is aborted, even if the first took the abort for a failure", async () => {
    const controller = new AbortController();
    const first = new ScriptedModel([
      () => {
        controller.abort("enough");
        return refused;
      },
    ]);
    const second = new ScriptedModel(["never"]);

    await expect(withFallback([first, second]).generate({ ...question, abortSignal: controller.signal })).rejects.toBe("enough");
    expect(second.requests).toHaveLength(0);
  });

  it("passes an abort through without asking further", async () => {
    const second = new ScriptedModel(["never"]);
    const request = { ...question, abortSignal: AbortSignal.abort() };

    await expect(withFallback([new ScriptedModel(["never"]), second]).generate(request)).rejects.toMatchObject({ name: "AbortError" });
    expect(second.requests).toHaveLength(0);
  });
});

describe("if somebody listens", () => {
  /** Says a word, then fails. */
  const breaksOff = (): ChatModel & { readonly calls: number } => {
    const model = {
      id: "test/model",
      calls: 0,
      async generate({ onDelta }: ChatRequest) {
        model.calls += 1;
        onDelta?.({ type: "text", text: "It " });
        throw new ModelError("test/model", "overloaded", { retryable: true });
      },
    };
    return model;
  };
  const listening = () => {
    const heard: ModelDelta[] = [];
    return { heard, request: { ...question, onDelta: (delta: ModelDelta) => void heard.push(delta) } };
  };

  it("withRetries retries a failure that came before the first word, and streams the answer once", async () => {
    const { heard, request } = listening();
    const model = withRetries(new ScriptedModel([overloaded(), "Sunny."]), { sleep: recordedSleep().sleep });

    expect((await model.generate(request)).text).toBe("Sunny.");
    expect(heard).toEqual([{ type: "text", text: "Sunny." }]);
  });

  it("withRetries doesn't retry once a word was streamed, because it would be streamed twice", async () => {
    const { heard, request } = listening();
    const model = breaksOff();

    await expect(withRetries(model, { sleep: recordedSleep().sleep }).generate(request)).rejects.toMatchObject({
      name: "ModelError",
      retryable: true,
    });
    expect(model.calls).toBe(1);
    expect(heard).toHaveLength(1);
  });

  it("withRetries asks again after the same failure without a listener", async () => {
    const model = breaksOff();

    await expect(withRetries(model, { sleep: recordedSleep().sleep }).generate(question)).rejects.toThrow("overloaded");
    expect(model.calls).toBe(3);
  });

  it("withFallback goes on to the next model only if nothing was streamed", async () => {
    const silent = listening();
    const early = withFallback([new ScriptedModel([refused]), new ScriptedModel(["Sunny."])]);
    expect((await early.generate(silent.request)).text).toBe("Sunny.");

    const second = new ScriptedModel(["Sunny."]);
    const { heard, request } = listening();
    await expect(withFallback([breaksOff(), second]).generate(request)).rejects.toThrow(/^overloaded$/);
    expect(second.requests).toHaveLength(0);
    expect(heard).toHaveLength(1);
  });

  it("withTimeout streams nothing more from a model that it gave up on", async () => {
    let go: () => void = () => {};
    const late: ChatModel = {
      id: "test/late",
      generate: ({ onDelta }) =>
        new Promise(() => {
          go = () => onDelta?.({ type: "text", text: "too late" });
        }),
    };
    const { heard, request } = listening();

    await expect(withTimeout(late, 10).generate(request)).rejects.toThrow("no answer within 10 ms");
    go();
    expect(heard).toEqual([]);
  });
});
