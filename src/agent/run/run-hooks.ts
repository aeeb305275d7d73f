import type { ApplicationContext } from "../../tool/index.js";
import type { AgentTools } from "../agent-class.js";
import type { GenerateOptions } from "../run-options.js";
import type { AgentEvent } from "../stream/agent-event.js";
import type { StepSituation, StepChanges } from "./step-changes.js";

/** What an agent class decides for a run besides its tools: the tags in its records, and further listeners. */
export interface RunChoice {
  readonly tools: AgentTools;
  readonly options: Pick<GenerateOptions, "tags" | "listeners">;
}

/**
 * The internal method of `Agent` that replaces `tools` in classes that have it. `asked`: the options of the run. A resumed run has the tags
 * of its state, which may name a variant that existed when the run began.
 */
export const chooseRun = Symbol.for("toolwright.chooseRun");

export type ChooseRun = (
  context: ApplicationContext & Record<string, unknown>,
  asked: RunChoice["options"],
  isResumed: boolean,
) => RunChoice | Promise<RunChoice>;

/**
 * The internal method of `Agent` that each run of an instance goes through, if it has one. It may complete what the
 * application wants of the run, and knows when the run has ended. Frameworks give it to the agents that they make.
 */
export const aroundRun = Symbol.for("toolwright.aroundRun");

export type AroundRun = <Options extends GenerateOptions, Result>(
  asked: Options,
  run: (options: Options) => Promise<Result>,
) => Promise<Result>;

/** The internal method of `Agent` by which a runtime carries on a recorded run. */
export const carryOn = Symbol.for("toolwright.carryOn");

/** The internal method of `Agent` by which a runtime stops a run, which goes on in another process: its end here isn't recorded. */
export const handOver = Symbol.for("toolwright.handOver");

/** What a runtime learns of a run that it carries on. */
export interface RunWatch {
  /** Called with each event. `position`: how many entries the journal had when it happened. */
  readonly happened: (event: AgentEvent, position: number) => void;
  /** Called when the run has ended, or stopped, here. The journal is open until it returns. */
  readonly left: () => Promise<void>;
}

/** What a run needs of the agent that it belongs to. */
export interface RunningAgent {
  tools(context: ApplicationContext): AgentTools | Promise<AgentTools>;
  prepareStep?(situation: StepSituation): StepChanges | undefined | Promise<StepChanges | undefined>;
  [chooseRun]?(...asked: Parameters<ChooseRun>): ReturnType<ChooseRun>;
  readonly [aroundRun]?: AroundRun | undefined;
}
