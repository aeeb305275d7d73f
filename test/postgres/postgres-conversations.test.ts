import { PostgresStorage } from "../../src/storage/index.js";
import { drainAll, expectTurnsToSurvive, happened, moments } from "../support/conversation-runs.js";

const connectionString = process.env.DATABASE_URL;
if (connectionString === undefined) throw new Error("These tests need DATABASE_URL. Run them by: npm run test:durable");

describe("a run in a conversation that Postgres has", () => {
  let opened = 0;
  beforeEach(() => happened.splice(0));
  afterEach(drainAll);

  it.each(moments)("leaves each turn there once if the process dies %s", async (_, momentOf) => {
    const schema = `conversations_${process.pid}_${opened++}`;
    const storage = new PostgresStorage({ connectionString }, { schema, leaseDuration: 300 });
    await expectTurnsToSurvive(storage, momentOf());
    await drainAll();
    await storage.close();
  });
});
