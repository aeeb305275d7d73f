import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compileProgram, modules, Running } from "../cli/processes/program.js";
import { ask } from "../studio/studio.js";
import { newDatabase } from "../support/databases.js";
import { until } from "../support/until.js";

const connectionString = process.env.DATABASE_URL;
if (connectionString === undefined) throw new Error("These tests need DATABASE_URL. Run them by: npm run test:durable");

beforeAll(compileProgram);

const storages: readonly (readonly [string, () => Promise<string>])[] = [
  ["a SQLite file", async () => join(mkdtempSync(join(tmpdir(), "toolwright-studio-")), "runs.sqlite")],
  ["Postgres", () => newDatabase(connectionString, "studio")],
];

describe.each(storages)("the studio and an application, with %s", (_name, newAddress) => {
  let application: ChildProcess;
  let said = "";
  let running: Running;
  let studio: { readonly port: number; readonly token: string };
  beforeAll(async () => {
    const address = await newAddress();
    application = spawn(process.execPath, ["--no-warnings", join(modules, "refund-application.js"), address]);
    application.stdout?.on("data", (data) => (said += data));
    await until(() => said.includes("It waits."));
    running = new Running(["studio", "--storage", address, "--by", "ada", "--port", "0", "--json"]);
    await until(() => running.output.trimEnd().endsWith("}"));
    const { port, hash } = new URL(JSON.parse(running.output).url);
    studio = { port: Number(port), token: hash.slice("#token=".length) };
  }, 60_000);
  afterAll(async () => {
    application.kill("SIGKILL");
    await running.kill();
  });

  const run = "/api/runs/order-7";

  it("shows the call that waits in the other process", async () => {
    const { waiting } = (await ask(studio, "/api/inbox")).json;
    expect(waiting).toMatchObject([{ runId: "order-7", tool: "refund", arguments: [{ name: "order", text: '"A-17"' }] }]);
  });

  it("lets the application's process go on with the decision, and shows how it ended", async () => {
    const [call] = (await ask(studio, run)).json.waiting;
    const following = ask(studio, `${run}/events`);
    const decisions = [{ decision: "approve", callId: call.callId, confirmationId: call.id }];
    expect((await ask(studio, `${run}/decisions`, { decisions })).status).toBe(200);
    await until(() => said.includes("It is refunded."));
    expect(said).toBe("It waits.\nRefunded A-17.\nIt is refunded.\n");

    const { events } = await following;
    const ofType = (type: string) => events.find(({ event }) => event.type === type);
    expect(ofType("decided").event).toMatchObject({ decision: "approve", decidedBy: "ada" });
    expect(ofType("tool_result")).toMatchObject({ at: expect.any(Number), startedAt: expect.any(Number) });
    expect(ofType("done").event).toMatchObject({ reason: "success" });
  }, 30_000);

  it("rejects a second decision", async () => {
    const { decided } = (await ask(studio, run)).json;
    expect(decided).toMatchObject([{ callId: "call_1", decidedBy: "ada" }]);
    const decisions = [{ decision: "deny", callId: "call_1", confirmationId: "any" }];
    expect((await ask(studio, `${run}/decisions`, { decisions })).status).toBe(409);
  });
});
