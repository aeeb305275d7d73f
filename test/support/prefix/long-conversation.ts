import type { Arbitrary } from "fast-check";
import type * as Main from "../../../src/index.js";
import type * as Models from "../../../src/models/index.js";
import type * as Storage from "../../../src/storage/index.js";
import type { FastCheck } from "../histories/plans.js";
import { png } from "../pictures.js";
import type { Answering, Definitions, Said, StandIn } from "./stand-in.js";

/** The library from its source, or as it is installed. */
export type Library = typeof Main & typeof Models & typeof Storage;

/** A tool isn't there, or as it is defined now, or as a later deployment defines it. */
type Version = 0 | 1 | 2;

const names = ["search", "refund", "audit", "mail", "pay", "draw"] as const;
/** Those that the model must find first. */
const deferredNames = ["export", "invite"] as const;
const searchName = "search_tools";

interface Step {
  readonly does: "call" | "search" | "fail";
  readonly pick: number;
  readonly count: number;
  /** Whether the agent narrows the tools of the step. */
  readonly narrowed: boolean;
}

export interface Turn {
  readonly says: string | null;
  readonly offered: readonly Version[];
  readonly deferred: readonly Version[];
  readonly steps: readonly Step[];
  /**
   * What happened before the turn: nothing, the conversation was stored and loaded, or its first message was edited; or other processes
   * resume its runs.
   */
  readonly before: "stay" | "stored" | "edited" | "resumed";
  /** What a person says to the calls that wait; the conversation may also go on without them. */
  readonly decision: "approve" | "deny" | "none";
  /** Whether the answers are streamed. */
  readonly isStreamed: boolean;
  /** The run may end before the model has answered. */
  readonly maxSteps: number;
}

/** Conversations of 200 to 250 steps. */
export function longConversations(fc: FastCheck): Arbitrary<readonly Turn[]> {
  const version = fc.constantFrom<Version>(0, 1, 1, 1, 1, 1, 2);
  const step = fc.record({
    does: fc.constantFrom("call", "call", "call", "call", "call", "search", "fail"),
    pick: fc.nat(100),
    count: fc.constantFrom(1, 1, 2),
    narrowed: fc.constantFrom(false, false, true),
  });
  const turn = fc.record({
    says: fc.constantFrom("Be brief.", "Be brief.", "Be brief.", "Be kind.", null),
    offered: fc.tuple(...names.map(() => version)),
    deferred: fc.tuple(...deferredNames.map(() => version)),
    steps: fc.array(step, { minLength: 7, maxLength: 9 }),
    before: fc.constantFrom("stay", "stay", "stored", "resumed"),
    decision: fc.constantFrom("approve", "deny", "none"),
    isStreamed: fc.constantFrom(false, false, true),
    maxSteps: fc.constantFrom(20, 20, 20, 20, 6),
  });
  // The first request has the search, so that each provider's form of it is that of the conversation.
  const searching = ([first, ...others]: readonly Turn[]): readonly Turn[] =>
    first === undefined ? [] : [{ ...first, deferred: [1, 1], steps: first.steps.map((one) => ({ ...one, narrowed: false })) }, ...others];
  return fc.array(turn, { minLength: 34, maxLength: 34 }).map(searching);
}

/** The turns with one definition of each tool, and with instructions: both still change. */
export const withoutRedefinitions = (turns: readonly Turn[]): readonly Turn[] => {
  const first = (versions: readonly Version[]): readonly Version[] => versions.map((version) => (version === 0 ? 0 : 1));
  return turns.map((turn) => ({
    ...turn,
    says: turn.says ?? "Be honest.",
    offered: first(turn.offered),
    deferred: first(turn.deferred),
  }));
};

/** The turns with one definition of each deferred tool. */
export const withoutRedefinedDeferred = (turns: readonly Turn[]): readonly Turn[] =>
  turns.map((turn) => ({ ...turn, deferred: turn.deferred.map((version) => (version === 0 ? 0 : 1)) }));

/** What an answered request was to offer, compared with the answered one before. */
export interface Offer {
  /** Whether it has other tools or instructions. */
  readonly isOther: boolean;
  /** Whether it has a tool of a name that no request had before, and that the step before hasn't found. */
  readonly isNew: boolean;
  /** Whether it has a tool that no request had before, and that the step before has found. */
  readonly isFound: boolean;
  /** Whether it has a tool that was there with another definition before. */
  readonly isRedefined: boolean;
  /** How many definitions it has that no request had before, or another one. */
  readonly definitions: number;
}

