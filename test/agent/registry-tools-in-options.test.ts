import { Agent, budget, model, usesTools } from "../../src/agent/index.js";
import { autoApprove, type AutoApproveOptions } from "../../src/confirmation/index.js";
import { createRunScope, type ExecutionProfile, isPermitted, ToolExecutor } from "../../src/execution/index.js";
import type { Budget } from "../../src/loop/index.js";
import { ScriptedModel } from "../../src/models/index.js";
import { createRegistry, createWorkspace } from "../../src/registry/index.js";
import { description, identifier, requiresConfirmation, Tool, type ToolClass } from "../../src/tool/index.js";
import { noTools, registryOf } from "../registry/support.js";

const ran: string[] = [];

@identifier("refund")
@description("Refunds an order. Use when the customer wants the money back.")
class Refund extends Tool {
  call(): string {
    ran.push("refund");
    return "Refunded.";
  }
}

@identifier("refund")
@description("Refunds gently. Use when the customer wants the money back.")
class OtherRefund extends Tool {
  call(): string {
    ran.push("other");
    return "Refunded.";
  }
}

@identifier("guarded")
@description("Pays. Use when the customer wants to pay.")
@requiresConfirmation()
class Guarded extends Tool {
  call(): string {
    ran.push("guarded");
    return "Paid.";
  }
}

@identifier("billing/guarded")
@description("Pays another. Use never.")
@requiresConfirmation()
class OtherGuarded extends Tool {
  call(): string {
    return "Paid another.";
  }
}

@identifier("search")
@description("Searches. Use first.")
class Search extends Tool {
  call(): string {
    return "Found.";
  }
}

const registry = registryOf({ billing: [Refund, Guarded], "": [Search] });
const sameRegistry = registryOf({ billing: [Refund, Guarded] });
const registered = registry.tool("refund");

/** The forms in which an option may give the tool `billing/refund` of a registry. */
const forms: readonly (readonly [string, string | ToolClass])[] = [
  ["its full name", "billing/refund"],
  ["the name that the model reads", "billing_refund"],
  ["the class that was added", Refund],
  ["the registry's class", registered],
  ["the class of another registry with the same name", sameRegistry.tool("refund")],
];

const refundThrice = [1, 2, 3].map(() => ({ toolCalls: [{ name: "billing_refund" }] }));

function agentOf(script: ConstructorParameters<typeof ScriptedModel>[0], tools: readonly ToolClass[] | (() => readonly ToolClass[])) {
  const scripted = new ScriptedModel(script);

  @model(scripted)
  @usesTools(tools as readonly ToolClass[])
  class DeskAgent extends Agent {}
  return { scripted, agent: new DeskAgent(), DeskAgent };
}

const lists: readonly (readonly [string, readonly ToolClass[] | (() => readonly ToolClass[])])[] = [
  ["a list", registry.select(["billing/*", "search"])],
  ["a function", () => registry.select(["billing/*", "search"])],
];
const everyWay = lists.flatMap(([list, tools]) => forms.map(([form, tool]) => [form, list, tool, tools] as const));

beforeEach(() => {
  ran.length = 0;
});

