import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, identifier, model, usesTools } from "../../src/index.js";
import { InProcessRuntime } from "../../src/durable/index.js";
import { ScriptedModel, type ScriptedStep } from "../../src/models/index.js";
import { FileStorage } from "../../src/storage/index.js";
import { RefundTool } from "./fixtures/shop.js";
import { toolwright, toolwrightJson } from "./command-line.js";

/** The agent of the runs, with the answers that its model has left. */
function shop(...steps: readonly ScriptedStep[]) {
  @model(new ScriptedModel(steps))
  @usesTools([RefundTool])
  @identifier("shop")
  class ShopAgent extends Agent {}
  return ShopAgent;
}

/** A directory with one run, which waits for approval. */
async function waitingRun(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), "toolwright-runs-"));
  const storage = new FileStorage(directory);
  const agent = shop({ toolCalls: [{ id: "call_1", name: "refund", arguments: { order: "A-17" } }] });
  const runtime = new InProcessRuntime({ storage, agents: [agent] });
  await runtime.start(agent, "Refund A-17", { runId: "order-7", context: { userId: "42" } });
  for await (const { event } of runtime.events("order-7")) if (event.type === "confirmation_required") break;
  await runtime.drain();
  await storage.close();
  return directory;
}

let data: string;
beforeEach(async () => {
  data = await waitingRun();
});

describe("runs", () => {
  it("lists the runs that wait or go on", async () => {
    const { exitCode, output } = await toolwright(["runs", "--storage", data]);
    expect(exitCode).toBe(0);
    expect(output).toMatch(/^ {2}order-7 {2}shop {2}waiting {2}\d{4}-/);
    expect((await toolwrightJson(["runs", "--storage", data, "--status", "ended", "--json"])).json).toEqual({ runs: [] });
  });

  it("shows a run and what it waits for", async () => {
    const { output } = await toolwright(["runs", "order-7", "--storage", data]);
    expect(output).toMatch(/status +waiting/);
    expect(output).toMatch(/call_1 +approval +refund \{"order":"A-17"\}/);
    expect((await toolwrightJson(["runs", "order-7", "--storage", data, "--json"])).json).toMatchObject({
      runId: "order-7",
      status: "waiting",
      context: { userId: "42" },
      pending: [{ kind: "confirmation", callId: "call_1" }],
    });
  });

  it("shows who decided, with hidden characters as codes", async () => {
    await toolwright(["decide", "order-7", "--deny", "Too late", "--by", "a\u202Eda", "--storage", data]);
    const { output } = await toolwright(["runs", "order-7", "--storage", data]);
    expect(output).toMatch(/call_1 +refund +denied +by a\S*202E\S*da +\d{4}-\S+Z +Too late/i);
  });

  it("takes the user of the machine for the one who decides", async () => {
    const options = { env: { USER: "ada" } };
    const { json } = await toolwrightJson(["decide", "order-7", "--approve", "--storage", data, "--json"], options);
    expect(json.decided).toMatchObject([{ callId: "call_1", decision: "approve", decidedBy: "ada" }]);
  });

  it("suggests the nearest run", async () => {
    const { exitCode, errors } = await toolwright(["runs", "order-8", "--storage", data]);
    expect(exitCode).toBe(2);
    expect(errors).toContain('Did you mean "order-7"?');
  });

  it("creates no storage where there is none", async () => {
    const { exitCode, errors } = await toolwright(["runs", "--storage", join(data, "absent")]);
    expect(exitCode).toBe(2);
    expect(errors).toContain("--storage: there is no");
  });

  it("says how to name a storage", async () => {
    const { exitCode, errors } = await toolwright(["runs"]);
    expect(exitCode).toBe(2);
    expect(errors).toContain("No storage is named. Name one: --storage ./data");
  });
});

describe("decide", () => {
  const decide = (...given: readonly string[]) => toolwright(["decide", "order-7", ...given, "--storage", data]);

  it("records a decision, with which the application's runtime goes on", async () => {
    const { exitCode, output } = await decide("call_1", "--approve");
    expect(exitCode).toBe(0);
    expect(output).toMatch(/^Recorded\.\norder-7\n/);
    const storage = new FileStorage(data);
    const runtime = new InProcessRuntime({ storage, agents: [shop("It is refunded.")] });
    expect(await runtime.result("order-7")).toMatchObject({ text: "It is refunded." });
    await runtime.drain();
    await storage.close();
  });

  it("takes the only call that waits, and a reason", async () => {
    expect((await decide("--deny", "Too late")).exitCode).toBe(0);
    const again = await decide("--approve");
    expect(again.exitCode).toBe(2);
    expect(again.errors).toContain("No call of the run");
  });

  it("asks in the terminal", async () => {
    const { exitCode, errors } = await toolwright(["decide", "order-7", "--storage", data], { isTerminal: true, input: "y" });
    expect(errors).toContain("Run refund? [y]es, [n]o");
    expect(exitCode).toBe(0);
  });

  it("ends with 3 if there is no decision and no terminal", async () => {
    expect((await decide()).exitCode).toBe(3);
  });

  it("rejects two decisions, and one that isn't JSON", async () => {
    expect((await decide("--approve", "--deny")).errors).toContain("A call has one decision");
    expect((await decide("--edit", "{order}")).errors).toContain("--edit: this isn't JSON");
    expect((await decide("call_2", "--approve")).errors).toContain('No call "call_2" of the run "order-7" waits.');
  });
});
