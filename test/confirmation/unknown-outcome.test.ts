import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { Agent, model, usesTools } from "../../src/agent/index.js";
import {
  approve,
  autoApprove,
  type Confirmation,
  confirmationCard,
  confirmationCardHtml,
  confirmByWebhook,
  confirmInTerminal,
  deny,
  verifyWebhook,
} from "../../src/confirmation/index.js";
import { ScriptedModel, type ScriptedStep } from "../../src/models/index.js";
import type { JournalAppend } from "../../src/storage/index.js";
import { description, effect, identifier, required, requiresConfirmation, Tool } from "../../src/tool/index.js";
import { decideHandler, MemoryRunStateStore } from "../../src/web/index.js";
import { confirmationWith, situationWith } from "../support/confirmation.js";
import { afterCrash, watchedStorage } from "../support/journals.js";

const warning =
  "This call was approved before, and had begun when its process ended. It isn't known whether it took effect. If you approve it, it runs again.";

const refunds: string[] = [];
beforeEach(() => refunds.splice(0));

@identifier("refund")
@description("Refunds an order.")
@requiresConfirmation()
@effect("once")
class RefundTool extends Tool {
  @required(String) order!: string;

  call() {
    refunds.push(this.order);
    return "Refunded.";
  }
}

function shop(...steps: readonly ScriptedStep[]): Agent {
  @model(new ScriptedModel(steps))
  @usesTools([RefundTool])
  @identifier("shop")
  class ShopAgent extends Agent {}

  return new ShopAgent();
}

const calling: ScriptedStep = { toolCalls: [{ name: "refund", arguments: { order: "A-17" } }] };

/** The storage of a run whose process ended after the approved refund had begun. */
async function cutOff() {
  const { storage, appends } = watchedStorage();
  await shop(calling).generate("Refund it.", { journal: storage, runId: "run" });
  await shop("Refunded.").resume("run", { journal: storage, decisions: [approve("call_1")] });
  refunds.splice(0);
  return afterCrash(appends, 1 + appends.findIndex(hasBegun));
}

const hasBegun = ({ entries }: JournalAppend): boolean => entries.some(({ kind }) => kind === "call_begun");

/** What a person is asked after the crash. */
async function askedAgain(): Promise<Confirmation> {
  const { confirmations = [] } = await shop().resume("run", { journal: await cutOff() });
  return confirmations[0] as Confirmation;
}

