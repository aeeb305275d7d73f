import { Agent, model, type StepSituation } from "../../src/agent/index.js";
import { ScriptedModel } from "../../src/models/index.js";
import { Integer } from "../../src/schema/index.js";
import { required, returns } from "../../src/tool/index.js";

class Report {
  @required(String) title!: string;
  @required(Integer, { minimum: 1 }) pages!: number;

  get heading() {
    return `${this.title} (${this.pages})`;
  }
}

function reportAgent(...script: ConstructorParameters<typeof ScriptedModel>[0]) {
  const scripted = new ScriptedModel(script);

  @model(scripted)
  @returns(Report)
  class ReportAgent extends Agent<Report> {}

  return { agent: new ReportAgent(), scripted };
}

describe("structured output of an agent", () => {
  it("is asked of the provider, and arrives as an instance", async () => {
    const { agent, scripted } = reportAgent('{"title":"Lamps","pages":3}');
    const response = await agent.generate("Report");
    expect(response.output).toBeInstanceOf(Report);
    expect(response.output?.heading).toBe("Lamps (3)");
    expect(response.text).toBe('{"title":"Lamps","pages":3}');
    expect(scripted.requests[0]?.responseFormat).toMatchObject({ name: "report", schema: { required: ["title", "pages"] } });
  });

  it("that doesn't fit is corrected in one further round, in which the model reads every fault", async () => {
    const { agent, scripted } = reportAgent('{"pages":0}', '{"title":"Lamps","pages":3}');
    const response = await agent.generate("Report");
    expect(response.output?.pages).toBe(3);
    expect(scripted.requests[1]?.messages.at(-1)).toMatchObject({ role: "user", content: expect.stringContaining("title is required") });
    expect(response.steps).toHaveLength(2);
  });

  it("is found behind the thoughts that a model wrote into its answer", async () => {
    const { agent, scripted } = reportAgent('<think>A title, {"pages"}?</think>\nHere: {"title":"Lamps","pages":3}');
    expect((await agent.generate("Report")).output?.heading).toBe("Lamps (3)");
    expect(scripted.requests).toHaveLength(1);
  });

  it("that still doesn't fit ends the run with invalid_structured_output", async () => {
    const { agent } = reportAgent("I don't know.", '{"title":"Lamps"}', "Hello.");
    const response = await agent.generate("Report");
    expect(response.outcome).toMatchObject({ reason: "invalid_structured_output", detail: expect.stringContaining("pages is required") });
    expect(response.output).toBeUndefined();
  });

  it("gets no further round beyond the step limit", async () => {
    const { agent, scripted } = reportAgent("no", "no");
    expect((await agent.generate("Report", { maxSteps: 1 })).outcome.reason).toBe("invalid_structured_output");
    expect(scripted.requests).toHaveLength(1);
  });

  it("is as invalid if the answer was cut off, which is another outcome", async () => {
    const { agent } = reportAgent({ text: '{"title":', finishReason: "length" });
    expect((await agent.generate("Report")).outcome.reason).toBe("truncated");
  });

  it("works with a model chosen for a step", async () => {
    const other = new ScriptedModel(['{"title":"Chairs","pages":1}']);

    @model(new ScriptedModel([]))
    @returns(Report)
    class OtherAgent extends Agent<Report> {
      override prepareStep(_: StepSituation) {
        return { model: other };
      }
    }

    expect((await OtherAgent.generate("Report")).output?.title).toBe("Chairs");
    expect(other.requests[0]?.responseFormat?.name).toBe("report");
  });
});
