import { getEventListeners } from "node:events";
import { setImmediate as turn } from "node:timers/promises";
import { Agent, type GenerateOptions, model, usesTools } from "../../src/agent/index.js";
import { approve } from "../../src/confirmation/index.js";
import { toAiSdkTools } from "../../src/adapters/ai-sdk/index.js";
import { toLangChainTools } from "../../src/adapters/langchain/index.js";
import { ScriptedModel } from "../../src/models/index.js";
import { createTool } from "../../src/tool/index.js";

const hello = createTool({
  name: "hello",
  description: "Says hello.",
  inputSchema: { type: "object" },
  execute: async (_, { abortSignal }) => {
    abortSignal.throwIfAborted();
    await turn();
    return "Hello.";
  },
});
const gated = createTool({
  name: "gated",
  description: "Asks.",
  inputSchema: { type: "object" },
  requiresConfirmation: true,
  execute: () => "Done.",
});

@model(() => new ScriptedModel([{ toolCalls: [{ name: "hello" }, { name: "gated" }] }, "Done."]), { timeout: 5_000 })
@usesTools([hello, gated])
class HelloAgent extends Agent {}

/** Signals that were made of this one by AbortSignal.any aren't among its listeners: Node keeps them in a set of their own. */
const dependants = (signal: AbortSignal): number =>
  Object.getOwnPropertySymbols(signal)
    .filter((symbol) => /dependant/i.test(String(symbol)))
    .reduce((sum, symbol) => sum + ((signal as unknown as Record<symbol, { readonly size?: number } | undefined>)[symbol]?.size ?? 0), 0);

const heldBy = (signal: AbortSignal): number => getEventListeners(signal, "abort").length + dependants(signal);

const works: Readonly<Record<string, (abortSignal: AbortSignal) => Promise<unknown>>> = {
  "a run": (abortSignal) => new HelloAgent().generate("Go", { abortSignal, confirm: approve }),
  "a run with a wall time": (abortSignal) =>
    new HelloAgent().generate("Go", { abortSignal, confirm: approve, budget: { wallTime: 60_000 } }),
  "a run that pauses": (abortSignal) => new HelloAgent().generate("Go", { abortSignal }),
  "a streamed run": (abortSignal) => new HelloAgent().stream("Go", { abortSignal, confirm: approve }).response,
  "a stream that is left": async (abortSignal) => {
    const stream = new HelloAgent().stream("Go", { abortSignal });
    for await (const _event of stream) break;
    await stream.response;
  },
  "a run that can't begin": (abortSignal) =>
    new HelloAgent()
      .generate("Go", { abortSignal, budget: { wallTime: 60_000 }, maxSteps: -1 } satisfies GenerateOptions)
      .catch(() => undefined),
  "a call through the AI SDK": async (abortSignal) => {
    const tools = toAiSdkTools([hello, gated], { scope: { abortSignal } });
    const call = { toolCallId: "call_1", messages: [], abortSignal: new AbortController().signal };
    await tools.hello?.execute?.({}, call);
    const needsApproval = tools.gated?.needsApproval as ((input: unknown, call: unknown) => Promise<boolean>) | undefined;
    await needsApproval?.({}, call);
  },
  "a call of the AI SDK with a signal that lives on": async (abortSignal) => {
    const tools = toAiSdkTools([hello], { scope: () => ({ abortSignal: new AbortController().signal }) });
    await tools.hello?.execute?.({}, { toolCallId: "call_1", messages: [], abortSignal });
  },
  "a call through LangChain": async (abortSignal) => {
    const [tool] = toLangChainTools([hello], { scope: { abortSignal } });
    await tool?.invoke({}, { signal: new AbortController().signal });
  },
};

describe.each(Object.keys(works))("a signal that lives as long as the process, after %s", (name) => {
  it("holds nothing of it", async () => {
    const { signal } = new AbortController();
    for (let round = 0; round < 20; round += 1) await works[name]!(signal);
    await turn();
    expect(heldBy(signal)).toBe(0);
  });
});

it("what AbortSignal.any holds would be seen", () => {
  const { signal } = new AbortController();
  const joined = AbortSignal.any([signal, new AbortController().signal]);
  expect(heldBy(signal)).toBe(1);
  expect(joined.aborted).toBe(false);
});
