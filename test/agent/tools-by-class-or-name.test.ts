import { Agent, AgentDefinitionError, model, type StepChanges, usesTools } from "../../src/agent/index.js";
import type { AgentToolChoice } from "../../src/agent/run/tool-choice.js";
import { ScriptedModel } from "../../src/models/index.js";
import { createTool, description, identifier } from "../../src/tool/index.js";

const toolNamed = (name: string) =>
  createTool({ name, description: "For tests. Use never.", inputSchema: { type: "object" }, execute: () => name });

const search = toolNamed("search");
const send = toolNamed("mail.send");
const pay = toolNamed("pay");

@identifier("flights")
@description("Finds flights. Use when the user wants to travel.")
@model(new ScriptedModel(["None."]))
class FlightAgent extends Agent {}

const scriptedAgent = (changes?: StepChanges) => {
  const scripted = new ScriptedModel(["Done."]);

  @model(scripted)
  @usesTools([search, send, pay, FlightAgent])
  class DeskAgent extends Agent {
    override prepareStep() {
      return changes;
    }
  }
  return { scripted, agent: new DeskAgent() };
};

describe("toolChoice", () => {
  it.each<[string, AgentToolChoice, string]>([
    ["a name", { tool: "mail.send" }, "mail_send"],
    ["a class", { tool: send }, "mail_send"],
    ["a sub-agent's class", { tool: FlightAgent }, "flights"],
  ])("of generate takes %s", async (_form, toolChoice, tool) => {
    const { scripted, agent } = scriptedAgent();
    await agent.generate("Go", { toolChoice });
    expect(scripted.requests[0]?.toolChoice).toEqual({ tool });
  });

  it.each<[string, AgentToolChoice]>([
    ["a name", { tool: "pay" }],
    ["a class", { tool: pay }],
  ])("of prepareStep takes %s", async (_form, toolChoice) => {
    const { scripted, agent } = scriptedAgent({ toolChoice });
    await agent.generate("Go");
    expect(scripted.requests[0]?.toolChoice).toEqual({ tool: "pay" });
  });

  it("throws for a tool that the run doesn't have, with the nearest name", async () => {
    const misspelt = scriptedAgent().agent.generate("Go", { toolChoice: { tool: "serch" } });
    await expect(misspelt).rejects.toThrow(AgentDefinitionError);
    await expect(misspelt).rejects.toThrow(
      'desk_agent: toolChoice names the tool "serch", which the run doesn\'t have. It has: search, mail.send, pay, flights. Did you mean "search"?',
    );
    await expect(scriptedAgent({ toolChoice: { tool: toolNamed("other") } }).agent.generate("Go")).rejects.toThrow(
      'desk_agent, prepareStep: toolChoice names the tool "other", which the run doesn\'t have.',
    );
  });
});

describe("tools of prepareStep", () => {
  it.each<[string, NonNullable<StepChanges["tools"]>, readonly string[]]>([
    ["names", ["search", "mail.send"], ["search", "mail_send"]],
    ["classes", [search, FlightAgent], ["search", "flights"]],
    ["a mix, each tool once", [search, "search", "pay", FlightAgent], ["search", "pay", "flights"]],
  ])("take %s", async (_form, tools, shown) => {
    const { scripted, agent } = scriptedAgent({ tools });
    await agent.generate("Go");
    expect(scripted.requests[0]?.tools.map(({ name }) => name)).toEqual(shown);
  });

  it("throw for a name that no tool of the run has, with the nearest name", async () => {
    await expect(scriptedAgent({ tools: [search, "mail.sent"] }).agent.generate("Go")).rejects.toThrow(
      'desk_agent, prepareStep names the tool "mail.sent", which the run doesn\'t have. It has: search, mail.send, pay, flights. Did you mean "mail.send"?',
    );
  });
});
