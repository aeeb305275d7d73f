import fc from "fast-check";
import type { Agent, AgentEvent, AgentResponse, ResumeOptions } from "../../src/agent/index.js";
import { approve, approveEdited, type Confirmation, type Decision, DecisionError, deny } from "../../src/confirmation/index.js";
import type { RunState } from "../../src/loop/index.js";
import { isInterrupt } from "../../src/tool/internal.js";
import { isPaired } from "../support/paired.js";
import { StreamWatch } from "../support/stream-watch.js";
import { type CallKind, callKinds, type Plan, World } from "../support/world.js";
import { repeats } from "../support/repeats.js";

/** What a person does with one confirmation. `invalid` and `twice` are refused; then it is approved. */
const answers = ["approve", "deny", "edit", "leave", "invalid", "twice"] as const;
type Answer = (typeof answers)[number];

/** What happens from outside at the nth moment: a model is asked, a tool begins or ends. */
interface Disturbance {
  readonly moment: number;
  readonly what: "abort" | "interrupt";
}

interface Life {
  readonly plan: Plan;
  readonly streamed: boolean;
  readonly concurrency: number;
  readonly maxSteps: number;
  readonly callsPerTool: number;
  readonly answers: readonly Answer[];
  readonly disturbances: readonly Disturbance[];
  /** The runs, by number, whose confirmations expire at once; whose handler approves; whose state is resumed twice. */
  readonly expiring: readonly number[];
  readonly handled: readonly number[];
  readonly forked: readonly number[];
}

const calm: Omit<Life, "plan"> = {
  streamed: false,
  concurrency: 10,
  maxSteps: 16,
  callsPerTool: 100,
  answers: [],
  disturbances: [],
  expiring: [],
  handled: [],
  forked: [],
};

/** No life has more runs than this: each is paused by a person, a disturbance, a limit or an interrupt. */
const mostRuns = 60;

/** One run of a model, from its start to its end, over as many processes as it takes. */
class LifeOfRun {
  readonly world: World;
  /** The amounts with which each gated call was approved. */
  readonly approved = new Map<string, number[]>();
  readonly #life: Life;
  readonly #watch = new StreamWatch();
  #moment = 0;
  #run = 0;
  #asked = 0;
  #left = 0;
  #agent: Agent | undefined;
  #controller = new AbortController();

  constructor(life: Life) {
    this.#life = life;
    this.world = new World(life.plan);
    this.world.onMoment = () => this.#disturb();
  }