export interface Held {
  readonly provider: StandIn;
  /** The provider that is asked if that one fails. */
  readonly other?: StandIn;
  /** Steps in which the model was offered other tools than the user has, and calls of unknown tools. */
  readonly wrong: readonly string[];
  readonly warnings: readonly string[];
  readonly offers: readonly Offer[];
  /** The answered requests of which a listener received that their beginning changed, by their places in `provider.repetitions`. */
  readonly reported: readonly number[];
  /** Those that are the first of a process, which doesn't know the one before. */
  readonly unknown: readonly number[];
  readonly steps: number;
  /** How many results had a picture, and how many calls were of a found tool. */
  readonly pictures: number;
  readonly foundCalls: number;
}

/** Makes a provider with these answers, and its model. */
export type Connect = (answer: Answering) => { readonly provider: StandIn; readonly model: unknown };

export interface Setting {
  readonly library: Library;
  readonly connect: Connect;
  /** The provider that is asked if that one fails; by default, a model without rules. */
  readonly connectOther?: Connect;
  readonly limits?: Main.HistoryLimits;
  readonly options?: Main.ModelOptions;
}

type LanguageModels = readonly [Models.AiSdkLanguageModel, ...Models.AiSdkLanguageModel[]];

/** Holds a conversation of these turns. Throws if a run of it fails. */
export async function converse(turns: readonly Turn[], setting: Setting): Promise<Held> {
  const { library, limits = { maxTurns: 10_000 }, options = {} } = setting;
  const talk = new Talk(library, turns[0] as Turn);
  const { provider, model } = setting.connect(talk.answer);
  const other = setting.connectOther?.(talk.answerInstead);
  const models = [model, ...(other === undefined ? [] : [other.model])] as unknown as LanguageModels;
  const LongAgent = talk.defineAgent(models, limits, options);
  let agent = new LongAgent();
  const warnings: string[] = [];
  const reported: number[] = [];
  const unknown: number[] = [];
  const listeners: readonly Main.AgentListener[] = [
    {
      modelFinished: ({ response }) => void warnings.push(...(response?.warnings ?? [])),
      prefixChanged: () => void reported.push(provider.repetitions.length - 1),
    },
  ];
  const goesOnElsewhere = (): void => void unknown.push(provider.repetitions.length);
  for (const turn of turns) {
    talk.begin(turn);
    if (turn.before === "stored") {
      const store = new library.MemoryConversationStore();
      await agent.save(store, "ada");
      agent = await new LongAgent().load(store, "ada");
      goesOnElsewhere();
    }
    if (turn.before === "edited") {
      const [, ...others] = agent.messages;
      agent.restore([{ role: "user", content: "Go on, please." }, ...others]);
    }
    const { maxSteps, decision } = turn;
    const options = { maxSteps, listeners };
    let response = await (turn.isStreamed ? agent.stream("Go on.", options).response : agent.generate("Go on.", options));
    while (response.reason === "awaiting_confirmation" && decision !== "none") {
      const decide = decision === "approve" ? library.approve : library.deny;
      const decisions = response.confirmations.map(({ callId }) => decide(callId));
      const state = JSON.parse(JSON.stringify(response.state));
      if (turn.before === "resumed") agent = new LongAgent();
      goesOnElsewhere();
      response = await agent.resume(state, { decisions, maxSteps, listeners });
    }
    if (!["success", "max_steps", "awaiting_confirmation"].includes(response.reason))
      throw new Error(
        `${response.reason}: ${response.outcome.detail}; rejected: ${rejectedBy([provider, ...(other === undefined ? [] : [other.provider])])}`,
      );
    for (const { name, errorType } of response.steps.flatMap(({ toolCalls }) => toolCalls))
      if (errorType === "unknown_tool" && !talk.withdrawnCalls.has(name)) talk.wrong.push(`${name} was unknown`);
  }
  const { wrong, offers, steps, pictures, foundCalls } = talk;
  const held = { provider, wrong, warnings, offers, reported, unknown, steps, pictures, foundCalls };
  return other === undefined ? held : { ...held, other: other.provider };
}

