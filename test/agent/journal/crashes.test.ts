import { Agent, model, type AgentResponse, usesTools } from "../../../src/agent/index.js";
import { approve, deny } from "../../../src/confirmation/index.js";
import { ScriptedModel, type ScriptedStep } from "../../../src/models/index.js";
import type { JournalAppend, Storage } from "../../../src/storage/index.js";
import {
  category,
  description,
  effect,
  identifier,
  requiresConfirmation,
  Tool,
  type ToolClass,
  type ToolContext,
} from "../../../src/tool/index.js";
import { holding, watchedStorage } from "../../support/journals.js";
import { storageForms } from "../../support/storage-forms.js";

/** What reached the world outside: the tool, and the key that it was given. */
const effects: string[] = [];
beforeEach(() => effects.splice(0));

abstract class EffectTool extends Tool {
  call({ idempotencyKey }: ToolContext) {
    effects.push(`${(this.constructor as typeof Tool).definition.name} ${idempotencyKey}`);
    return "Done.";
  }
}

@identifier("pay")
@description("Pays once.")
@effect("once")
class PayTool extends EffectTool {}

@identifier("send")
@description("Sends something; nothing is declared of repeating it.")
class SendTool extends EffectTool {}

@identifier("put")
@description("Puts a value, which may be repeated.")
@effect("idempotent")
class PutTool extends EffectTool {}

@identifier("look")
@description("Looks at something.")
@category("read")
class LookTool extends EffectTool {}

@identifier("refund")
@description("Refunds, if a person approves.")
@requiresConfirmation()
@effect("once")
class RefundTool extends EffectTool {}

@identifier("restock")
@description("Restocks, if a person approves; may be repeated.")
@requiresConfirmation()
@effect("idempotent")
class RestockTool extends EffectTool {}

const calling = (...names: readonly string[]): ScriptedStep => ({ toolCalls: names.map((name) => ({ name })) });

const shop = (...steps: readonly ScriptedStep[]) => shopWith([PayTool, SendTool, PutTool, LookTool, RefundTool, RestockTool], ...steps);

function shopWith(tools: readonly ToolClass[], ...steps: readonly ScriptedStep[]) {
  const scripted = new ScriptedModel(steps);

  @model(scripted)
  @usesTools(tools)
  @identifier("shop")
  class ShopAgent extends Agent {}

  return { agent: new ShopAgent(), scripted };
}

/** The appends of a whole run. */
async function appendsOf(...steps: readonly ScriptedStep[]): Promise<{ appends: JournalAppend[]; response: AgentResponse }> {
  const { storage, appends } = watchedStorage();
  const response = await shop(...steps).agent.generate("Do it.", { journal: storage, runId: "run" });
  return { appends, response };
}

const lastRead = (scripted: ScriptedModel): unknown => scripted.requests.at(-1)?.messages.filter(({ role }) => role === "tool");

/** How many appends there are up to the one with an entry of this kind. */
const upTo = (appends: readonly JournalAppend[], kind: string): number =>
  1 + appends.findIndex(({ entries }) => entries.some((entry) => entry.kind === kind));

/** Answers of the model that a journal has. */
const stepsDone = (appends: readonly JournalAppend[], count: number): number =>
  appends.slice(0, count).flatMap(({ entries }) => entries.filter(({ kind }) => kind === "model_answered")).length;

const forms = storageForms("crashes");
let opened = 0;

