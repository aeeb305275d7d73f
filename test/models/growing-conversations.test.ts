/** Long random conversations with the real package, against the rules that the Claude API enforces. */
import { createBedrockAnthropic } from "@ai-sdk/amazon-bedrock/anthropic";
import { createAnthropic } from "@ai-sdk/anthropic";
import fc from "fast-check";
import { Agent, history, instructions, model, type StepSituation, usesTools } from "../../src/agent/index.js";
import { approve, deny } from "../../src/confirmation/index.js";
import { AiSdkModel, ModelError, ScriptedModel, withFallback } from "../../src/models/index.js";
import { MemoryConversationStore } from "../../src/storage/index.js";
import { createTool, type ToolClass } from "../../src/tool/index.js";
import { ClaudeProvider } from "../support/prefix/claude-provider.js";

const names = ["search", "refund", "audit", "mail", "pay"] as const;
const tool = (name: string, version: number): ToolClass =>
  createTool({
    name,
    description: `Does ${name}, version ${version}. Use when asked to.`,
    requiresConfirmation: name === "pay",
    inputSchema: { type: "object", properties: { [`input_${version}`]: { type: "string" } } },
    execute: () => "done",
  });
/** Each tool as it is defined now, and as a later deployment defines it. */
const tools = names.map((name) => [tool(name, 1), tool(name, 2)] as const);

const overloaded = { error: new ModelError("test/model", "test/model: HTTP 503: Overloaded", { retryable: true, status: 503 }) };

interface Turn {
  readonly says: string | null;
  /** By tool: left out, its first definition, or its second. */
  readonly offered: readonly (0 | 1 | 2)[];
  /** How many steps call tools, and which of those that are offered. */
  readonly steps: readonly { readonly pick: number; readonly count: number; readonly narrowed: boolean }[];
  readonly ending: "stay" | "stored" | "resumed" | "fails";
  readonly approves: boolean;
}

const turn: fc.Arbitrary<Turn> = fc.record({
  says: fc.constantFrom("Be brief.", "Be brief.", "Be brief.", "Be kind.", null),
  offered: fc.tuple(...names.map(() => fc.constantFrom<0 | 1 | 2>(0, 1, 1, 1, 1, 1, 2))),
  steps: fc.array(fc.record({ pick: fc.nat(), count: fc.integer({ min: 1, max: 3 }), narrowed: fc.boolean() }), {
    minLength: 3,
    maxLength: 12,
  }),
  ending: fc.constantFrom("stay", "stay", "stored", "resumed", "fails"),
  approves: fc.boolean(),
});