const rejectedBy = (providers: readonly StandIn[]): string => providers.flatMap(({ rejected }) => rejected).join("\n");

/** The tools, the agent and the models of one conversation, and where it is. */
class Talk {
  readonly wrong: string[] = [];
  readonly offers: Offer[] = [];
  steps = 0;
  pictures = 0;
  foundCalls = 0;
  /** Names of tools that the model called after they were withdrawn, in this turn. */
  readonly withdrawnCalls = new Set<string>();
  readonly #library: Library;
  readonly #tools: ReadonlyMap<string, readonly Main.ToolClass[]>;
  #turn: Turn;
  #step = 0;
  readonly #found = new Set<string>();
  #foundLast: string | undefined;
  /** By name, the version that was offered last. */
  readonly #known = new Map<string, number>();
  #latest: string | undefined;
  #since = { isNew: false, isFound: false, isRedefined: false, definitions: 0 };
  #foreignCalls = 0;
  /** The tools that may run: those that the answer could call. */
  #callable: ReadonlySet<string> = new Set();

  constructor(library: Library, first: Turn) {
    this.#library = library;
    this.#turn = first;
    this.#tools = new Map([...names, ...deferredNames].map((name) => [name, [this.#makeTool(name, 1), this.#makeTool(name, 2)]]));
  }

  begin(turn: Turn): void {
    this.#turn = turn;
    this.#step = 0;
    this.withdrawnCalls.clear();
  }

