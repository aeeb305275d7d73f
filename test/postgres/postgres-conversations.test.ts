import { PostgresStorage } from "../../src/storage/index.js";
import { drainAll, expectPauseToSurvive, expectTurnsToSurvive, happened, moments, pauseMoments } from "../support/conversation-runs.js";

const connectionString = process.env.DATABASE_URL;
if (connectionString === undefined) throw new Error("These tests need DATABASE_URL. Run them by: npm run test:durable");

describe("a run in a conversation that Postgres has", () => {
  let opened = 0;
  beforeEach(() => happened.splice(0));
  afterEach(drainAll);

  const expectOf = async (
    expectation: typeof expectTurnsToSurvive,
    momentOf: Parameters<typeof expectTurnsToSurvive>[1],
  ): Promise<void> => {
    const schema = `conversations_${process.pid}_${opened++}`;
    const storage = new PostgresStorage({ connectionString }, { schema, leaseDuration: 300 });
    await expectation(storage, momentOf);
    await drainAll();
    await storage.close();
  };

  it.each(moments)("leaves each turn there once if the process dies %s", (_, momentOf) => expectOf(expectTurnsToSurvive, momentOf()));

  it.each(pauseMoments)("leaves the turn of a run that waited there once if the process dies %s", (_, momentOf) =>
    expectOf(expectPauseToSurvive, momentOf()),
  );
});
