import fc from "fast-check";
import {
  advance,
  type Budget,
  type CallResult,
  initialState,
  type LoopEffect,
  type LoopEvent,
  type LoopState,
  limitsOf,
} from "../../src/loop/index.js";
import { type ChatResponse, type FinishReason, type Message, noUsage, type ToolCall } from "../../src/models/index.js";
import { isPaired } from "../support/paired.js";

const call = (id: string, text = "{}"): ToolCall => ({ id, name: "ping", arguments: text });

const answer = (toolCalls: readonly ToolCall[], text = "", finishReason: FinishReason = "stop"): LoopEvent => ({
  type: "model_answered",
  response: { text, toolCalls, finishReason, usage: { ...noUsage, inputTokens: 10, outputTokens: 1 } } satisfies ChatResponse,
});

const finished = (id: string, result: CallResult = { content: "pong", data: "pong" }): LoopEvent => ({ type: "call_finished", id, result });

/** Feeds the events one after another, and keeps what the loop asked for. */
function play(events: readonly LoopEvent[], maxSteps = 16, budget: Budget = {}) {
  let state = initialState(limitsOf(maxSteps, budget));
  const effects: LoopEffect[] = [];
  for (const event of events) {
    const next = advance(state, event);
    state = next.state;
    effects.push(...next.effects);
  }
  return { state, effects, history: effects.flatMap((effect) => (effect.type === "append" ? effect.messages : [])), last: effects.at(-1) };
}

describe("the loop", () => {
  it("asks for the model first", () => {
    expect(play([{ type: "started" }]).effects).toEqual([{ type: "call_model" }]);
  });

  it("finishes with success when the model answers without a tool call", () => {
    const { state, history } = play([{ type: "started" }, answer([], "Hello.")]);
    expect(state.outcome).toEqual({ reason: "success" });
    expect(history).toEqual([{ role: "assistant", content: "Hello." }]);
  });

  it("asks for the calls of a step together, and for the model when the last one has its result", () => {
    const calls = [call("a"), call("b")];
    const { effects } = play([{ type: "started" }, answer(calls), finished("b"), finished("a")]);
    expect(effects.map(({ type }) => type)).toEqual(["call_model", "append", "execute_calls", "append", "record_step", "call_model"]);
  });

  it("appends results in call order, whichever comes first", () => {
    const { history } = play([{ type: "started" }, answer([call("a"), call("b")]), finished("b"), finished("a")]);
    expect(history.slice(1)).toMatchObject([{ toolCallId: "a" }, { toolCallId: "b" }]);
  });

  it("takes the first result of a call and ignores any other", () => {
    const { history } = play([
      { type: "started" },
      answer([call("a"), call("b")]),
      finished("a", { content: "first" }),
      finished("a", { content: "second" }),
      finished("nobody", { content: "third" }),
      finished("b"),
    ]);
    expect(history.map(({ content }) => content)).toEqual(["", "first", "pong"]);
  });

  it("adds up the tokens of all steps", () => {
    const { state } = play([{ type: "started" }, answer([call("a")]), finished("a"), answer([], "Done.")]);
    expect(state.usage).toEqual({ ...noUsage, inputTokens: 20, outputTokens: 2 });
  });

  it("does not run the calls of the last step allowed, and gives each a result that says so", () => {
    const { state, history, effects } = play([{ type: "started" }, answer([call("a"), call("b")])], 1);
    expect(state.outcome).toMatchObject({ reason: "max_steps", detail: expect.stringContaining("step 1") });
    expect(history.slice(1)).toMatchObject([
      { toolCallId: "a", content: "Not run: the step limit (1) was reached.", errorType: "cancelled" },
      { toolCallId: "b", content: "Not run: the step limit (1) was reached.", errorType: "cancelled" },
    ]);
    expect(effects.some(({ type }) => type === "execute_calls")).toBe(false);
  });

  it("case 31: does not run a call whose arguments were cut off by the output limit, and says so to the model", () => {
    const { effects, last } = play([
      { type: "started" },
      answer([call("whole"), call("cut", '{"city":"Par')], "", "length"),
      finished("whole"),
    ]);
    expect(effects.find(({ type }) => type === "execute_calls")).toMatchObject({ calls: [{ id: "whole" }] });
    expect(effects.flatMap((effect) => (effect.type === "append" ? effect.messages : [])).at(-1)).toMatchObject({
      toolCallId: "cut",
      content: expect.stringContaining("cut off"),
      errorType: "validation_error",
    });
    expect(last).toEqual({ type: "call_model" });
  });

  it("takes empty arguments of a cut-off answer for cut off, not for {}", () => {
    expect(play([{ type: "started" }, answer([call("cut", "")], "", "length")]).effects.some(({ type }) => type === "execute_calls")).toBe(
      false,
    );
  });

  it("distinguishes a cut-off answer and a withheld one from a success", () => {
    expect(play([{ type: "started" }, answer([], "The weather in Par", "length")]).state.outcome?.reason).toBe("truncated");
    expect(play([{ type: "started" }, answer([], "", "content_filter")]).state.outcome?.reason).toBe("content_filter");
  });

  it("takes an empty answer for a success, and leaves no empty message that providers refuse", () => {
    const { state, history } = play([{ type: "started" }, answer([])]);
    expect(state.outcome?.reason).toBe("success");
    expect(history).toEqual([]);
  });

  it("case 35: gives a model up that repeats the same failing call five times", () => {
    const failing = (step: number): LoopEvent[] => [
      answer([call(`call_${step}`)]),
      finished(`call_${step}`, { content: "city is required", errorType: "validation_error" }),
    ];
    const events: LoopEvent[] = [{ type: "started" }, ...[1, 2, 3, 4, 5].flatMap(failing)];
    expect(play(events.slice(0, -1)).state.outcome).toBeNull();
    expect(play(events).state.outcome).toMatchObject({
      reason: "repeated_failure",
      detail: expect.stringContaining("ping: city is required"),
    });
  });

  it("lets a model go on that fails in other ways each time", () => {
    const failing = (step: number): LoopEvent[] => [
      answer([call(`call_${step}`, `{"attempt":${step}}`)]),
      finished(`call_${step}`, { content: "no", errorType: "validation_error" }),
    ];
    expect(play([{ type: "started" }, ...[1, 2, 3, 4, 5, 6].flatMap(failing)]).state.status).toBe("calling_model");
  });

  it("case 28: gives open calls a result when the run is aborted, and keeps those that were done", () => {
    const { state, history } = play([
      { type: "started" },
      answer([call("done"), call("open")]),
      finished("done"),
      { type: "stopped", outcome: { reason: "aborted", detail: "user left" } },
    ]);
    expect(state.outcome).toEqual({ reason: "aborted", detail: "user left" });
    expect(history.slice(1)).toMatchObject([{ content: "pong" }, { content: "Request was cancelled", errorType: "cancelled" }]);
  });

  it("changes nothing after the end", () => {
    const { state } = play([{ type: "started" }, answer([], "Done.")]);
    const late: LoopEvent[] = [
      { type: "started" },
      answer([call("a")]),
      finished("a"),
      { type: "model_failed", detail: "" },
      { type: "stopped", outcome: { reason: "aborted", detail: "" } },
      { type: "paused", outcome: { reason: "interrupted", detail: "" } },
      { type: "calls_settled" },
    ];
    for (const event of late) expect(advance(state, event)).toEqual({ state, effects: [] });
  });
});