  /** The agent at the end, whose run can't be resumed any more, and its last response. */
  async live(): Promise<{ readonly agent: Agent; readonly response: AgentResponse }> {
    let state = await this.#carryOut(undefined, []);
    while (state.state !== undefined) {
      this.#run += 1;
      if (this.#run > mostRuns) throw new Error("The run doesn't end.");
      const stored = JSON.parse(JSON.stringify(state.state)) as RunState;
      const decisions = await this.#decide(stored, state.confirmations);
      state = await this.#carryOut(stored, decisions);
      if (this.#life.forked.includes(this.#run)) await this.#resumeTwice(stored, decisions);
    }
    if (state.response === undefined) throw new Error("A run that threw can be resumed.");
    return { agent: state.agent, response: state.response };
  }

  async #carryOut(from: RunState | undefined, decisions: readonly Decision[]) {
    const agent = this.world.agent();
    this.#agent = agent;
    this.#controller = new AbortController();
    const options = { ...this.#options(), abortSignal: this.#controller.signal };
    try {
      const response = await this.#respond(agent, from, { ...options, decisions });
      return { agent, response, state: response.state, confirmations: response.confirmations ?? [] };
    } catch (error) {
      if (!isInterrupt(error)) throw error;
      return { agent, response: undefined, state: agent.state, confirmations: [] };
    }
  }

  #options(): ResumeOptions {
    const { concurrency, maxSteps, callsPerTool, expiring, handled } = this.#life;
    const handler = (confirmation: Confirmation): Decision => {
      this.#count(confirmation, 1);
      return approve(confirmation);
    };
    return {
      concurrency,
      maxSteps,
      budget: { callsPerTool },
      claims: this.world.claims,
      ...(expiring.includes(this.#run) && { confirmationTimeout: 0 }),
      ...(handled.includes(this.#run) && { confirm: handler }),
    };
  }

  async #respond(agent: Agent, from: RunState | undefined, { decisions = [], ...options }: ResumeOptions): Promise<AgentResponse> {
    if (!this.#life.streamed) {
      return from === undefined ? agent.generate("Go", withoutClaims(options)) : agent.resume(from, { ...options, decisions });
    }
    const stream = from === undefined ? agent.stream("Go", withoutClaims(options)) : agent.resumeStream(from, { ...options, decisions });
    const events: AgentEvent[] = [];
    try {
      for await (const event of stream) events.push(event);
    } finally {
      this.#watch.check(events);
    }
    return stream.response;
  }

  /** A person decides about some of the calls that wait; where all were left, and left again, they are approved. */
  async #decide(state: RunState, confirmations: readonly Confirmation[]): Promise<readonly Decision[]> {
    const decisions: Decision[] = [];
    for (const confirmation of confirmations) {
      const choice = this.#life.answers[this.#asked++] ?? "approve";
      if (choice === "leave" && this.#left++ < 5) continue;
      decisions.push(await this.#decideOne(state, confirmation, choice));
    }
    // Those that expire at once have expired by now.
    await new Promise((resolve) => setTimeout(resolve, 2));
    return decisions;
  }

  async #decideOne(state: RunState, confirmation: Confirmation, choice: Answer): Promise<Decision> {
    switch (choice) {
      case "deny":
        return deny(confirmation, "no");
      case "edit":
        this.#count(confirmation, 7);
        return approveEdited(confirmation, { call: confirmation.input.call, amount: 7 });
      case "invalid":
        await this.#isRefused(state, [approveEdited(confirmation, { amount: "much" })], "invalid_arguments");
        break;
      case "twice":
        await this.#isRefused(state, [approve(confirmation), deny(confirmation)], "decided_twice");
    }
    this.#count(confirmation, 1);
    return approve(confirmation);
  }

  #count({ input, expiresAt, requestedAt }: Confirmation, amount: number): void {
    // A handler decides in time, however soon its confirmation expires; a person doesn't.
    if (expiresAt === requestedAt) return;
    const call = String(input.call);
    this.approved.set(call, [...(this.approved.get(call) ?? []), amount]);
  }

  async #isRefused(state: RunState, decisions: readonly Decision[], reason: DecisionError["reason"]): Promise<void> {
    const effects = JSON.stringify([...this.world.gatedEffects]);
    const thrown: unknown = await this.world
      .agent()
      .resume(state, { ...this.#options(), decisions })
      .catch((error: unknown) => error);
    expect(thrown instanceof DecisionError ? thrown.reason : thrown).toBe(reason);
    expect(JSON.stringify([...this.world.gatedEffects])).toBe(effects);
  }

  /** A second click: decisions that were used are refused; without any, no gated call runs for a second time. */
  async #resumeTwice(state: RunState, decisions: readonly Decision[]): Promise<void> {
    if (decisions.length > 0) return this.#isRefused(state, decisions, "decided_before");
    const ungated = new Map(this.world.runs);
    await this.world
      .agent()
      .resume(state, this.#options())
      .catch((error: unknown) => {
        if (!isInterrupt(error)) throw error;
      });
    // What a state stopped before, and isn't gated, is done by each run that goes on from it.
    this.world.runs.clear();
    for (const [call, count] of ungated) this.world.runs.set(call, count);
  }

  #disturb(): void {
    this.#moment += 1;
    for (const { moment, what } of this.#life.disturbances) {
      if (moment !== this.#moment) continue;
      if (what === "abort") this.#controller.abort("disturbed");
      else this.#agent?.interrupt("disturbed");
    }
  }
}

const withoutClaims = ({ claims: _claims, ...options }: ResumeOptions) => options;

const kinds = (...names: readonly CallKind[]) =>
  fc.array(fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 3 }), { maxLength: 4 });
const runNumbers = fc.uniqueArray(fc.nat(6), { maxLength: 3 });
const person = fc.array(fc.constantFrom(...answers), { maxLength: 8 });
const disturbances = (...what: Disturbance["what"][]) =>
  fc.array(fc.record({ moment: fc.integer({ min: 1, max: 25 }), what: fc.constantFrom(...what) }), { maxLength: 3 });

/** Lives as small as can be told apart: whatever isn't given is calm. */
const lives = (members: { readonly [Name in keyof Life]?: fc.Arbitrary<Life[Name]> }): fc.Arbitrary<Life> =>
  fc
    .record({ plan: kinds(...callKinds), streamed: fc.boolean(), concurrency: fc.integer({ min: 1, max: 3 }), ...members })
    .map((life) => ({ ...calm, ...life }));

const amounts = (map: ReadonlyMap<string, readonly number[]>) => Object.fromEntries([...map].filter(([, list]) => list.length > 0).sort());

async function holdsFor(life: Life): Promise<LifeOfRun> {
  const run = new LifeOfRun(life);
  const { agent, response } = await run.live();
  expect(response.text).toBe("All is done.");
  expect(run.world.unpaired).toEqual([]);
  expect(isPaired(agent.messages)).toBe(true);
  expect([...run.world.runs].filter(([, count]) => count > 1)).toEqual([]);
  for (const [call, done] of run.world.gatedEffects) {
    const left = [...(run.approved.get(call) ?? [])];
    for (const amount of done) expect(left.splice(left.indexOf(amount), left.includes(amount) ? 1 : 0)).toEqual([amount]);
  }
  return run;
}

const check = (arbitrary: fc.Arbitrary<Life>, property: (life: Life) => Promise<void>) =>
  fc.assert(fc.asyncProperty(arbitrary, property), { numRuns: repeats(60) });

describe("whatever the order of success, failure, throw, timeout, interrupt, pause and resume in a new process", () => {
  it("the run ends with a paired history, and each gated call ran exactly as it was approved", async () => {
    await check(lives({ answers: person }), async (life) => {
      const { world, approved } = await holdsFor(life);
      expect(amounts(world.gatedEffects)).toEqual(amounts(approved));
    });
  });

  it("an interruption at any moment changes nothing of that", async () => {
    await check(lives({ answers: person, disturbances: disturbances("interrupt") }), async (life) => {
      const { world, approved } = await holdsFor(life);
      expect(amounts(world.gatedEffects)).toEqual(amounts(approved));
    });
  });

  it("nor do limits, which the next run has afresh", async () => {
    const limited = { answers: person, maxSteps: fc.integer({ min: 1, max: 3 }), callsPerTool: fc.integer({ min: 1, max: 2 }) };
    await check(lives(limited), async (life) => {
      const { world, approved } = await holdsFor(life);
      expect(amounts(world.gatedEffects)).toEqual(amounts(approved));
    });
  });

  it("nor an approval that comes too late: it runs nothing", async () => {
    await check(lives({ plan: kinds("gated", "agent"), answers: person, expiring: runNumbers }), async (life) => {
      const { world, approved } = await holdsFor(life);
      expect(amounts(world.gatedEffects)).toEqual(amounts(approved));
    });
  });

  it("after aborts at any moments nothing ran twice, or without approval", async () => {
    await check(lives({ answers: person, disturbances: disturbances("abort", "interrupt"), handled: runNumbers }), async (life) => {
      await holdsFor(life);
    });
  });

  it("a state that is resumed twice, with its decisions or without, runs no gated call twice", async () => {
    const twice = { answers: person, disturbances: disturbances("abort", "interrupt"), handled: runNumbers, forked: runNumbers };
    await check(lives({ plan: kinds("gated", "work", "agent"), ...twice }), async (life) => {
      await holdsFor(life);
    });
  });
});

describe("stream and generate", () => {
  it("give the same responses for the same run", async () => {
    await check(lives({}), async ({ plan, concurrency }) => {
      const respond = async (streamed: boolean) => {
        const { agent, response } = await new LifeOfRun({ ...calm, plan, concurrency, streamed }).live();
        const { runId: _own, ...rest } = response;
        return { ...rest, history: agent.messages };
      };
      expect(await respond(true)).toEqual(await respond(false));
    });
  });
});
