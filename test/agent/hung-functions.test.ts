import { setImmediate as turn } from "node:timers/promises";
import {
  Agent,
  type AgentResponse,
  type GenerateOptions,
  guardrail,
  instructions,
  model,
  pass,
  type ResumeOptions,
  usesTools,
} from "../../src/agent/index.js";
import { approve } from "../../src/confirmation/index.js";
import type { DecisionClaims } from "../../src/storage/index.js";
import type { RunState } from "../../src/loop/index.js";
import { ScriptedModel } from "../../src/models/index.js";
import { createTool, description, requiresConfirmation, returns, Tool } from "../../src/tool/index.js";

/** Code of the application that never answers; the test may let it fail in the end. */
class Hung {
  readonly #reject: ((error: Error) => void)[] = [];
  waiting = 0;
  isHanging = true;

  readonly hang = async (): Promise<never> => {
    if (!this.isHanging) return undefined as never;
    this.waiting += 1;
    return new Promise((_, reject) => this.#reject.push(reject));
  };

  failLate(): void {
    for (const reject of this.#reject.splice(0)) reject(new Error("Too late."));
  }
}

@description("Refunds.")
@requiresConfirmation()
class RefundTool extends Tool {
  call() {
    effects.push("refund");
    return "Refunded.";
  }
}
const effects: string[] = [];
beforeEach(() => effects.splice(0));

const answer = () => new ScriptedModel(["Hello.", "Hello again."]);
const call = () => new ScriptedModel([{ toolCalls: [{ name: "refund_tool" }] }, "Done."]);

type Case = (hung: Hung) => { readonly agent: Agent; readonly options?: GenerateOptions };

/** Each agent hangs in one function of the application. */
const cases: Readonly<Record<string, Case>> = {
  "the resolver of @usesTools": ({ hang }) => {
    @model(answer())
    @usesTools(async () => (await hang()) ?? [])
    class HungAgent extends Agent {}
    return { agent: new HungAgent() };
  },
  "an overridden tools()": ({ hang }) => {
    @model(answer())
    class HungAgent extends Agent {
      override async tools() {
        return (await hang()) ?? [];
      }
    }
    return { agent: new HungAgent() };
  },
  "the function of @instructions": ({ hang }) => {
    @model(answer())
    @instructions(async () => (await hang()) ?? "Be kind.")
    class HungAgent extends Agent {}
    return { agent: new HungAgent() };
  },
  "the function of @model": ({ hang }) => {
    @model(async () => (await hang()) ?? answer())
    class HungAgent extends Agent {}
    return { agent: new HungAgent() };
  },
  "a container that makes a guardrail": ({ hang }) => {
    class Guard {
      constructor(readonly service: unknown) {}
      checkInput() {
        return pass();
      }
    }
    @model(answer())
    @guardrail("before", Guard)
    class HungAgent extends Agent {}
    return { agent: new HungAgent(), options: { container: { get: async () => (await hang()) ?? new Guard(1) } } };
  },
  "a guardrail on the prompt": ({ hang }) => {
    @model(answer())
    @guardrail("before", { checkInput: async () => (await hang()) ?? pass() })
    class HungAgent extends Agent {}
    return { agent: new HungAgent() };
  },
  "a guardrail on the answer": ({ hang }) => {
    @model(answer())
    @guardrail("after", { checkOutput: async () => (await hang()) ?? pass() })
    class HungAgent extends Agent {}
    return { agent: new HungAgent() };
  },
  prepareStep: ({ hang }) => {
    @model(answer())
    class HungAgent extends Agent {
      override async prepareStep() {
        return (await hang()) ?? {};
      }
    }
    return { agent: new HungAgent() };
  },
  "a confirmation handler": ({ hang }) => {
    @model(call())
    @usesTools([RefundTool])
    class HungAgent extends Agent {}
    return { agent: new HungAgent(), options: { confirm: async (confirmation) => (await hang()) ?? approve(confirmation) } };
  },
  "a confirmation rule": ({ hang }) => {
    const gated = createTool({
      name: "refund_tool",
      description: "Refunds.",
      inputSchema: { type: "object" },
      timeout: 0,
      requiresConfirmation: async () => (await hang()) ?? false,
      execute: () => "Refunded.",
    });
    @model(call())
    @usesTools([gated])
    class HungAgent extends Agent {}
    return { agent: new HungAgent() };
  },
  "a container that makes a tool": ({ hang }) => {
    @description("Made with a service.")
    class RefundTool extends Tool {
      constructor(readonly service: unknown) {
        super();
      }
      call() {
        return "Refunded.";
      }
    }
    @model(call())
    @usesTools([RefundTool])
    class HungAgent extends Agent {}
    return { agent: new HungAgent(), options: { container: { get: async () => (await hang()) ?? new RefundTool(1) } } };
  },
  "the check of a structured answer": ({ hang }) => {
    const schema = {
      "~standard": {
        version: 1 as const,
        vendor: "test",
        validate: async (value: unknown) => (await hang()) ?? { value },
        jsonSchema: { input: () => ({ type: "object" }), output: () => ({ type: "object" }) },
      },
    };
    @model(new ScriptedModel(["{}", "{}"]))
    @returns(schema as never)
    class HungAgent extends Agent {}
    return { agent: new HungAgent() };
  },
  "a function of an agent that it calls": ({ hang }) => {
    @model(answer())
    @description("Hangs.")
    @usesTools(async () => (await hang()) ?? [])
    class RefundTool extends Agent {}
    @model(new ScriptedModel([{ toolCalls: [{ name: "refund_tool", arguments: { prompt: "Go" } }] }, "Done."]))
    @usesTools([RefundTool])
    class HungAgent extends Agent {}
    return { agent: new HungAgent() };
  },
};

/** What a run ends with whose wall time is over once it hangs. */
async function afterWallTime(hung: Hung, begin: (budget: { readonly wallTime: number }) => Promise<AgentResponse>): Promise<AgentResponse> {
  jest.useFakeTimers({ doNotFake: ["nextTick", "setImmediate", "queueMicrotask"] });
  try {
    const running = begin({ wallTime: 5_000 });
    while (hung.waiting === 0) await turn();
    await jest.advanceTimersByTimeAsync(5_000);
    return await running;
  } finally {
    jest.useRealTimers();
  }
}

const ways = ["an abort", "the wall time", "leaving the stream"] as const;

/** Begins a run, waits until it hangs, ends it in one way, and gives what it ended with. */
async function endedBy(way: (typeof ways)[number], agent: Agent, hung: Hung, options: GenerateOptions = {}): Promise<AgentResponse> {
  if (way === "the wall time") return afterWallTime(hung, (budget) => agent.generate("Go", { ...options, budget }));
  const controller = new AbortController();
  const waits = async () => {
    while (hung.waiting === 0) await turn();
  };
  if (way === "an abort") {
    const running = agent.generate("Go", { ...options, abortSignal: controller.signal });
    await waits();
    controller.abort("enough");
    return running;
  }
  const stream = agent.stream("Go", options);
  const reader = stream[Symbol.asyncIterator]();
  await waits();
  await reader.return?.();
  return stream.response;
}

const unhandled: unknown[] = [];
const hear = (error: unknown) => void unhandled.push(error);
beforeAll(() => void process.on("unhandledRejection", hear));
afterAll(() => void process.off("unhandledRejection", hear));

describe.each(Object.keys(cases))("%s that never answers", (name) => {
  it.each(ways)("is left by %s: the run ends, and the instance is free again", async (way) => {
    const hung = new Hung();
    const { agent, options } = cases[name]!(hung);
    const response = await endedBy(way, agent, hung, options);
    expect(response.outcome).toMatchObject(
      way === "the wall time" ? { reason: "budget_exhausted", budget: "wallTime" } : { reason: "aborted" },
    );
    expect(response.state).toBeDefined();
    expect(hung.waiting).toBe(1);
    const history = agent.messages;
    hung.isHanging = false;
    hung.failLate();
    await turn();
    expect(agent.messages).toEqual(history);
    const next = await agent.generate("Go on", { ...options, ...(name === "a confirmation handler" && { confirm: approve }) });
    expect(next.outcome.detail ?? "").not.toMatch(/Too late/);
    expect(unhandled).toEqual([]);
  });
});

describe("claims that never answer", () => {
  const stored = (state: unknown): RunState => JSON.parse(JSON.stringify(state)) as RunState;

  function shop() {
    @model(() => call())
    @usesTools([RefundTool])
    class ShopAgent extends Agent {}
    return ShopAgent;
  }

  const hanging = (hung: Hung, method: "claim" | "has"): DecisionClaims => ({
    claim: () => (method === "claim" ? hung.hang() : true),
    has: () => (method === "has" ? hung.hang() : false),
  });

  it.each(["claim", "has"] as const)("%s: a resumption is aborted, its call waits on, and nothing ran", async (method) => {
    const ShopAgent = shop();
    const { state } = await new ShopAgent().generate("Refund it");
    const hung = new Hung();
    const agent = new ShopAgent();
    const controller = new AbortController();
    const options: ResumeOptions = { decisions: [approve("call_1")], claims: hanging(hung, method), abortSignal: controller.signal };
    const running = agent.resume(stored(state), options);
    while (hung.waiting === 0) await turn();
    controller.abort("enough");
    const response = await running;
    expect(response.reason).toBe("aborted");
    expect(effects).toEqual([]);
    await agent.resume(stored(response.state), { decisions: [approve("call_1")], claims: { claim: () => true } });
    expect(effects).toEqual(["refund"]);
  });

  it("a new prompt is aborted, and the model doesn't read that the call was not run", async () => {
    const ShopAgent = shop();
    const agent = new ShopAgent();
    await agent.generate("Refund it");
    const hung = new Hung();
    const response = await afterWallTime(hung, (budget) => agent.generate("No", { claims: hanging(hung, "claim"), budget }));
    expect(response.outcome).toMatchObject({ reason: "budget_exhausted", budget: "wallTime" });
    expect(agent.messages.map(({ content }) => content)).toContainEqual(expect.stringMatching(/^It isn't known whether this call ran/));
    expect((await agent.generate("And now?")).reason).toBe("awaiting_confirmation");
  });

  it("a handler's yes is aborted", async () => {
    const ShopAgent = shop();
    const { state } = await new ShopAgent().generate("Refund it");
    const hung = new Hung();
    const agent = new ShopAgent();
    const claims = hanging(hung, "claim");
    const response = await afterWallTime(hung, (budget) => agent.resume(stored(state), { confirm: approve, claims, budget }));
    expect(response.reason).toBe("budget_exhausted");
    expect(effects).toEqual([]);
    expect((await agent.generate("And now?", { claims: { claim: () => true } })).reason).toBe("awaiting_confirmation");
  });
});

it("a prompt that its guardrail never judged doesn't join the history", async () => {
  const hung = new Hung();
  const { agent } = cases["a guardrail on the prompt"]!(hung);
  await afterWallTime(hung, (budget) => agent.generate("A secret", { budget }));
  expect(agent.messages).toEqual([]);
});

it("a signal that was aborted before ends the run before any function is asked", async () => {
  const hung = new Hung();
  const { agent } = cases["the resolver of @usesTools"]!(hung);
  expect((await agent.generate("Go", { abortSignal: AbortSignal.abort("enough") })).outcome).toEqual({
    reason: "aborted",
    detail: "enough",
  });
  expect(hung.waiting).toBe(0);
});
