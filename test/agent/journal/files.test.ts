import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, model, usesTools } from "../../../src/agent/index.js";
import { approve, deny } from "../../../src/confirmation/index.js";
import { ScriptedModel, type ScriptedStep } from "../../../src/models/index.js";
import { FileDecisionClaims, FileStorage } from "../../../src/storage/index.js";
import { description, effect, identifier, requiresConfirmation, Tool } from "../../../src/tool/index.js";

const refunds: string[] = [];
let directory: string;
beforeEach(async () => {
  refunds.splice(0);
  directory = await mkdtemp(join(tmpdir(), "journal-files-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

@identifier("refund")
@description("Refunds.")
@requiresConfirmation()
@effect("once")
class RefundTool extends Tool {
  call() {
    refunds.push("refund");
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

const calling: ScriptedStep = { toolCalls: [{ name: "refund" }] };

/** The options of one process. */
const process = () => ({ journal: new FileStorage(join(directory, "runs")), claims: new FileDecisionClaims(join(directory, "claims")) });

/** The file of a run. */
async function journalFile(): Promise<string> {
  const folder = join(directory, "runs", "journals");
  const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".jsonl"));
  expect(files).toHaveLength(1);
  return join(folder, files[0] as string);
}

/** A run whose process ended in the approved call, with its claims on disk. The last line of its journal may be torn. */
async function cutOff(torn = ""): Promise<void> {
  const first = process();
  await shop(calling).generate("Refund it.", { ...first, runId: "run" });
  await shop("Refunded.").resume("run", { ...first, decisions: [approve("call_1")] });
  await first.journal.close();
  refunds.splice(0);
  const file = await journalFile();
  const lines = (await readFile(file, "utf8")).split("\n");
  const begun = lines.findIndex((line) => line.includes('"call_begun"'));
  await writeFile(
    join(directory, "runs", "journals", file.split("/").at(-1) as string),
    `${lines.slice(0, begun + 1).join("\n")}\n${torn}`,
  );
  if (file.includes("ended")) await rm(file);
}

describe("a run in files whose process ended in an approved call, with claims on disk", () => {
  it.each([
    ["approved", [approve("call_1")], ["refund"]],
    ["denied", [deny("call_1")], []],
  ])("can be %s", async (_what, decisions, effects) => {
    await cutOff();
    const second = process();
    const asked = await shop().resume("run", second);
    expect(asked.confirmations).toEqual([expect.objectContaining({ outcomeUnknown: true })]);
    await second.journal.close();
    const third = process();
    const response = await shop("Done.").resume("run", { ...third, decisions });
    expect([response.reason, refunds]).toEqual(["success", effects]);
    await third.journal.close();
  });

  it("goes on if the last line of its journal is torn", async () => {
    await cutOff('{"runId":"run","agent":"shop","status":"running","position":7,"entr');
    const second = process();
    await shop().resume("run", second);
    const response = await shop("Done.").resume("run", { ...second, decisions: [deny("call_1")] });
    expect([response.reason, refunds]).toEqual(["success", []]);
    await second.journal.close();
    for (const line of (await readFile(await journalFile(), "utf8")).trimEnd().split("\n")) JSON.parse(line);
  });
});
