import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InProcessRuntime } from "../../src/durable/index.js";
import { Agent, identifier, model, usesTools } from "../../src/index.js";
import { ScriptedModel, type ScriptedStep } from "../../src/models/index.js";
import { PostgresStorage, SqliteStorage, type Storage } from "../../src/storage/index.js";
import { toolwright, toolwrightJson } from "../cli/command-line.js";
import { RefundTool } from "../cli/fixtures/shop.js";
import { newDatabase } from "../support/databases.js";

const connectionString = process.env.DATABASE_URL;
if (connectionString === undefined) throw new Error("These tests need DATABASE_URL. Run them by: npm run test:durable");

function shop(...steps: readonly ScriptedStep[]) {
  @model(new ScriptedModel(steps))
  @usesTools([RefundTool])
  @identifier("shop")
  class ShopAgent extends Agent {}
  return ShopAgent;
}

const storages: readonly (readonly [string, () => Promise<string>, (address: string) => Storage])[] = [
  [
    "a SQLite file",
    async () => join(mkdtempSync(join(tmpdir(), "toolwright-command-line-")), "runs.sqlite"),
    (address) => new SqliteStorage(address),
  ],
  ["Postgres", () => newDatabase(connectionString, "command_line"), (address) => new PostgresStorage({ connectionString: address })],
];

describe.each(storages)("runs and decide with %s", (_name, newAddress, open) => {
  let address: string;
  beforeEach(async () => {
    address = await newAddress();
    const storage = open(address);
    const agent = shop({ toolCalls: [{ id: "call_1", name: "refund", arguments: { order: "A-17" } }] });
    const runtime = new InProcessRuntime({ storage, agents: [agent] });
    await runtime.start(agent, "Refund A-17", { runId: "order-7", context: {} });
    for await (const { event } of runtime.events("order-7")) if (event.type === "confirmation_required") break;
    await runtime.drain();
    await storage.close?.();
  });

  it("list the run that waits, and show its call", async () => {
    const { json } = await toolwrightJson(["runs", "--storage", address, "--json"]);
    expect(json).toEqual({ runs: [{ runId: "order-7", agent: "shop", status: "waiting", updatedAt: expect.any(String) }] });
    const { output } = await toolwright(["runs", "order-7", "--storage", address]);
    expect(output).toMatch(/call_1 +approval +refund \{"order":"A-17"\}/);
  });

  it("record a decision, with which the application goes on", async () => {
    const decided = await toolwright(["decide", "order-7", "--approve", "--storage", address]);
    expect(decided).toMatchObject({ exitCode: 0, errors: "", output: expect.stringContaining("Recorded.") });
    const storage = open(address);
    const runtime = new InProcessRuntime({ storage, agents: [shop("It is refunded.")] });
    expect(await runtime.result("order-7")).toMatchObject({ text: "It is refunded." });
    await runtime.drain();
    await storage.close?.();
  });

  it("name the nearest run if there is none of that name", async () => {
    const { exitCode, errors } = await toolwright(["decide", "order-8", "--approve", "--storage", address]);
    expect(exitCode).toBe(2);
    expect(errors).toContain('Did you mean "order-7"?');
  });
});

it("a storage that can't be reached fails the command, and the password isn't shown", async () => {
  const { exitCode, errors } = await toolwright(["runs", "--storage", "postgres://clerk:secret-of-the-clerk@127.0.0.1:1/shop"]);
  expect(exitCode).toBe(1);
  expect(errors).toMatch(/^Error: .*ECONNREFUSED/);
  expect(errors).not.toContain("secret-of-the-clerk");
});

it("a file that is no SQLite database fails the command", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "toolwright-command-line-")), "notes.txt");
  writeFileSync(file, "These are notes, and no database.\n".repeat(100));
  const { exitCode, errors } = await toolwright(["runs", "--storage", file]);
  expect(exitCode).toBe(1);
  expect(errors).toContain("file is not a database");
});