describe("a tool of a registry", () => {
  it.each(everyWay)("is limited by callsPerTool with %s, in %s", async (_form, _list, tool, tools) => {
    const limits: Budget = { callsPerTool: new Map([[tool, 1]]) };
    const { agent } = agentOf([...refundThrice, "Done."], tools);
    const response = await agent.generate("Go", { budget: limits });
    expect(ran).toEqual(["refund"]);
    expect(response.outcome).toMatchObject({ reason: "budget_exhausted", budget: "callsPerTool" });
  });

  it.each(everyWay)("is chosen by toolChoice with %s, in %s", async (_form, _list, tool, tools) => {
    const { agent, scripted } = agentOf(["Done."], tools);
    await agent.generate("Go", { toolChoice: { tool } });
    expect(scripted.requests[0]?.toolChoice).toEqual({ tool: "billing_refund" });
  });

  it.each(everyWay)("is kept by prepareStep with %s, in %s", async (_form, _list, tool, tools) => {
    const { DeskAgent, scripted } = agentOf(["Done."], tools);
    class NarrowAgent extends DeskAgent {
      override prepareStep() {
        return { tools: [tool] };
      }
    }
    await new NarrowAgent().generate("Go");
    expect(scripted.requests[0]?.tools.map(({ name }) => name)).toEqual(["billing_refund"]);
  });

  it.each(everyWay.filter(([form]) => !form.includes("model")))(
    "is allowed by a profile with %s, in %s",
    async (_form, _list, tool, tools) => {
      const { agent, scripted } = agentOf([{ toolCalls: [{ name: "billing_refund" }] }, "Done."], tools);
      await agent.generate("Go", { profile: { allowedTools: [tool] } });
      expect(scripted.requests[0]?.tools.map(({ name }) => name)).toEqual(["billing_refund"]);
      expect(ran).toEqual(["refund"]);
    },
  );

  it.each<[string, NonNullable<AutoApproveOptions["tools"]>[number], boolean]>([
    ["its full name", "billing/guarded", true],
    ["the class that was added", Guarded, true],
    ["the registry's class", registry.tool("guarded"), true],
    ["the class of another registry with the same name", sameRegistry.tool("guarded"), true],
    ["no last part of its name", "guarded", false],
    ["no other case", "Billing/Guarded", false],
    ["no other class", Refund, false],
    ["no class of a registry under another name", registryOf({ shop: [Guarded] }).tool("guarded"), false],
  ])("is approved by autoApprove with %s", async (_form, tool, approved) => {
    for (const [, tools] of lists) {
      ran.length = 0;
      const { agent } = agentOf([{ toolCalls: [{ name: "billing_guarded" }] }, "Done."], tools);
      const response = await agent.generate("Go", { confirm: autoApprove({ tools: [tool] }) });
      expect(ran).toEqual(approved ? ["guarded"] : []);
      expect(response.outcome.reason).toBe(approved ? "success" : "awaiting_confirmation");
    }
  });

  it("is approved by its class when a paused run is resumed", async () => {
    const { agent } = agentOf([{ toolCalls: [{ name: "billing_guarded" }] }, "Done."], registry.select("billing/*"));
    const paused = await agent.generate("Go");
    if (paused.state === undefined) throw new Error("waits for a person");
    const resumed = await agent.resume(paused.state, { confirm: autoApprove({ tools: [Guarded] }) });
    expect(resumed.text).toBe("Done.");
    expect(ran).toEqual(["guarded"]);
  });
  it.each<[string, NonNullable<AutoApproveOptions["tools"]>[number], boolean]>([
    ["its full name", "billing/guarded", true],
    ["the class that was added, whose name the confirmation doesn't have", Guarded, false],
    ["the registry's class", registry.tool("guarded"), true],
    ["another class of the same name", OtherGuarded, false],
  ])("of a sub-agent is approved by %s when the paused run is resumed, or waits for a person", async (_form, tool, approved) => {
    const { DeskAgent } = agentOf([{ toolCalls: [{ name: "billing_guarded" }] }, { text: "Paid it." }], registry.select(["billing/*"]));
    description("Pays. Use when the customer wants to pay.")(DeskAgent);
    const { agent } = agentOf(
      [{ toolCalls: [{ name: "desk_agent", arguments: { prompt: "Pay" } }] }, { text: "Done." }],
      [DeskAgent as unknown as ToolClass],
    );
    const paused = await agent.generate("Go");
    if (paused.state === undefined) throw new Error(`waits for a person, not ${JSON.stringify(paused.outcome)}`);
    const resumed = await agent.resume(paused.state, { confirm: autoApprove({ tools: [tool] }) });

    expect([resumed.outcome.reason, ran]).toEqual(approved ? ["success", ["guarded"]] : ["awaiting_confirmation", []]);
  });
});