/** Holds a conversation of these turns. Returns the provider, and the steps in which the model was offered other tools than the user has. */
async function converse(turns: readonly Turn[], endpoint: "claude" | "bedrock", limits?: { readonly maxTurns: number }) {
  let current = turns[0] as Turn;
  let step = 0;
  const wrong: string[] = [];
  const wanted = () => tools.flatMap((versions, index) => versions[(current.offered[index] ?? 0) - 1] ?? []);
  const provider = new ClaudeProvider((offered) => {
    const planned = current.steps[step];
    const names = wanted().map(({ definition }) => definition.name);
    const expected = planned?.narrowed === true ? names.slice(0, 2) : names;
    if (JSON.stringify([...offered].sort()) !== JSON.stringify([...expected].sort())) wrong.push(`${[...offered]} instead of ${expected}`);
    step += 1;
    if (planned === undefined || offered.size === 0) return { text: "Done." };
    const callable = [...offered];
    return { calls: Array.from({ length: planned.count }, (_, index) => callable[(planned.pick + index) % callable.length] as string) };
  });
  const settings = { apiKey: "key", fetch: provider.fetch };
  const claude =
    endpoint === "claude"
      ? createAnthropic(settings)("claude-opus-5-5")
      : createBedrockAnthropic({ ...settings, region: "us-east-1" })("anthropic.claude-opus-5-5-v1:0");
  const other = new ScriptedModel(Array.from({ length: 1_000 }, () => "From another model."));

  @model(
    () =>
      current.ending === "fails" ? withFallback([new ScriptedModel([overloaded, overloaded, overloaded]), other]) : new AiSdkModel(claude),
    { retries: 0 },
  )
  @instructions(() => current.says as string)
  @usesTools(() => wanted())
  @history(limits ?? { maxTurns: 10_000 })
  class LongAgent extends Agent {
    override prepareStep(_: StepSituation) {
      return current.steps[step]?.narrowed === true ? { tools: wanted().slice(0, 2) } : {};
    }
  }
  let agent = new LongAgent();
  const warnings: string[] = [];
  const listeners = [
    {
      modelFinished: ({ response }: { readonly response?: { readonly warnings?: readonly string[] } }) =>
        void warnings.push(...(response?.warnings ?? [])),
    },
  ];
  for (current of turns) {
    step = 0;
    if (current.ending === "stored") {
      const store = new MemoryConversationStore();
      await agent.save(store, "ada");
      agent = await new LongAgent().load(store, "ada");
    }
    let response = await agent.generate("Go on.", { maxSteps: 20, listeners });
    while (response.reason === "awaiting_confirmation") {
      const decisions = response.confirmations.map(({ callId }) => (current.approves ? approve(callId) : deny(callId)));
      const state = JSON.parse(JSON.stringify(response.state));
      if (current.ending === "resumed") agent = new LongAgent();
      response = await agent.resume(state, { decisions, maxSteps: 20, listeners });
    }
    if (response.reason !== "success") throw response.error ?? new Error(response.reason);
    const unknown = response.steps.flatMap(({ toolCalls }) => toolCalls.filter(({ errorType }) => errorType === "unknown_tool"));
    wrong.push(...unknown.map(({ name }) => `${name} was unknown`));
  }
  return { provider, wrong, warnings };
}

describe("a long conversation with changing tools, instructions, approvals, processes and models", () => {
  const long = fc.array(turn, { minLength: 30, maxLength: 45 });

  it("is never rejected by the Claude API, and never loses thinking", async () => {
    const shares: number[] = [];
    await fc.assert(
      fc.asyncProperty(long, async (turns) => {
        const { provider, wrong, warnings } = await converse(turns, "claude");
        expect({ rejected: provider.rejected, dropped: provider.dropped, wrong, warnings }).toEqual({
          rejected: [],
          dropped: 0,
          wrong: [],
          warnings: [],
        });
        for (const { bytes, shared } of provider.shares) shares.push(shared / bytes);
      }),
      { numRuns: 2, seed: 1, endOnFailure: true },
    );
    expect(shares.length).toBeGreaterThan(400);
    expect(Math.min(...shares)).toBe(1);
  }, 300_000);

  it("is never rejected by Bedrock's endpoint if definitions stay, and never loses thinking", async () => {
    await fc.assert(
      fc.asyncProperty(long, async (turns) => {
        const stable = turns.map((one) => ({
          ...one,
          says: "Be brief.",
          offered: one.offered.map((version) => (version === 0 ? 0 : 1)) as Turn["offered"],
        }));
        const { provider, wrong, warnings } = await converse(stable, "bedrock");
        expect({ rejected: provider.rejected, dropped: provider.dropped, wrong, warnings }).toEqual({
          rejected: [],
          dropped: 0,
          wrong: [],
          warnings: [],
        });
      }),
      { numRuns: 1, seed: 2, endOnFailure: true },
    );
  }, 300_000);

  it("asks once more after its history was cut, and keeps its tools", async () => {
    await fc.assert(
      fc.asyncProperty(long, async (turns) => {
        const { provider, wrong } = await converse(turns, "claude", { maxTurns: 12 });
        expect(wrong).toEqual([]);
        expect(provider.rejected.length).toBeLessThanOrEqual(1);
        expect(provider.rejected.every((fault) => fault.includes("bound to a different conversation"))).toBe(true);
      }),
      { numRuns: 1, seed: 3, endOnFailure: true },
    );
  }, 300_000);
});
