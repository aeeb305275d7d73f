import type { GenerateOptions } from "../run-options.js";

/**
 * The internal method of `Agent` that each run of an instance goes through, where it has one. It may complete what the
 * application wants of the run, and knows when the run has ended. Frameworks give it to the agents that they make.
 */
export const aroundRun = Symbol.for("toolwright.aroundRun");

export type AroundRun = <Options extends GenerateOptions, Result>(
  asked: Options,
  run: (options: Options) => Promise<Result>,
) => Promise<Result>;
