import { type ModelReference, resolveModel } from "../../models/index.js";
import { JournalError, type Storage } from "../../storage/index.js";
import { checkOptionNames, type OptionNames } from "../../tool/internal.js";
import type { Agent, AgentClass } from "../agent.js";
import { modelInstead, modelInterceptor, type WithInterceptor } from "../intercepted-models.js";
import { aroundRun } from "../run/run-hooks.js";
import { RecordedAnswers } from "./recorded-answers.js";
import { readRecording, type Recording, type RecordedStep } from "./recording.js";
import { replaying, type WithReplaying } from "./replaying.js";

/** Options of `prepareReplay`. */
export interface ReplayOptions {
  /** The storage that has the record of the run. The replay changes nothing in it. */
  readonly journal: Pick<Storage, "journals">;
  /** The step whose model call is made anew, from 1. Default: 1. */
  readonly step?: number;
  /** The model of the replay, instead of the one of `@model` and its fallbacks. Sub-agents keep theirs. */
  readonly model?: ModelReference;
  /** The instructions of the replay, instead of those of `@instructions`. Sub-agents keep theirs. */
  readonly instructions?: string;
}

const optionNames: OptionNames<ReplayOptions> = { journal: true, step: true, model: true, instructions: true };

/**
 * Prepares a new instance of an agent to replay a recorded run from a step on, and returns it. `generate` or `stream` without a prompt makes
 * the replay, which is a new run.
 *
 * ```ts
 * const agent = await prepareReplay(new SupportAgent(), "order-7", { journal: storage, step: 2, model: "openai/gpt-5" });
 * const response = await agent.generate();
 * ```
 *
 * All runs of the instance are replays: calls whose tool and arguments are in the record from the step on are answered from it, each
 * recorded result once. Any other call waits for a person, whatever its policy says, also in sub-agents. `confirm` isn't asked. Tools that
 * the provider runs aren't offered, because no one could be asked.
 *
 * Throws `JournalError` if the storage has no such run or it is another agent's, `RangeError` if it has no such step, `ModelError` for a
 * model that can't be made, and `AgentBusyError` during a run of the instance. See docs/19-durable-runs.md.
 */
export async function prepareReplay<Replayed extends Agent>(agent: Replayed, runId: string, options: ReplayOptions): Promise<Replayed> {
  checkOptionNames(options, optionNames, "prepareReplay");
  const { journal, step = 1, model, instructions } = options;
  // TypeScript types `constructor` as any function; it is the class that made this instance.
  const { definition } = agent.constructor as AgentClass;
  const recording = await readRecording(journal, runId);
  if (recording.agent !== definition.name) {
    throw new JournalError(
      "other_agent",
      `The run "${runId}" is of the agent "${recording.agent}", and was to be replayed by "${definition.name}". Prepare an instance of the agent that began it.`,
    );
  }
  const place = stepOf(recording, step);
  if (model !== undefined) await resolveModel(model);
  agent.restore(recording.messages.slice(0, place.sent));
  const added: WithReplaying & WithInterceptor = {
    [replaying]: { answers: new RecordedAnswers(recording.steps.filter((one) => one.step >= step)), definition, instructions },
    ...(model !== undefined && { [modelInterceptor]: modelInstead(definition, model) }),
  };
  const earlier = agent[aroundRun];
  agent[aroundRun] = (asked, run) =>
    earlier === undefined ? run({ ...asked, ...added }) : earlier(asked, (given) => run({ ...given, ...added }));
  return agent;
}

function stepOf({ runId, steps }: Recording, step: number): RecordedStep {
  const found = steps.find((one) => one.step === step);
  if (found !== undefined) return found;
  const last = steps.at(-1)?.step;
  throw new RangeError(
    last === undefined
      ? `prepareReplay: the run "${runId}" has no step yet. Wait until its model was asked.`
      : `prepareReplay: the run "${runId}" has no step ${step}. Pass a step from 1 to ${last}.`,
  );
}
