import type { Meter } from "@opentelemetry/api";
import type { TokenUsage } from "../../models/index.js";
import { errorAttribute, modelAttributes } from "./attributes.js";

/** As the conventions advise: seconds, from a hundredth to more than a minute. */
const durationBuckets = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const tokenBuckets = [1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864];

/** The metrics. Durations come in milliseconds and are recorded in seconds, as the conventions require. */
export interface Metrics {
  readonly runEnded: (agent: string, duration: number, errorType: string | undefined) => void;
  readonly modelEnded: (model: string, duration: number, outcome: { readonly usage?: TokenUsage; readonly errorType?: string }) => void;
  readonly modelRetried: (model: string, errorType: string) => void;
  /** `attempt` from 1. */
  readonly toolEnded: (tool: string, duration: number, attempt: number, errorType: string | undefined) => void;
}

export function createMetrics(meter: Meter): Metrics {
  const histogram = (name: string, unit: string, description: string, explicitBucketBoundaries: number[]) =>
    meter.createHistogram(name, { unit, description, advice: { explicitBucketBoundaries } });
  const runs = histogram("gen_ai.invoke_agent.duration", "s", "Duration of agents' runs.", durationBuckets);
  const models = histogram("gen_ai.client.operation.duration", "s", "Duration of model calls, retries included.", durationBuckets);
  const tools = histogram("gen_ai.execute_tool.duration", "s", "Duration of attempts at tool calls.", durationBuckets);
  const tokens = histogram("gen_ai.client.token.usage", "{token}", "Input and output tokens of model calls.", tokenBuckets);
  const retries = meter.createCounter("toolwright.tool.retries", { unit: "{attempt}", description: "Attempts after failed ones." });
  const modelRetries = meter.createCounter("toolwright.model.retries", {
    unit: "{attempt}",
    description: "Attempts at model calls that failed and were followed by others.",
  });
  return {
    runEnded: (agent, duration, errorType) =>
      runs.record(duration / 1_000, {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": agent,
        ...errorAttribute(errorType),
      }),
    modelEnded: (model, duration, { usage, errorType }) => {
      const attributes = modelAttributes(model);
      models.record(duration / 1_000, { ...attributes, ...errorAttribute(errorType) });
      if (usage === undefined) return;
      tokens.record(usage.inputTokens, { ...attributes, "gen_ai.token.type": "input" });
      tokens.record(usage.outputTokens, { ...attributes, "gen_ai.token.type": "output" });
    },
    modelRetried: (model, errorType) => modelRetries.add(1, { ...modelAttributes(model), ...errorAttribute(errorType) }),
    toolEnded: (tool, duration, attempt, errorType) => {
      tools.record(duration / 1_000, {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": tool,
        ...errorAttribute(errorType),
      });
      if (attempt > 1) retries.add(1, { "gen_ai.tool.name": tool });
    },
  };
}