describe("a call whose outcome isn't known", () => {
  it("is shown by a card, which says so before anything else", async () => {
    const card = confirmationCard(await askedAgain());
    expect(card.title).toBe("Run refund again?");
    expect(card.lines[0]).toEqual({ name: "warning", text: warning });
  });

  it("is shown by a form, above the arguments and the buttons", async () => {
    const html = confirmationCardHtml(await askedAgain(), { action: "/decide" });
    const shown = html.indexOf(warning.replaceAll("'", "&#39;"));
    expect(html).toContain("<h2>Run refund again?</h2>");
    expect(shown).toBeGreaterThan(0);
    expect(shown).toBeLessThan(html.indexOf("<h3>Arguments</h3>"));
  });

  it.each([
    ["of a usual size", 80, 24],
    ["that is small", 20, 5],
  ])("is shown at a terminal %s, also if its arguments are long", async (_size, columns, rows) => {
    const output = Object.assign(new PassThrough(), { isTTY: true, columns, rows });
    let screen = "";
    output.setEncoding("utf8").on("data", (written: string) => {
      screen += written;
    });
    const input = Object.assign(new PassThrough(), { isTTY: true });
    const asked = confirmInTerminal({ input, output })(
      confirmationWith({ outcomeUnknown: true, input: { order: "A-17\n".repeat(1_000) } }),
      situationWith(),
    );
    while (!screen.includes("[y]es")) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(screen.replaceAll(/\n *\| */g, " ").replaceAll(/ +/g, " ")).toContain(`This call needs your approval:\n warning: ${warning}`);
    input.write("\u0004");
    await asked;
  });

  it("is posted by a webhook as such", async () => {
    const secret = `whsec_${Buffer.alloc(32, 3).toString("base64")}`;
    const posted: Confirmation[] = [];
    const leaving = new AbortController();
    const server = createServer(async (request, response) => {
      if (request.method === "GET") leaving.abort();
      if (request.method === "POST") posted.push(verifyWebhook({ headers: request.headers, body: await text(request) }, secret));
      response.writeHead(posted.length > 0 && request.method === "POST" ? 202 : 410, { location: "/answer" }).end();
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    await confirmByWebhook({ url, secret, onProblem: () => undefined })(await askedAgain(), situationWith(leaving.signal));
    server.closeAllConnections();
    server.close();
    expect(posted).toEqual([expect.objectContaining({ tool: "refund", outcomeUnknown: true })]);
    expect(confirmationCard(posted[0] as Confirmation).lines[0]?.text).toBe(warning);
  });

  it("isn't approved by a policy: a person is asked", async () => {
    const storage = await cutOff();
    const options = { journal: storage, confirm: autoApprove({ tools: [RefundTool] }) };
    const response = await shop("Refunded.").resume("run", options);
    expect(response.confirmations).toEqual([expect.objectContaining({ outcomeUnknown: true })]);
    expect(refunds).toEqual([]);
    await shop("Refunded.").resume("run", { ...options, decisions: [approve("call_1")] });
    expect(refunds).toEqual(["A-17"]);
  });

  it("is in the answer of a web handler, and runs once more by a decision for it", async () => {
    const storage = await cutOff();
    const { state, confirmations = [] } = await shop().resume("run", { journal: storage });
    const pausedRuns = { store: new MemoryRunStateStore(), authorise: () => true };
    if (state !== undefined) pausedRuns.store.save("run", state);
    const decide = decideHandler({ format: "json", agent: () => shop("Refunded."), options: () => ({ journal: storage }), pausedRuns });
    const post = async (decision: object) => {
      const headers = { "content-type": "application/json" };
      const body = JSON.stringify({ runId: "run", decisions: [decision] });
      return decide(new Request("http://localhost/decide", { method: "POST", headers, body }));
    };
    // The approval that was given before the crash.
    const used = await post({ ...approve({ callId: "call_1", id: "0".repeat(64) }) });
    expect([used.status, refunds]).toEqual([409, []]);
    const { callId, id } = confirmations[0] as Confirmation;
    expect((await post({ callId, confirmationId: id, decision: "approve" })).status).toBe(200);
    expect(refunds).toEqual(["A-17"]);
  });

  describe("of a sub-agent", () => {
    const desk = (...steps: readonly ScriptedStep[]): Agent => {
      @model(new ScriptedModel(steps[0] === callingShop ? [calling] : ["Refunded A-17."]))
      @usesTools([RefundTool])
      @identifier("shop")
      @description("Refunds orders.")
      class ShopAgent extends Agent {}

      @model(new ScriptedModel(steps))
      @usesTools([ShopAgent])
      @identifier("desk")
      class DeskAgent extends Agent {}

      return new DeskAgent();
    };
    const callingShop: ScriptedStep = { toolCalls: [{ name: "shop", arguments: { prompt: "Refund A-17" } }] };

    /** The appends of a run whose sub-agent made an approved call. */
    async function refunded() {
      const { storage, appends } = watchedStorage();
      const { confirmations = [] } = await desk(callingShop).generate("Go", { journal: storage, runId: "run" });
      await desk("Done.").resume("run", { journal: storage, decisions: [approve(confirmations[0] as Confirmation)] });
      expect(refunds.splice(0)).toEqual(["A-17"]);
      return appends;
    }

    it("is asked about by the calling run, and ends with a denial", async () => {
      const appends = await refunded();
      const begun = appends.findIndex((append) => append.runId !== "run" && hasBegun(append));
      const cut = await afterCrash(appends, begun + 1);
      const { confirmations = [] } = await desk("Done.").resume("run", { journal: cut });
      const [asked] = confirmations as [Confirmation];
      expect(asked).toMatchObject({ tool: "refund", outcomeUnknown: true });
      expect(confirmationCard(asked).lines[0]?.text).toBe(warning);
      const end = await desk("Done.").resume("run", { journal: cut, decisions: [deny(asked)] });
      expect([end.reason, refunds]).toEqual(["success", []]);
    });

    it("runs once at most without another approval, whichever append was the last", async () => {
      const appends = await refunded();
      const decided = appends.findIndex(({ entries }) => entries.some(({ kind }) => kind === "call_decided"));
      for (let count = decided + 1; count <= appends.length; count++) {
        const storage = await afterCrash(appends, count);
        const before = appends.slice(0, count).some((append) => append.runId !== "run" && hasBegun(append)) ? 1 : 0;
        const response = await desk("Done.").resume("run", { journal: storage });
        expect({ count, times: before + refunds.splice(0).length }).toEqual({ count, times: 1 });
        if (response.confirmations !== undefined) expect(response.confirmations[0]).toMatchObject({ outcomeUnknown: true });
        else {
          expect(response.text).toBe("Done.");
          const [read] = response.steps.flatMap(({ toolCalls }) => toolCalls);
          if (read !== undefined) expect(JSON.stringify(read)).toContain("Refunded A-17.");
        }
      }
    });
  });
});
