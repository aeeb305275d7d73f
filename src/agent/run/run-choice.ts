import type { ApplicationContext } from "../../tool/index.js";
import type { AgentTools } from "../agent-tools.js";
import type { GenerateOptions } from "../run-options.js";

/** What an agent class decides of a run besides its tools: how the run is told apart in records, and who else hears of it. */
export interface RunChoice {
  readonly tools: AgentTools;
  readonly options: Pick<GenerateOptions, "tags" | "listeners">;
}

/**
 * The internal method of `Agent` that is asked in place of `tools` where a class has it. `asked`: what the application
 * wants of the run; the tags of a resumed run are those of its state, which may name what there was when it began.
 */
export const chooseRun = Symbol.for("toolwright.chooseRun");

export type ChooseRun = (
  context: ApplicationContext & Record<string, unknown>,
  asked: RunChoice["options"],
  isResumed: boolean,
) => RunChoice | Promise<RunChoice>;
