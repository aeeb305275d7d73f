import { Agent, model, usesTools } from "../../src/agent/index.js";
import { ScriptedModel, type ScriptedStep } from "../../src/models/index.js";
import { PostgresStorage } from "../../src/storage/index.js";
import { description, effect, identifier, Tool } from "../../src/tool/index.js";
import { DatabaseProxy } from "../support/database-proxy.js";

const connectionString = process.env.DATABASE_URL;
if (connectionString === undefined) throw new Error("These tests need DATABASE_URL. Run them by: npm run test:durable");

const paid: string[] = [];

@identifier("pay")
@description("Pays.")
@effect("once")
class PayTool extends Tool {
  call() {
    paid.push("pay");
    return "Paid.";
  }
}

const calling: ScriptedStep = { toolCalls: [{ name: "pay" }] };

function shop(...steps: readonly ScriptedStep[]): Agent {
  @model(new ScriptedModel(steps))
  @usesTools([PayTool])
  @identifier("shop")
  class ShopAgent extends Agent {}

  return new ShopAgent();
}

const unavailable = { name: "StorageError", reason: "unavailable" };

describe("a run and a conversation, if the database goes away", () => {
  let proxy: DatabaseProxy;
  let journal: PostgresStorage;
  let opened = 0;
  beforeEach(async () => {
    paid.splice(0);
    proxy = new DatabaseProxy(new URL(connectionString));
    await proxy.start();
    journal = new PostgresStorage({ connectionString: proxy.address }, { schema: `runs_${process.pid}_${opened++}` });
  });
  afterEach(async () => {
    await journal.close();
    await proxy.stop();
  });

  it("don't begin if it is away at the start, and work once it is back", async () => {
    await proxy.stop();
    const agent = shop(calling, "Done.");
    await expect(agent.load(journal.conversations, "ada")).rejects.toMatchObject(unavailable);
    await expect(agent.generate("Pay.", { journal, runId: "run" })).rejects.toMatchObject(unavailable);
    expect(paid).toEqual([]);
    await proxy.start();
    await agent.generate("Pay.", { journal, runId: "run" });
    await agent.save(journal.conversations, "ada");
    expect(paid).toEqual(["pay"]);
  });

  it("lose nothing if it is away for a moment in the middle", async () => {
    const agent = shop(
      async () => {
        await proxy.stop();
        setTimeout(() => void proxy.start(), 100);
        return { toolCalls: [{ name: "pay" }] };
      },
      calling,
      "Done.",
    );
    expect((await agent.generate("Pay.", { journal, runId: "run" })).text).toBe("Done.");
    expect(paid).toEqual(["pay", "pay"]);
    expect((await shop().resume("run", { journal })).text).toBe("Done.");
  });

  it("stop before an effect if it stays away, and go on once it is back", async () => {
    const agent = shop(async () => {
      await proxy.stop();
      return { toolCalls: [{ name: "pay" }] };
    });
    await expect(agent.generate("Pay.", { journal, runId: "run" })).rejects.toMatchObject(unavailable);
    expect(paid).toEqual([]);
    await proxy.start();
    // Nobody could give the lease back.
    const other = new PostgresStorage({ connectionString: proxy.address }, { schema: `runs_${process.pid}_${opened - 1}` });
    await expect(shop().resume("run", { journal: other })).rejects.toMatchObject({ name: "LeaseHeldError" });
    await other.leases.release(await other.leases.acquire("run run", "somebody", 1));
    expect((await shop(calling, "Done.").resume("run", { journal: other })).text).toBe("Done.");
    expect(paid).toEqual(["pay"]);
    await other.close();
  });

  it("keep each turn once if saves break off, whether or not they arrived", async () => {
    const questions: string[] = [];
    const agent = await shop(...Array.from({ length: 20 }, (_, index) => `Answer ${index}`)).load(journal.conversations, "ada");
    for (let turn = 0; turn < 10; turn++) {
      await agent.generate(`${turn}`);
      questions.push(`${turn}`);
      const saving = agent.save(journal.conversations, "ada").catch((error: unknown) => error);
      await new Promise((resolve) => setTimeout(resolve, turn % 5));
      await proxy.stop();
      const error = await saving;
      if (error !== undefined) expect(error).toMatchObject(unavailable);
      await proxy.start();
      // Connections of the pool that broke may fail once more.
      while ((await agent.save(journal.conversations, "ada").catch((broken: unknown) => broken)) !== undefined);
      const messages = (await journal.conversations.load("ada"))?.messages ?? [];
      expect(messages.filter(({ role }) => role === "user").map(({ content }) => content)).toEqual(questions);
    }
  });
});
