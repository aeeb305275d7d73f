import assert from "node:assert/strict";
import {
  Agent,
  description,
  instructions,
  model,
  optional,
  required,
  Tool,
  ToolDefinitionError,
  timeout,
  type ToolContext,
  usesTools,
} from "toolwright";

/** What a check found: nothing if it works, the text of the error if it is refused with one that names the fix. */
export type Finding = string | undefined;

export interface Check {
  readonly title: string;
  readonly run: () => Finding | Promise<Finding>;
}

const units = ["celsius", "fahrenheit"] as const;

@description("Gets the current weather for a city. Use when the user asks about weather now.")
@timeout(5_000)
class WeatherTool extends Tool {
  @required(String, "The city name")
  city!: string;

  @optional({ enum: units, default: "celsius" })
  units!: (typeof units)[number];

  async call({ abortSignal }: ToolContext) {
    abortSignal.throwIfAborted();
    return `Sunny, 21 degrees ${this.units} in ${this.city}.`;
  }
}

@model("embedded/keyword")
@instructions("You are a weather assistant.")
@usesTools([WeatherTool])
class WeatherAgent extends Agent {}

/** The message of an error that names the fix; throws any other. */
export function refusal(error: unknown, fix: string): string {
  const { message, stack } = error as Error;
  assert.ok(message.includes(fix), `does not say "${fix}": ${stack}`);
  return message;
}

export const readmeProgram: Check = {
  title: "README program",
  async run() {
    try {
      const response = await new WeatherAgent().generate("What is the weather in Paris?");
      assert.equal(response.text, "Sunny, 21 degrees celsius in Paris.");
      assert.equal(WeatherTool.identifier, "weather_tool");
      return undefined;
    } catch (error) {
      if (!(error instanceof ToolDefinitionError)) throw error;
      return refusal(error, "@identifier(");
    }
  },
};

/** One line for each check, which scripts/everywhere.mjs reads. */
export async function outcomesOf(all: readonly Check[]): Promise<string> {
  const lines: string[] = [];
  for (const { title, run } of all) {
    const outcome = await Promise.resolve()
      .then(run)
      .then(
        (refused) => ({ title, refused }),
        (error: unknown) => ({ title, failed: error instanceof Error ? String(error.stack) : String(error) }),
      );
    lines.push(`outcome: ${JSON.stringify(outcome)}`);
  }
  return lines.join("\n");
}
