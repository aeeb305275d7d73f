import { Agent, model, usesTools } from "../../src/agent/index.js";
import { autoApprove, type Confirmation, deny } from "../../src/confirmation/index.js";
import { ScriptedModel } from "../../src/models/index.js";
import { consequenceLevel, description, identifier, requiresConfirmation, Tool, type ConsequenceLevel } from "../../src/tool/index.js";
import { confirmationWith, situationWith } from "../support/confirmation.js";

const sent: string[] = [];

@identifier("send_note")
@description("Sends a note. Use when the user wants somebody to know something.")
@consequenceLevel("low")
@requiresConfirmation()
class NoteTool extends Tool {
  call() {
    sent.push("note");
    return "Sent.";
  }
}

@identifier("transfer")
@description("Transfers money. Use when the user wants to pay somebody.")
@consequenceLevel("high")
@requiresConfirmation()
class TransferTool extends Tool {
  call() {
    sent.push("transfer");
    return "Transferred.";
  }
}

type Options = Parameters<typeof autoApprove>[0];

async function approves(options: Options, changes: Partial<Confirmation>): Promise<boolean> {
  const confirmation = confirmationWith(changes);
  const decision = await autoApprove(options)(confirmation, situationWith());
  if (decision === undefined) return false;
  expect(decision).toEqual({ callId: "call_1", confirmationId: confirmation.id, decision: "approve" });
  return true;
}

describe("autoApprove", () => {
  it.each<[string, Options, string, ConsequenceLevel, boolean]>([
    ["a tool that is named", { tools: ["send_note"] }, "send_note", "medium", true],
    ["a tool whose class is named", { tools: [NoteTool] }, "send_note", "low", true],
    ["no tool that isn't named", { tools: ["send_note"] }, "send_notes", "low", false],
    ["no tool whose name differs in case", { tools: ["send_note"] }, "Send_Note", "low", false],
    ["nothing for an empty list", { tools: [] }, "send_note", "low", false],
    ["any tool up to the consequence", { maxConsequenceLevel: "medium" }, "anything", "medium", true],
    ["no tool beyond the consequence", { maxConsequenceLevel: "low" }, "send_note", "medium", false],
    ["where both are given, only what fits both", { tools: ["send_note"], maxConsequenceLevel: "low" }, "send_note", "low", true],
    ["no named tool beyond the consequence", { tools: ["send_note"], maxConsequenceLevel: "low" }, "send_note", "medium", false],
    ["no other tool within the consequence", { tools: ["send_note"], maxConsequenceLevel: "low" }, "delete_note", "low", false],
    ["no named tool of high consequence, unless that is said too", { tools: [TransferTool] }, "transfer", "high", false],
    [
      "a named tool of high consequence where that is said",
      { tools: [TransferTool], maxConsequenceLevel: "high" },
      "transfer",
      "high",
      true,
    ],
  ])("approves %s", async (_what, options, tool, level, expected) => {
    const { description, category } = (tool === "transfer" ? TransferTool : NoteTool).definition;
    expect(await approves(options, { tool, consequenceLevel: level, description, category })).toBe(expected);
  });

  it("approves no call of another class with the same name", async () => {
    expect(await approves({ tools: [NoteTool] }, { tool: "send_note", consequenceLevel: "low", description: "Deletes notes." })).toBe(
      false,
    );
  });

  it("refuses to approve everything", () => {
    expect(() => autoApprove({})).toThrow("autoApprove: give tools, maxConsequenceLevel or both");
    expect(() => autoApprove({ maxConsequenceLevel: "high" })).toThrow('maxConsequenceLevel "high" would approve every call of every tool');
  });

  it("says which consequences there are", () => {
    // A misspelt level, as JavaScript lets it pass.
    expect(() => autoApprove({ maxConsequenceLevel: "lo" as "low" })).toThrow('maxConsequenceLevel is one of low, medium, high, got "lo"');
  });

  it("leaves what it doesn't approve to the next handler, and the tools as they are", async () => {
    const script = new ScriptedModel([{ toolCalls: [{ name: "send_note" }, { name: "transfer" }] }, "Done."]);

    @model(script)
    @usesTools([NoteTool, TransferTool])
    class OfficeAgent extends Agent {}

    const asked: string[] = [];
    const response = await OfficeAgent.generate("Tell Ada, and pay her", {
      confirm: [
        autoApprove({ maxConsequenceLevel: "low" }),
        (confirmation) => {
          asked.push(confirmation.tool);
          return deny(confirmation, "not today");
        },
      ],
    });
    expect(response.text).toBe("Done.");
    expect(sent).toEqual(["note"]);
    expect(asked).toEqual(["transfer"]);
    expect(NoteTool.definition.requiresConfirmation).toBe(true);
  });

  it("pauses the run for a person if no handler is left", async () => {
    const script = new ScriptedModel([{ toolCalls: [{ name: "transfer" }] }, "Done."]);

    @model(script)
    @usesTools([TransferTool])
    class OfficeAgent extends Agent {}

    const response = await OfficeAgent.generate("Pay Ada", { confirm: autoApprove({ maxConsequenceLevel: "medium" }) });
    expect(response.outcome.reason).toBe("awaiting_confirmation");
    expect(response.confirmations).toMatchObject([{ tool: "transfer" }]);
  });
});