describe.each(Object.entries(forms))("in %s,", (_form, make) => {
  const storages: Storage[] = [];
  /** What the storage holds after the process ended behind the first appends of a run. */
  const afterCrash = (appends: readonly JournalAppend[], count: number): Promise<Storage> => {
    const storage = make(`${opened++}`);
    storages.push(storage);
    return holding(storage, appends.slice(0, count));
  };
  afterEach(async () => {
    for (const storage of storages.splice(0)) await storage.close?.();
  });

  describe("a run whose process ended", () => {
    it.each(["pay", "send"])("doesn't call %s again once it had begun, and reports the outcome to the model as unknown", async (name) => {
      const { appends } = await appendsOf(calling(name), "Paid.");
      effects.splice(0);
      const { agent, scripted } = shop("I don't know.");
      const response = await agent.resume("run", { journal: await afterCrash(appends, upTo(appends, "call_begun")) });
      expect(response).toMatchObject({ reason: "success", text: "I don't know." });
      expect(effects).toEqual([]);
      expect(lastRead(scripted)).toEqual([
        expect.objectContaining({ content: expect.stringContaining("It isn't known whether this call took effect"), errorType: "timeout" }),
      ]);
    });

    it("calls an idempotent tool again, with the same key", async () => {
      const { appends } = await appendsOf(calling("put"), "Put.");
      const [first] = effects.splice(0);
      const { agent } = shop("Put again.");
      await agent.resume("run", { journal: await afterCrash(appends, upTo(appends, "model_answered")) });
      expect(effects).toEqual([first]);
    });

    it.each([
      ["pay", "call_begun"],
      ["put", "model_answered"],
    ])("says of %s that its outcome isn't known if the next process doesn't have the tool", async (name, last) => {
      const { appends } = await appendsOf(calling(name), "Done.");
      const { agent, scripted } = shopWith([LookTool], "I don't know.");
      await agent.resume("run", { journal: await afterCrash(appends, upTo(appends, last)) });
      expect(lastRead(scripted)).toEqual([
        expect.objectContaining({ content: expect.stringContaining("It isn't known whether this call took effect"), errorType: "timeout" }),
      ]);
    });

    it("gives the model the result that the journal has, without a second call", async () => {
      const later: ScriptedStep = () => new Promise((resolve) => setTimeout(() => resolve("Paid."), 20));
      const { appends } = await appendsOf(calling("pay"), later);
      effects.splice(0);
      const { agent, scripted } = shop("Paid, as I see.");
      await agent.resume("run", { journal: await afterCrash(appends, upTo(appends, "call_finished")) });
      expect(effects).toEqual([]);
      expect(lastRead(scripted)).toEqual([expect.objectContaining({ content: "Done." })]);
    });

    it("pays at most once, whichever append was the last, and ends with an answer", async () => {
      const { appends } = await appendsOf(calling("look", "pay", "put"), calling("pay"), "Done.");
      for (let count = 1; count <= appends.length; count++) {
        const storage = await afterCrash(appends, count);
        const begun = appends.slice(0, count).flatMap(({ entries }) => entries.filter(({ kind }) => kind === "call_begun")).length;
        effects.splice(0);
        const rest = [calling("look", "pay", "put"), calling("pay"), "Done."].slice(stepsDone(appends, count));
        const response = await shop(...rest).agent.resume("run", { journal: storage });
        expect({ count, reason: response.reason }).toEqual({ count, reason: "success" });
        expect(effects.filter((one) => one.startsWith("pay")).length + begun).toBeLessThanOrEqual(2);
      }
    });

    it("answers as it did if it had ended", async () => {
      const { appends, response } = await appendsOf(calling("pay"), "Paid.");
      effects.splice(0);
      const again = await shop().agent.resume("run", { journal: await afterCrash(appends, appends.length) });
      expect(again).toMatchObject({ reason: "success", text: "Paid." });
      expect(again.steps.map(({ text, toolCalls }) => ({ text, toolCalls }))).toEqual(
        response.steps.map(({ text, toolCalls }) => ({ text, toolCalls })),
      );
      expect(effects).toEqual([]);
    });
  });

  describe("a call that a person approved", () => {
    async function approvedAndCut() {
      const { storage, appends, memory } = watchedStorage();
      await shop(calling("refund")).agent.generate("Refund it.", { journal: storage, runId: "run" });
      const { agent } = shop("Refunded.");
      await agent.resume("run", { journal: storage, decisions: [approve("call_1")] });
      effects.splice(0);
      return { appends, memory, cut: await afterCrash(appends, upTo(appends, "call_begun")) };
    }

    it("is asked about again if it had begun, under another id, and says that its outcome isn't known", async () => {
      const { cut, appends } = await approvedAndCut();
      const asked = appends.flatMap(({ entries }) => entries).find(({ kind }) => kind === "call_gated");
      const { confirmations = [] } = await shop().agent.resume("run", { journal: cut });
      expect(confirmations).toEqual([expect.objectContaining({ tool: "refund", outcomeUnknown: true })]);
      expect(JSON.stringify(asked)).not.toContain(confirmations[0]?.id);
      expect(effects).toEqual([]);
    });

    it("can't be run again by the approval that was used", async () => {
      const { cut, appends } = await approvedAndCut();
      const used = appends.flatMap(({ entries }) => entries).find(({ kind }) => kind === "call_gated") as unknown as {
        readonly gate: { readonly confirmations: readonly [{ readonly id: string; readonly callId: string }] };
      };
      await shop().agent.resume("run", { journal: cut });
      const decisions = [approve(used.gate.confirmations[0])];
      await expect(shop().agent.resume("run", { journal: cut, decisions })).rejects.toMatchObject({ reason: "other_confirmation" });
      expect(effects).toEqual([]);
    });

    it("can be denied, and the model reads that it may have taken effect", async () => {
      const { cut } = await approvedAndCut();
      await shop().agent.resume("run", { journal: cut });
      const { agent, scripted } = shop("As you like.");
      const response = await agent.resume("run", { journal: cut, decisions: [deny("call_1", "I look myself.")] });
      expect(response.reason).toBe("success");
      expect(lastRead(scripted)).toEqual([
        expect.objectContaining({
          content:
            "It isn't known whether this call took effect: it had begun when the process that ran it ended. A person was asked and denied that it runs again. The reason: I look myself. Don't call it again in the same way.",
        }),
      ]);
      expect(effects).toEqual([]);
    });

    it("runs once more if a person approves it again", async () => {
      const { cut } = await approvedAndCut();
      await shop().agent.resume("run", { journal: cut });
      const response = await shop("Refunded.").agent.resume("run", { journal: cut, decisions: [approve("call_1")] });
      expect(response).toMatchObject({ reason: "success", text: "Refunded." });
      expect(effects).toHaveLength(1);
    });

    it("runs again under the same key, without a new question, if its tool is idempotent", async () => {
      const { storage, appends } = watchedStorage();
      await shop(calling("restock")).agent.generate("Restock it.", { journal: storage, runId: "run" });
      await shop("Restocked.").agent.resume("run", { journal: storage, decisions: [approve("call_1")] });
      const first = effects.splice(0);
      const response = await shop("Restocked.").agent.resume("run", { journal: await afterCrash(appends, upTo(appends, "call_decided")) });
      expect(response).toMatchObject({ reason: "success", text: "Restocked." });
      expect([first, effects]).toEqual([first, first]);
      expect(effects).toHaveLength(1);
    });

    it("keeps its decision if the process ended before the call began", async () => {
      const { storage, appends } = watchedStorage();
      await shop(calling("refund")).agent.generate("Refund it.", { journal: storage, runId: "run" });
      await shop("Refunded.").agent.resume("run", { journal: storage, decisions: [approve("call_1")] });
      effects.splice(0);
      const decided = await afterCrash(appends, upTo(appends, "call_decided"));
      const response = await shop("Refunded.").agent.resume("run", { journal: decided });
      expect(response).toMatchObject({ reason: "success", text: "Refunded." });
      expect(effects).toHaveLength(1);
    });
  });
});