  readonly answer: Answering = (declared, keepsWithdrawn) => {
    this.#compare(declared, keepsWithdrawn);
    if (this.#turn.steps[this.#step]?.does === "fail") return "overloaded";
    this.#noteAnswered();
    return this.#say(declared);
  };

  /** The answer of the provider that is asked because the other one has failed. */
  readonly answerInstead: Answering = (declared, keepsWithdrawn) => {
    this.#compare(declared, keepsWithdrawn);
    return this.#say(declared);
  };

  #say(declared: Definitions): Said {
    const planned = this.#turn.steps[this.#step];
    const expected = this.#expected();
    this.#step += 1;
    this.steps += 1;
    this.#callable = new Set(expected.keys());
    if (planned === undefined) return { text: "Done." };
    const offered = [...declared.keys()].filter((name) => expected.has(name));
    const withdrawn = [...declared.keys()].find((name) => !expected.has(name));
    if (withdrawn !== undefined && planned.pick % 5 === 0) {
      this.withdrawnCalls.add(withdrawn);
      return { calls: [{ name: withdrawn, arguments: {} }] };
    }
    if (planned.does === "search" && offered.includes(searchName)) return { calls: [this.#searchFor(planned)] };
    const callable = offered.filter((name) => name !== searchName);
    if (callable.length === 0) return { text: "I have no tool." };
    const called = Array.from({ length: planned.count }, (_, index) => callable[(planned.pick + index) % callable.length] as string);
    if (called.some((name) => this.#found.has(name))) this.foundCalls += 1;
    return {
      ...(planned.pick % 3 === 0 && { text: `Step ${planned.pick}.` }),
      calls: called.map((name) => ({ name, arguments: {} })),
    };
  }

  /** Without a second model, one without rules takes over. */
  defineAgent([first, ...further]: LanguageModels, limits: Main.HistoryLimits, options: Main.ModelOptions): new () => Main.Agent {
    const {
      Agent,
      history,
      instructions,
      model: asks,
      modelOptions,
      toolSearch,
      usesTools,
      AiSdkModel,
      ScriptedModel,
      withFallback,
    } = this.#library;
    // Decorators and classes within can't have the private members in each compiler.
    const narrowed = (): Main.StepChanges => this.#narrowed();
    // Calls of the last step that a run may take aren't run.
    const search = (query: string, offered: readonly { readonly name: string }[]): readonly string[] => {
      if (!offered.some(({ name }) => name === query)) return [];
      this.#found.add(query);
      this.#foundLast = query;
      return [query];
    };
    const says = (): string => this.#turn.says as string;
    const tools = () => [...this.#wanted(names, this.#turn.offered), ...this.#wanted(deferredNames, this.#turn.deferred)];
    const others = new ScriptedModel(
      Array.from(
        { length: 1_000 },
        () =>
          ({ tools }) =>
            this.#foreignAnswer(tools),
      ),
    );

    @asks(() => withFallback([new AiSdkModel(first), ...further.map((one) => new AiSdkModel(one)), others]), { retries: 0 })
    @instructions(says)
    @usesTools(tools)
    @toolSearch(search)
    @history(limits)
    @modelOptions(options)
    class LongAgent extends Agent {
      override prepareStep(_: Main.StepSituation): Main.StepChanges {
        return narrowed();
      }
    }
    return LongAgent;
  }

  #narrowed(): Main.StepChanges {
    const { steps, offered } = this.#turn;
    return steps[this.#step]?.narrowed === true ? { tools: this.#wanted(names, offered).slice(0, 2) } : {};
  }

  #wanted(all: readonly string[], versions: readonly Version[]): readonly Main.ToolClass[] {
    return all.flatMap((name, index) => this.#tools.get(name)?.[(versions[index] ?? 0) - 1] ?? []);
  }

  /** By name, the versions that the model is to have now. */
  #expected(): ReadonlyMap<string, number> {
    const { offered, deferred, steps } = this.#turn;
    const versionsOf = (all: readonly string[], versions: readonly Version[]): [string, number][] =>
      all.flatMap((name, index) => (versions[index] ? [[name, versions[index]]] : []));
    const own = versionsOf(names, offered);
    if (steps[this.#step]?.narrowed === true) return new Map(own.slice(0, 2));
    const hidden = versionsOf(deferredNames, deferred);
    const found = hidden.filter(([name]) => this.#found.has(name));
    return new Map([...own, ...(hidden.length > 0 ? [[searchName, 1] as const] : []), ...found]);
  }

  #compare(declared: Definitions, keepsWithdrawn = false): void {
    const expected = this.#expected();
    const offered = [...declared.keys()].filter((name) => expected.has(name) || !keepsWithdrawn);
    const [is, be] = [offered.sort(), [...expected.keys()].sort()].map((list) => list.join());
    if (is !== be) this.wrong.push(`${is} instead of ${be}`);
    for (const [name, version] of expected) {
      if (name !== searchName && !JSON.stringify(declared.get(name) ?? "").includes(`"input_${version}"`))
        this.wrong.push(`${name} isn't of version ${version}`);
      if (!this.#known.has(name)) this.#since[this.#foundLast === name ? "isFound" : "isNew"] = true;
      else if (this.#known.get(name) !== version) this.#since.isRedefined = true;
      if (this.#known.get(name) !== version) this.#since.definitions += 1;
      this.#known.set(name, version);
    }
    this.#foundLast = undefined;
  }

  #noteAnswered(): void {
    const now = JSON.stringify([[...this.#expected()].sort(), this.#turn.says]);
    if (this.#latest !== undefined) this.offers.push({ isOther: now !== this.#latest, ...this.#since });
    this.#latest = now;
    this.#since = { isNew: false, isFound: false, isRedefined: false, definitions: 0 };
  }

  #searchFor({ pick }: Step) {
    const index = pick % deferredNames.length;
    const name = deferredNames[index] as string;
    return { name: searchName, arguments: { query: name } };
  }

  /** What the other model says: it calls a tool, too. */
  #foreignAnswer(tools: readonly Models.ModelTool[]) {
    const planned = this.#turn.steps[this.#step];
    this.#step += 1;
    this.steps += 1;
    const callable = tools.filter(({ name }) => name !== searchName);
    this.#callable = new Set(callable.map(({ name }) => name));
    const tool = planned === undefined ? undefined : callable[planned.pick % Math.max(callable.length, 1)];
    this.#foreignCalls += 1;
    return tool === undefined ? "From another model." : { toolCalls: [{ id: `other_${this.#foreignCalls}`, name: tool.name }] };
  }

  #makeTool(name: string, version: number): Main.ToolClass {
    const { createTool, image } = this.#library;
    return createTool({
      name,
      description: `Does ${name}, version ${version}. Use when asked to.`,
      requiresConfirmation: name === "pay",
      deferred: (deferredNames as readonly string[]).includes(name),
      inputSchema: { type: "object", properties: { [`input_${version}`]: { type: "string" } } },
      execute: () => {
        if (!this.#callable.has(name)) this.wrong.push(`${name} ran after it was withdrawn`);
        if (name !== "draw") return "done";
        this.pictures += 1;
        return ["It looks like this:", image(png(this.pictures % 256), "image/png")];
      },
    });
  }
}