/** A model and tools that give the same answers in any process: what is answered depends on the step and the call alone. */
const worlds = fc.record({
  steps: fc.array(
    fc.record({
      calls: fc.array(fc.constantFrom("{}", "", '{"a":', "null"), { maxLength: 4 }),
      finishReason: fc.constantFrom<FinishReason>("stop", "tool_calls", "length", "content_filter"),
      fails: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
      backwards: fc.boolean(),
      stops: fc.constantFrom(undefined, undefined, undefined, "aborted" as const, "interrupted" as const),
    }),
    { maxLength: 8 },
  ),
  maxSteps: fc.constantFrom(1, 3, 16, Number.POSITIVE_INFINITY),
});

/** Carries a world out. Before event number `restartAt` the process "dies": only the state as JSON survives. */
function carryOut(
  world: typeof worlds extends fc.Arbitrary<infer World> ? World : never,
  restartAt: number,
): { history: Message[]; state: LoopState } {
  const history: Message[] = [];
  let state = initialState(limitsOf(world.maxSteps));
  let events = 0;
  let pending: LoopEvent[] = [{ type: "started" }];
  while (pending.length > 0) {
    if (events++ === restartAt) {
      state = JSON.parse(JSON.stringify(state)) as LoopState;
      pending = [{ type: "started" }];
    }
    const { state: next, effects } = advance(state, pending.shift() as LoopEvent);
    state = next;
    const step = world.steps[state.step - 1];
    for (const effect of effects) {
      if (effect.type === "append") history.push(...effect.messages);
      if (effect.type === "call_model") {
        const calls = step?.calls.map((text, index) => call(`${state.step}_${index}`, text)) ?? [];
        pending.push(answer(calls, calls.length === 0 ? "Done." : "", step?.finishReason));
      }
      if (effect.type === "execute_calls") {
        const results = effect.calls.map(({ id }) =>
          finished(
            id,
            step?.fails[Number(id.split("_")[1])] ? { content: `no ${id}`, errorType: "execution_error" } : { content: id, data: id },
          ),
        );
        if (step?.backwards) results.reverse();
        if (step?.stops !== undefined) results.splice(1, 1, { type: "stopped", outcome: { reason: step.stops, detail: "stopped" } });
        pending.push(...results);
      }
    }
  }
  return { history, state };
}

describe("the loop, whatever happens", () => {
  it("ends, and leaves a history in which each call has exactly one result directly after its message", () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const { history, state } = carryOut(world, -1);
        expect(state.status).toBe("finished");
        expect(isPaired(history)).toBe(true);
      }),
    );
  });

  it("gives the same history when it stops before any event and goes on from the stored state", () => {
    fc.assert(
      fc.property(worlds, fc.nat(20), (any, restartAt) => {
        // A cancellation belongs to the process that it came to, so there is none here.
        const world = { ...any, steps: any.steps.map((step) => ({ ...step, stops: undefined })) };
        const whole = carryOut(world, -1);
        const resumed = carryOut(world, restartAt);
        expect(resumed.state).toEqual(JSON.parse(JSON.stringify(whole.state)));
        expect(resumed.history).toEqual(whole.history);
      }),
    );
  });
});
