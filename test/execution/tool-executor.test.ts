import { createRunScope, modelText, ToolExecutor } from "../../src/execution/index.js";
import { Integer } from "../../src/schema/index.js";
import { description, failure, optional, required, Tool, type ToolContext } from "../../src/tool/index.js";

@description("Gets the current weather for a city.")
class WeatherTool extends Tool {
  @required(String, "The city name")
  city!: string;

  @optional(Integer, { default: 3 })
  days!: number;

  async call(_context: ToolContext) {
    if (this.city === "Atlantis") return failure("No station in Atlantis. Ask for a larger city nearby.");
    if (this.city === "Limbo") throw new Error("API rate limit exceeded");
    return `Sunny in ${this.city} for ${this.days} days.`;
  }
}

const executor = new ToolExecutor({ tools: [WeatherTool] });
const call = (args: unknown, name = "weather_tool") =>
  executor.call({ id: "call_1", name, arguments: args as string }, createRunScope());

describe("a tool call", () => {
  it("runs a fresh instance with the validated arguments and defaults", async () => {
    const result = await call('{"city":"Paris"}');
    expect(result).toEqual({ tool: "weather_tool", fetchedAt: expect.stringMatching(/^\d{4}-.*Z$/), data: "Sunny in Paris for 3 days." });
    expect(modelText(result)).toBe("Sunny in Paris for 3 days.");
  });

  it('seed 002, "Error Handling": reports what the tool throws', async () => {
    expect(modelText(await call({ city: "Limbo" }))).toBe("Error executing tool: API rate limit exceeded");
  });
});
