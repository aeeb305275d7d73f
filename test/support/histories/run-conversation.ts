import type * as Toolwright from "../../../src/index.js";
import type * as Models from "../../../src/models/index.js";
import type { Wire } from "./rules.js";
import type { RuleProvider } from "./rule-provider.js";
import { type PlannedCall, type PlannedStep, toolKinds, type Turn } from "./plans.js";

type Library = typeof Toolwright & typeof Models;

/** What the histories are made with: the library from its source or as it is installed, and the models of its providers. */
export interface World {
  readonly library: Library;
  readonly provider: RuleProvider;
  readonly models: Readonly<Record<Wire, unknown>>;
}

/** A red dot. */
const picture = "iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==";

/**
 * Holds a conversation with an agent, and gives it at its end. Requests that a provider rejects are kept by the server; a run that fails
 * for another reason is thrown.
 */
export async function runConversation(turns: readonly Turn[], world: World): Promise<readonly Toolwright.Message[]> {
  const { library, provider } = world;
  const talk = new Talk(world);
  let agent = talk.newAgent();
  for (const turn of turns) {
    if (turn.isRestored) agent = talk.newAgent().restore(structuredClone(agent.messages));
    const controller = new AbortController();
    const toolContext = { turn, controller };
    provider.replies.length = 0;
    provider.replies.push(...turn.steps.map((step) => (wire: Wire) => talk.reply(step, wire)));
    provider.replies.push(() => ({ text: turn.answer, calls: [] }));
    provider.failures = turn.fallback === null ? 0 : 1;
    const { toolChoice } = turn;
    let response = await agent.generate(promptOf(turn), {
      toolContext,
      abortSignal: controller.signal,
      maxSteps: turn.maxSteps,
      ...(toolChoice !== null && { toolChoice: toolChoice === "work" ? { tool: "work" } : toolChoice }),
    });
    if (response.outcome.reason === "awaiting_confirmation" && turn.decision !== null && response.state !== undefined) {
      const { approve, deny } = library;
      const decisions = (response.confirmations ?? []).map(({ callId }) => (turn.decision === "approve" ? approve(callId) : deny(callId)));
      response = await agent.resume(response.state, { decisions, toolContext, abortSignal: controller.signal });
    }
    if (response.outcome.reason === "model_error" && provider.rejected.length === 0) throw response.error;
  }
  return agent.messages;
}

const promptOf = ({ prompt }: Turn): Toolwright.Prompt => {
  const image: Toolwright.ContentPart = { type: "image", mediaType: "image/png", data: picture };
  if (prompt === "text") return "Go on.";
  return prompt === "image" ? [image] : [{ type: "text", text: "What is this?" }, image];
};

interface Context {
  readonly turn: Turn;
  readonly controller: AbortController;
}

/** The tools, the agent and the ids of one conversation. */
class Talk {
  readonly #world: World;
  readonly #agentClass: new () => Toolwright.Agent;
  #calls = 0;

  constructor(world: World) {
    this.#world = world;
    this.#agentClass = this.#defineAgent();
  }

  newAgent(): Toolwright.Agent {
    return new this.#agentClass();
  }

  reply({ text, calls }: PlannedStep, wire: Wire) {
    return { text, calls: calls.map((call) => ({ id: this.#idOf(call, wire), name: call.tool, arguments: { n: 1 } })) };
  }

  #defineAgent(): new () => Toolwright.Agent {
    const { library } = this.#world;
    const tools = new Map(toolKinds.filter((kind) => kind !== "unknown").map((kind) => [kind, makeTool(library, kind)]));
    const modelOf = (wire: Wire) => new library.AiSdkModel(this.#world.models[wire] as Models.AiSdkLanguageModel);
    const chosen = ({ wire, fallback }: Turn) =>
      fallback === null ? modelOf(wire) : library.withFallback([modelOf(wire), modelOf(fallback)]);

    @library.model((context) => chosen((context as unknown as Context).turn), { retries: 0 })
    @library.instructions("Be brief.")
    @library.usesTools([...tools.values()])
    class HistoryAgent extends library.Agent {
      override prepareStep({ step, context }: Toolwright.StepSituation): Toolwright.StepChanges {
        const { turn } = context as unknown as Context;
        const planned = turn.steps[step - 1];
        if (step === 1 || planned === undefined) return {};
        const work = tools.get("work");
        return {
          model: modelOf(planned.wire),
          ...(planned.tools === "none" && { tools: [] }),
          ...(planned.tools === "one" && work !== undefined && { tools: [work] }),
        };
      }
    }
    return HistoryAgent;
  }

  #idOf({ id }: PlannedCall, wire: Wire): string {
    const number = id === "repeated" ? 1 : ++this.#calls;
    if (id === "missing" && wire === "openai-compatible") return "";
    if (id === "long") return `call_${String(number).padStart(80, "x")}`;
    if (id === "punctuated") return `functions.work:${number}`;
    const digits = String(number).padStart(9, "0");
    if (wire === "mistral") return digits;
    return wire === "anthropic" || wire === "amazon-bedrock" ? `toolu_${digits}` : `call_${digits}`;
  }
}

function makeTool({ createTool, failure, image }: Library, kind: string): Toolwright.ToolClass {
  const results: Readonly<Record<string, unknown>> = {
    empty: "",
    blank: " \n",
    fail: failure("It is broken."),
    picture: ["It is red:", image(picture, "image/png")],
  };
  return createTool({
    name: kind,
    description: `Does ${kind}. Use when asked to.`,
    inputSchema: { type: "object", properties: { n: { type: "integer" } } },
    ...(kind === "gated" && { requiresConfirmation: true }),
    execute: (_input, context) => {
      if (kind === "abort") (context as unknown as Context).controller.abort(new Error("The user left."));
      return results[kind] ?? "done";
    },
  });
}
