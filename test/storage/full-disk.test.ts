import { execFileSync, spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, model, usesTools } from "../../src/agent/index.js";
import { deny } from "../../src/confirmation/index.js";
import { InProcessRuntime } from "../../src/durable/index.js";
import { ScriptedModel, type ScriptedStep } from "../../src/models/index.js";
import { FileStorage, SqliteStorage, type Storage } from "../../src/storage/index.js";
import { description, effect, identifier, requiresConfirmation, Tool } from "../../src/tool/index.js";

/** A file system of a megabyte, if this system lets its user have one. */
const directory = mkdtempSync(join(tmpdir(), "full-disk-"));
const mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", directory] as const;
const canMount = process.platform === "linux" && spawnSync("unshare", ["--mount", ...mount], { stdio: "ignore" }).status === 0;
const filler = join(directory, "filler");
beforeAll(() => {
  if (canMount) execFileSync("mount", mount.slice(1));
});
afterEach(() => rmSync(filler, { force: true }));
afterAll(() => {
  if (canMount) spawnSync("umount", ["-l", directory]);
  rmSync(directory, { recursive: true, force: true });
});

/** Leaves no space. */
function fillDisk(): void {
  const file = openSync(filler, "w");
  try {
    for (;;) writeSync(file, Buffer.alloc(65_536));
  } catch {
    // It is full.
  } finally {
    closeSync(file);
  }
}

/** Pages that a file has already may have space for a short one. */
const longText = (text: string): string => `${text} `.repeat(2_000);

const happened: string[] = [];
beforeEach(() => happened.splice(0));

@identifier("pay")
@description("Pays, and leaves no space.")
@effect("once")
class PayTool extends Tool {
  call() {
    happened.push("pay");
    fillDisk();
    return longText("Paid.");
  }
}

@identifier("refund")
@description("Refunds.")
@effect("once")
@requiresConfirmation()
class RefundTool extends Tool {
  call() {
    happened.push("refund");
    return "Refunded.";
  }
}

const calling = (name: string): ScriptedStep => ({ toolCalls: [{ name }] });
const hasSqlite = process.getBuiltinModule?.("node:sqlite") !== undefined;
const leaseDuration = 200;
let opened = 0;
const forms: readonly (readonly [string, () => Storage])[] = [
  ["FileStorage", () => new FileStorage(join(directory, String(opened++)), { leaseDuration })],
  ...(hasSqlite ? [["SqliteStorage", () => new SqliteStorage(join(directory, `${opened++}.sqlite`), { leaseDuration })] as const] : []),
];
const unavailable = { name: "StorageError", reason: "unavailable", message: expect.stringContaining("Free some space") };

(canMount ? describe : describe.skip).each(forms)("a runtime on a full disk (%s)", (_, open) => {
  let storage: Storage;
  let runtime: InProcessRuntime;
  let errors: unknown[];
  const begin = (...steps: readonly ScriptedStep[]): ScriptedModel => {
    const scripted = new ScriptedModel(steps);

    @model(scripted)
    @usesTools([PayTool, RefundTool])
    @identifier("shop")
    class ShopAgent extends Agent {}

    storage = open();
    errors = [];
    runtime = new InProcessRuntime({ storage, agents: [ShopAgent], onError: (error) => errors.push(error) });
    return scripted;
  };
  afterEach(async () => {
    rmSync(filler, { force: true });
    await runtime.drain({ deadline: 0 });
    await storage.close?.();
  });

  it("rejects a start by name, and takes it once there is space", async () => {
    begin("Hello.", "Hello again.");
    await runtime.start("shop", "Hi", { runId: "run-1" });
    await runtime.result("run-1");
    fillDisk();
    await expect(runtime.start("shop", "Hi", { runId: "run-2" })).rejects.toMatchObject(unavailable);
    rmSync(filler);
    await runtime.start("shop", "Hi", { runId: "run-2" });
    expect((await runtime.result("run-2")).text).toBe("Hello again.");
  });

  it("rejects a decision by name, and takes it once there is space", async () => {
    begin(calling("refund"), "Done.");
    await runtime.start("shop", "Refund", { runId: "run-1" });
    let [item] = await runtime.pending();
    for (; item === undefined; [item] = await runtime.pending()) await new Promise((resolve) => setTimeout(resolve, 5));
    const { callId, confirmation } = item;
    while ((await storage.journals.list({ status: "waiting", unleased: true })).length === 0) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    fillDisk();
    const denial = deny(confirmation, longText("Too much."));
    await expect(runtime.decide("run-1", callId, denial)).rejects.toMatchObject(unavailable);
    expect(await runtime.pending()).toHaveLength(1);
    rmSync(filler);
    await runtime.decide("run-1", callId, denial);
    expect((await runtime.result("run-1")).text).toBe("Done.");
    expect(happened).toEqual([]);
  });

  it("goes on with a run once there is space, and pays once", async () => {
    const scripted = begin(calling("pay"), "Not recorded.", "I don't know.");
    await runtime.start("shop", "Pay", { runId: "run-1", conversation: "ada" });
    while (errors.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(errors[0]).toMatchObject(unavailable);
    rmSync(filler, { force: true });
    expect((await runtime.result("run-1")).text).toBe("I don't know.");
    expect(happened).toEqual(["pay"]);
    expect(scripted.requests.at(-1)?.messages.at(-1)).toMatchObject({
      content: expect.stringContaining("It isn't known whether this call took effect"),
    });
    expect((await storage.conversations.load("ada"))?.messages).toHaveLength(4);
  }, 30_000);
});
