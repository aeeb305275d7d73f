import * as evaluation from "../../src/evaluation/index.js";
import { z } from "zod";

it("an evaluation judges agents of another copy of the package: a CommonJS module loads the CommonJS one", async () => {
  let other = await import("../../src/index.js");
  await jest.isolateModulesAsync(async () => {
    other = await import("../../src/index.js");
  });
  const { Agent, createTool, model, usesTools } = other;
  const weather = createTool("weather", "Gets the weather of a city. Use for weather.", z.object({ city: z.string() }), () => "Sunny");
  @model("embedded/keyword")
  @usesTools([weather])
  class WeatherAgent extends Agent {}
  const { summary, results } = await evaluation.evaluate({
    agent: WeatherAgent,
    cases: [{ prompt: "Weather for city Paris", expect: { calls: [{ tool: "weather" }] } }],
  });
  expect(results[0]?.error).toBeUndefined();
  expect(summary.scores.tool).toMatchObject({ share: 1 });
});