describe("a class that a run has under two names", () => {
  const twice = registryOf({ billing: [Refund], shop: [Refund] }).select("*");

  it("is limited under each", async () => {
    const calls = { toolCalls: [{ name: "billing_refund" }, { name: "shop_refund" }] };
    const { agent } = agentOf([calls, calls, "Done."], twice);
    await agent.generate("Go", { budget: { callsPerTool: new Map([[Refund, 1]]) } });
    expect(ran).toEqual(["refund", "refund"]);
  });

  it("is no toolChoice: the error lists the names", async () => {
    const { agent } = agentOf(["Done."], twice);
    await expect(agent.generate("Go", { toolChoice: { tool: Refund } })).rejects.toThrow(
      'desk_agent: toolChoice names the class of "refund", which the run has as "billing/refund" and "shop/refund". Name one: { tool: "billing/refund" }.',
    );
  });
});

it("the class of a replaced tool means the tool in its place, in every option", async () => {
  const organisation = createWorkspace({ organisation: "acme" }).toolbox("billing").addTool(Refund).build();
  const project = createWorkspace().toolbox("acme/billing").addTool(OtherRefund).build();
  const emitWarning = jest.spyOn(process, "emitWarning").mockImplementation(() => undefined);
  const replacing = createRegistry({ internal: noTools, organisation, project }).select("*");
  emitWarning.mockRestore();
  const name = "acme_billing_refund";
  const { agent } = agentOf([{ toolCalls: [{ name }] }, { toolCalls: [{ name }] }, "Done."], replacing);
  await agent.generate("Go", { budget: { callsPerTool: new Map([[Refund, 1]]) }, profile: { allowedTools: [Refund] } });
  expect(ran).toEqual(["other"]);
});

describe("callsPerTool that names no tool of the run", () => {
  const generate = (callsPerTool: Budget["callsPerTool"], tools = lists[1]?.[1] ?? []) =>
    agentOf(["Done."], tools).agent.generate("Go", { budget: { callsPerTool } as Budget });

  it.each(lists)("is an error if it is the last part of a full name, in %s", async (_list, tools) => {
    await expect(generate({ refund: 1 }, tools)).rejects.toThrow(
      'desk_agent: callsPerTool of the budget names "refund", which isn\'t one of its tools. Did you mean "billing/refund"?',
    );
  });

  it.each(lists)("is an error if the run has another class of the name, in %s", async (_list, _tools) => {
    const tools = typeof _tools === "function" ? () => [OtherRefund] : [OtherRefund];
    await expect(generate(new Map([[Refund, 1]]), tools)).rejects.toThrow(
      'Its "refund" is of another class. Give that class, or the name.',
    );
  });

  it("is a warning, once, if the user's tools come from a function", async () => {
    const emitWarning = jest.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    const { DeskAgent } = agentOf(["Done.", "Done."], () => [Search]);
    for (let run = 0; run < 2; run += 1) await DeskAgent.generate("Go", { budget: { callsPerTool: { serch: 1 } } });
    const warnings = emitWarning.mock.calls.map(([message]) => message);
    emitWarning.mockRestore();
    expect(warnings).toEqual([
      'desk_agent: callsPerTool of the budget names "serch", which a run doesn\'t have: the limit has no effect there.',
    ]);
  });

  it("is no matter if a profile leaves the tool out", async () => {
    const emitWarning = jest.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    const { agent } = agentOf(["Done."], [Refund, Search]);
    await agent.generate("Go", { budget: { callsPerTool: new Map([[Refund, 1]]) }, profile: { allowedTools: [Search] } });
    expect(emitWarning).not.toHaveBeenCalled();
    emitWarning.mockRestore();
  });

  it("is an error if a key of a Map is neither class nor name", async () => {
    await expect(generate(new Map([[undefined as never, 1]]))).rejects.toThrow(
      "a key of callsPerTool of the budget is undefined. Give the class or the name of a tool.",
    );
  });
});

