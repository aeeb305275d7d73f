import { type AgentClassDecorator, agentDecorator } from "./agent-class-decorator.js";

/**
 * Limits the model calls of one run: a positive integer or Infinity. Default: 16.
 *
 * `@maxSteps(5) class WeatherAgent extends Agent {}`
 *
 * If the model still calls tools in the last step, these don't run, and the run ends with the outcome `max_steps`. Continue it with
 * `generate` or `resume`. See docs/03-agents.md.
 */
export function maxSteps(steps: number): AgentClassDecorator {
  return agentDecorator("maxSteps", steps);
}
