import fc from "fast-check";
import { AttachedTools } from "../../src/agent/attached-tools.js";
import { MemoryDecisionClaims } from "../../src/storage/index.js";
import { Conversation } from "../../src/conversation/conversation.js";
import { initialState, limitsOf } from "../../src/loop/index.js";
import { OfferedTools } from "../../src/agent/run/offered-tools.js";
import { Run } from "../../src/agent/run/run.js";
import type { RunState } from "../../src/loop/run-state.js";
import { AttemptLedger, createRunScope } from "../../src/execution/index.js";
import { type ChatModel, noUsage } from "../../src/models/index.js";
import { createTool } from "../../src/tool/index.js";

type Script = readonly (readonly ("ping" | "fail" | "nope")[])[];

const toolNamed = (name: string, execute: () => unknown) =>
  createTool({ name, description: "For tests. Use never.", inputSchema: { type: "object" }, execute });

/** A model that answers by the history alone, as one in another process would. */
const modelFor = (script: Script): ChatModel => ({
  id: "test/model",
  generate: async ({ messages }) => {
    const step = messages.filter(({ role }) => role === "assistant").length;
    const toolCalls = (script[step] ?? []).map((name, index) => ({ id: `${step}_${index}`, name, arguments: "{}" }));
    return { text: toolCalls.length === 0 ? "Done." : "", toolCalls, finishReason: "stop", usage: { ...noUsage, inputTokens: 1 } };
  },
});

/** A run of the script, new or from a stored state; `snapshots` has its state at each call of a model or a tool. */
function runOf(script: Script, from?: RunState) {
  const snapshots: RunState[] = [];
  const conversation = new Conversation();
  const take = () => snapshots.push(run.snapshot());
  const tools = new AttachedTools([
    toolNamed("ping", () => {
      take();
      return "pong";
    }),
    toolNamed("fail", () => {
      take();
      throw new Error("disk full");
    }),
  ]);
  if (from === undefined) conversation.append([{ role: "user", content: "Go" }]);
  else conversation.restore(from.messages);
  const scripted = modelFor(script);
  const run: Run = new Run(
    {
      agent: "tester",
      conversation,
      offered: new OfferedTools(tools, conversation),
      resumptions: 0,
      calling: undefined,
      journal: undefined,
      replaying: undefined,
      toolContext: {},
      confirmation: { handlers: [], claims: new MemoryDecisionClaims(), timeout: 1_000 },
      modelSettings: {},
      interceptor: undefined,
      modelOptions: undefined,
      instructions: undefined,
      toolChoice: undefined,
      prepareStep: undefined,
      checkAnswer: undefined,
      output: undefined,
      emit: undefined,
      stateSecret: undefined,
      tools,
      model: {
        id: scripted.id,
        generate: (request) => {
          take();
          return scripted.generate(request);
        },
      },
      executor: tools.executor((work) => work(), {
        container: undefined,
        listeners: [],
        streamed: false,
        middleware: [],
        added: undefined,
      }),
      scope: createRunScope({ runId: "run-1", ledger: from === undefined ? new AttemptLedger() : AttemptLedger.fromJSON(from.ledger) }),
      listeners: [],
      concurrency: 1,
    },
    from?.loop ?? initialState(limitsOf(6)),
  );
  return { run, conversation, snapshots };
}

describe("a run's state", () => {
  it("is frozen JSON with the version, the run, the history and the attempts of each tool", async () => {
    const { run, snapshots } = runOf([["fail", "ping"]]);
    await run.toOutcome();
    const state = snapshots[2];
    expect(state).toEqual(JSON.parse(JSON.stringify(state)));
    expect(state).toMatchObject({
      version: 1,
      runId: "run-1",
      agent: "tester",
      loop: { status: "executing_calls", step: 1, limits: { steps: 6 }, current: { results: [{ errorType: "execution_error" }, null] } },
      messages: [{ role: "user" }, { role: "assistant" }],
      ledger: { fail: { failures: 1 } },
    });
    expect(Object.isFrozen(state?.loop.current?.results)).toBe(true);
  });

  it("has null for no step limit, which JSON can't say otherwise", () => {
    expect(limitsOf(Number.POSITIVE_INFINITY).steps).toBeNull();
  });

  it("stored at any point and read back, leads to the same end with the same history", async () => {
    const scripts = fc.array(fc.array(fc.constantFrom("ping" as const, "fail" as const, "nope" as const), { minLength: 1, maxLength: 3 }), {
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(scripts, async (script) => {
        const whole = runOf(script);
        const outcome = await whole.run.toOutcome();
        for (const snapshot of whole.snapshots) {
          const resumed = runOf(script, JSON.parse(JSON.stringify(snapshot)) as RunState);
          expect(await resumed.run.toOutcome()).toEqual(outcome);
          expect(resumed.conversation.copyFrom(0)).toEqual(whole.conversation.copyFrom(0));
          expect(resumed.run.snapshot()).toEqual(whole.run.snapshot());
        }
      }),
      { numRuns: 30 },
    );
  });
});