it("the lowest of several limits of one tool holds, in either order", async () => {
  for (const limits of [
    new Map<string | ToolClass, number>([
      [Refund, 1],
      ["billing/refund", 3],
    ]),
    new Map<string | ToolClass, number>([
      ["billing/refund", 3],
      [Refund, 1],
    ]),
  ]) {
    ran.length = 0;

    @model(new ScriptedModel([...refundThrice, "Done."]))
    @usesTools(registry.select("billing/*"))
    @budget({ callsPerTool: limits })
    class LimitedAgent extends Agent {}
    await new LimitedAgent().generate("Go");
    expect(ran).toEqual(["refund"]);
  }
});

it("an unlimited tool beside a limited one runs freely, whether its limit is undefined or Infinity", async () => {
  for (const limit of [undefined, Number.POSITIVE_INFINITY]) {
    ran.length = 0;
    const { agent } = agentOf([...refundThrice, "Done."], registry.select("*"));
    const response = await agent.generate("Go", { budget: { callsPerTool: { "billing/refund": limit as number, search: 1 } } });
    expect(response.text).toBe("Done.");
    expect(ran).toHaveLength(3);
  }
});

describe("toolChoice and prepareStep", () => {
  it("throw for the last part of a full name, with the full name", async () => {
    const { agent } = agentOf(["Done."], registry.select("*"));
    await expect(agent.generate("Go", { toolChoice: { tool: "refund" } })).rejects.toThrow('Did you mean "billing/refund"?');
  });

  it("throw for a class whose name another tool has", async () => {
    const { agent } = agentOf(["Done."], [OtherRefund]);
    await expect(agent.generate("Go", { toolChoice: { tool: Refund } })).rejects.toThrow(
      'desk_agent: toolChoice names the class of "refund", which the run doesn\'t have: its "refund" is of another class.',
    );
  });
});

describe("allowedTools with classes", () => {
  it("narrow a run to sub-agents too", async () => {
    @description("Finds flights. Use when the user wants to travel.")
    @model(new ScriptedModel(["None."]))
    class FlightAgent extends Agent {}
    const scripted = new ScriptedModel(["Done."]);

    @model(scripted)
    @usesTools([Search, FlightAgent])
    class TravelAgent extends Agent {}
    await TravelAgent.generate("Go", { profile: { allowedTools: [FlightAgent] } });
    expect(scripted.requests[0]?.tools.map(({ name }) => name)).toEqual(["flight_agent"]);
  });

  it.each<[string, ExecutionProfile, boolean]>([
    ["the class", { allowedTools: [Refund] }, true],
    ["the registry's class", { allowedTools: [registered] }, true],
    ["another class of the name", { allowedTools: [OtherRefund] }, false],
  ])("hold in an executor, by %s", async (_form, profile, allowed) => {
    const executor = new ToolExecutor({ tools: [registered] });
    const result = await executor.call({ id: "call_1", name: "billing/refund", arguments: "{}" }, createRunScope({ profile }));
    expect("data" in result).toBe(allowed);
    expect(isPermitted(registered.definition, {}, profile)).toBe(allowed);
  });

  it.each<[string, ExecutionProfile, boolean]>([
    ["the added class", { allowedTools: [Refund] }, true],
    ["the registry's class", { allowedTools: [registered] }, true],
    ["a class beside a pattern", { allowedTools: ["acme/*", Refund] }, true],
    ["another class of the name", { allowedTools: [OtherRefund] }, false],
    ["the last part of the name", { allowedTools: ["refund"] }, false],
  ])("hold in a registry's executor, by %s", async (_form, profile, allowed) => {
    const refunded = registry.executor(profile).run("billing/refund", {});
    await (allowed
      ? expect(refunded).resolves.toBe("Refunded.")
      : expect(refunded).rejects.toThrow("Permission denied for tool: billing/refund"));
    expect(registry.select(profile)).toEqual(allowed ? [registered] : []);
  });

  it("reject what is no class and no name", () => {
    expect(() => createRunScope({ profile: { allowedTools: [7 as never] } })).toThrow(
      "The execution profile's allowedTools must be a list of names and tool classes, got [7].",
    );
    expect(() => createRunScope({ profile: { tags: [Refund as never] } })).toThrow("must be a list of strings");
  });
});
