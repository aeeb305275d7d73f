import type { Agent } from "../../agent/index.js";
import { makeAgent } from "../../agent/internal.js";
import { prepareReplay, readRecording, type Recording } from "../../durable/index.js";
import { currentContainer } from "../../execution/internal.js";
import { redactText } from "../../redaction/index.js";
import type { Storage } from "../../storage/index.js";
import { insteadOfName } from "../../tool/internal.js";
import { publicResult, WebRequestError } from "../../web/internal.js";
import type { Chats } from "../agents/chats.js";
import type { RunSteps, StepLine } from "../api.js";
import { badRequest } from "../server/bad-request.js";
import type { JsonObject } from "../server/json-body.js";
import type { StudioAgent } from "../subjects.js";

/** The records of runs of chats and of the storage, and replays of them. A replay is a chat: the application's storage doesn't get it. */
export class Replays {
  readonly #agents: ReadonlyMap<string, StudioAgent>;
  readonly #chats: Chats;
  readonly #storage: Storage | undefined;

  constructor(agents: ReadonlyMap<string, StudioAgent>, chats: Chats, storage: Storage | undefined) {
    this.#agents = agents;
    this.#chats = chats;
    this.#storage = storage;
  }

  /** What is recorded of a run, step by step. */
  async steps(runId: string): Promise<RunSteps> {
    const recording = await readRecording(await this.#storageOf(runId), runId);
    const { agent, context } = recording;
    return { ...{ runId, agent, steps: linesOf(recording) }, ...(context !== undefined && { context }) };
  }

  /** Opens a chat that begins with a replay. */
  async open(runId: string, { step, model, instructions }: JsonObject): Promise<string> {
    if (typeof step !== "number") throw new WebRequestError(400, '"step" must be the number of a step.');
    const journal = await this.#storageOf(runId);
    const { id, agent } = await this.#makeAgent((await readRecording(journal, runId)).agent);
    const options = {
      ...{ journal, step },
      ...(typeof model === "string" && { model }),
      ...(typeof instructions === "string" && { instructions }),
    };
    return this.#chats.openReplay(id, await badRequest(() => prepareReplay(agent, runId, options)));
  }

  /** A new instance, also of an agent that a module exports as an instance: that one has a conversation of its own. */
  async #makeAgent(name: string): Promise<{ readonly id: string; readonly agent: Agent }> {
    const [id, found] = [...this.#agents].find(([, { agent }]) => agent.definition.name === name) ?? [];
    if (id === undefined || found === undefined) {
      const names = [...this.#agents.values()].map(({ agent }) => agent.definition.name);
      throw new WebRequestError(
        409,
        `The studio has no agent "${name}", which began the run. ${insteadOfName(name, names)} Start it with the module that exports the agent.`,
      );
    }
    // The class extends `Agent`.
    return { id, agent: (await makeAgent(found.agent, found.agent.definition.container ?? currentContainer())) as Agent };
  }

  async #storageOf(runId: string): Promise<Pick<Storage, "journals">> {
    for (const storage of [await this.#chats.records, this.#storage]) {
      if (storage !== undefined && (await storage.journals.head(runId)) !== undefined) return storage;
    }
    throw new WebRequestError(404, `There is no run "${runId}" in the chats of this studio or its storage.`);
  }
}

/** As a developer reads it, without secrets. */
const linesOf = ({ steps }: Recording): readonly StepLine[] =>
  steps.map(({ step, text, calls }) => ({
    step,
    text: redactText(text),
    calls: calls.map(({ callId, tool, arguments: written, result, state, subRun }) => ({
      ...{ callId, tool, arguments: redactText(written), state },
      ...(result !== undefined && { result: publicResult(result) }),
      ...(subRun !== undefined && { inside: linesOf(subRun) }),
    })),
  }));
