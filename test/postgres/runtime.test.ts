import { InProcessRuntime } from "../../src/durable/index.js";
import { PostgresStorage } from "../../src/storage/index.js";
import { DatabaseProxy } from "../support/database-proxy.js";
import { newDatabase } from "../support/databases.js";
import { beginAnew, calling, effects, gate, isWaiting, shop } from "../support/runtime-shop.js";

const connectionString = process.env.DATABASE_URL;
if (connectionString === undefined) throw new Error("These tests need DATABASE_URL. Run them by: npm run test:durable");

beforeEach(beginAnew);

it("a runtime goes on with its runs when the database is back, and does nothing twice", async () => {
  const proxy = new DatabaseProxy(new URL(await newDatabase(connectionString, "runtime")));
  await proxy.start();
  const storage = new PostgresStorage({ connectionString: proxy.address }, { leaseDuration: 500 });
  const agents = [shop(calling("pay"), calling("look"), ...Array.from({ length: 5 }, () => "Done."))];
  const runtime = new InProcessRuntime({ storage, agents, onError: () => undefined });
  try {
    await runtime.start("shop", "Pay", { runId: "run-1", context: { userId: "42" } });
    await isWaiting.opened;

    await proxy.stop();
    gate.open();
    await expect(runtime.start("shop", "Hi", { runId: "run-2" })).rejects.toMatchObject({ name: "StorageError" });
    // The lease of the run ends meanwhile.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await proxy.start();

    expect((await runtime.result("run-1")).text).toBe("Done.");
    expect(effects.filter((effect) => effect === "pay")).toHaveLength(1);
    await runtime.start("shop", "Hi", { runId: "run-2" });
    expect((await runtime.result("run-2")).text).toBe("Done.");
  } finally {
    await runtime.drain({ deadline: 0 });
    await storage.close();
    await proxy.stop();
  }
}, 60_000);
