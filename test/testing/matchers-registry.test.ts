import { Agent, type AgentResponse, model, usesTools } from "../../src/agent/index.js";
import { createRegistry, createWorkspace } from "../../src/registry/index.js";
import { ScriptedModel, type ScriptedToolCall } from "../../src/testing/index.js";
import { description, identifier, required, requiresConfirmation, access, Tool, type ToolClass } from "../../src/tool/index.js";
import { noTools, tool, warningsOf } from "../registry/support.js";
import "../../src/testing/jest.js";

@identifier("get_ticket")
@description("Gets a ticket. Use when the user names one.")
class GetTicketTool extends Tool {
  @required(String) ticket!: string;

  call() {
    return "open";
  }
}

@identifier("refund")
@description("Refunds an order. Use when the user wants the money back.")
@requiresConfirmation()
class RefundTool extends Tool {
  call() {
    return "Refunded.";
  }
}

@identifier("restart")
@description("Restarts the desk. Use when it hangs.")
@access({ roles: ["operator"] })
class RestartTool extends Tool {
  call() {
    return "Restarted.";
  }
}

const organisation = createWorkspace({ organisation: "acme" })
  .toolbox("tickets")
  .addTool(GetTicketTool)
  .addTool(RestartTool)
  .toolbox("billing")
  .addTool(RefundTool)
  .build();
const registry = createRegistry({ internal: noTools, organisation });

/** The response of an agent with these tools, whose model makes these calls. */
function responseTo(tools: readonly ToolClass[], ...toolCalls: readonly ScriptedToolCall[]): Promise<AgentResponse> {
  @model(new ScriptedModel([{ toolCalls }, "Done."]))
  @usesTools(() => tools)
  class Desk extends Agent {}
  return Desk.generate("Help.");
}

const ticket = { name: "acme_tickets_get_ticket", arguments: { ticket: "T-1" } };
const refund = { name: "acme_billing_refund" };

describe("what a run called of a registry", () => {
  it("is known by the class that was added, by the registry's class and by every form of the name", async () => {
    const response = await responseTo(registry.select("*"), ticket);
    for (const meant of [
      GetTicketTool,
      registry.tool("get_ticket"),
      createRegistry({ internal: noTools, organisation }).tool("get_ticket"),
      "acme/tickets/get_ticket",
      "get_ticket",
      "acme_tickets_get_ticket",
    ]) {
      expect(response).toHaveCalledTool(meant, { ticket: "T-1" });
      expect(() => expect(response).not.toHaveCalledTool(meant)).toThrow(/Expected: .*no.* call of .*"acme\/tickets\/get_ticket"/);
    }
    expect(response).not.toHaveCalledTool(RefundTool);
    expect(response).not.toHaveCalledTool(RestartTool);
    expect(response).not.toHaveCalledTool("refund");
  });

  it("is known by its class while it waits for a person", async () => {
    const response = await responseTo(registry.select("*"), refund);
    for (const meant of [RefundTool, registry.tool("refund"), "acme/billing/refund", "refund", "acme_billing_refund"]) {
      expect(response).toHaveBeenInterrupted(meant);
      expect(response).toHaveCalledTool(meant);
      expect(() => expect(response).not.toHaveBeenInterrupted(meant)).toThrow("awaits confirmation");
    }
    expect(response).not.toHaveBeenInterrupted(GetTicketTool);
  });

  it("is known by its class while a sub-agent waits with it", async () => {
    @description("Pays. Use when money is due.")
    @model(() => new ScriptedModel([{ toolCalls: [refund] }, "Paid."]))
    @usesTools(() => registry.select("acme/billing/*"))
    class PayAgent extends Agent {}
    @model(() => new ScriptedModel([{ toolCalls: [{ name: "pay_agent", arguments: { prompt: "Pay." } }] }, "Done."]))
    @usesTools([PayAgent])
    class Desk extends Agent {}
    const response = await Desk.generate("Help.");
    expect(response).toHaveBeenInterrupted(RefundTool);
    expect(response).toHaveCalledTool(PayAgent);
    expect(() => expect(response).not.toHaveBeenInterrupted(RefundTool)).toThrow("awaits confirmation");
  });

  it("is any of its names where several toolboxes have the class, and the one that is written out", async () => {
    const shops = createWorkspace().toolbox("eu").addTool(GetTicketTool).toolbox("us").addTool(GetTicketTool).build();
    const both = createRegistry({ internal: noTools, project: shops }).select("*");
    const response = await responseTo(both, { name: "us_get_ticket", arguments: { ticket: "T-1" } });
    expect(response).toHaveCalledTool(GetTicketTool);
    expect(response).toHaveCalledTool("get_ticket");
    expect(response).not.toHaveCalledTool("eu/get_ticket");
    expect(() => expect(response).not.toHaveCalledTool(GetTicketTool)).toThrow(/"eu\/get_ticket".* or .*"us\/get_ticket"/);
  });

  it("is the tool that ran, not the one whose place it has taken", async () => {
    const own = tool("get_ticket");
    let tools: readonly ToolClass[] = [];
    warningsOf(() => {
      const project = createWorkspace().toolbox("acme/tickets").addTool(own).build();
      tools = createRegistry({ internal: noTools, organisation, project }).select("*");
    });
    const response = await responseTo(tools, ticket);
    expect(response).toHaveCalledTool(own);
    expect(response).not.toHaveCalledTool(GetTicketTool);
  });
});

describe(".not of a name that the run doesn't have", () => {
  it("fails if the run has a tool with a similar name, because it would hold whatever was called", async () => {
    const response = await responseTo(registry.select("*"), ticket);
    for (const [misspelt, instead] of [
      ["acme/tickets/get_tickets", "acme/tickets/get_ticket"],
      ["getticket", "get_ticket"],
      ["refunds", "refund"],
    ] as const) {
      const message = `The run had no tool "${misspelt}", so that this holds whatever it called. Did you mean "${instead}"?`;
      expect(() => expect(response).not.toHaveCalledTool(misspelt)).toThrow(message);
      expect(() => expect(response).not.toHaveBeenInterrupted(misspelt)).toThrow(message);
    }
  });

  it("holds if it is like no other, for the run may not have been given the tool", async () => {
    const response = await responseTo(registry.select("*"), ticket);
    expect(response).not.toHaveCalledTool("delete_everything");
    expect(response).not.toHaveCalledTool(class Refunds extends RefundTool {});
  });

  it("fails if the model called it all the same", async () => {
    const response = await responseTo(registry.select("*"), { name: "refunds" });
    expect(() => expect(response).not.toHaveCalledTool("refunds")).toThrow("refunds {}: unknown_tool  <-");
  });

  it("is compared by the calls alone if the response is a copy, of which nothing else is known", async () => {
    const copy = { ...(await responseTo(registry.select("*"), ticket)) };
    expect(copy).toHaveCalledTool("acme/tickets/get_ticket");
    expect(copy).not.toHaveCalledTool("get_tickets");
  });
});
