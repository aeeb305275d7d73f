import { type AgentClassDecorator, agentDecorator } from "./agent-class-decorator.js";

/**
 * The most model calls of one run: a positive integer (16 where it isn't given), or Infinity. Tools that the model
 * calls in the last step are not run; the run ends with outcome `max_steps`, and `generate` can go on from there.
 *
 * ```ts
 * @maxSteps(5)
 * class WeatherAgent extends Agent {}
 * ```
 */
export function maxSteps(steps: number): AgentClassDecorator {
  return agentDecorator("maxSteps", steps);
}
