import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, model, usesTools } from "../../src/agent/index.js";
import { approve } from "../../src/confirmation/index.js";
import { ScriptedModel } from "../../src/models/index.js";
import { FileStorage, JournalError, type Storage } from "../../src/storage/index.js";
import { createTool, image } from "../../src/tool/index.js";
import { png } from "../support/pictures.js";

const picture = (grey: number): string => png(grey, 2_000).toString("base64");
const look = createTool({
  name: "look",
  description: "Looks.",
  inputSchema: { type: "object" },
  execute: () => image(picture(2), "image/png"),
});

let directory: string;
let storage: Storage & { close(): Promise<void> };
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "journal-files-"));
  storage = new FileStorage(directory);
});
afterEach(async () => {
  await storage.close();
  await rm(directory, { recursive: true });
});

const texts = async (): Promise<readonly string[]> => {
  const entries = await readdir(join(directory, "journals"), { recursive: true, withFileTypes: true });
  return Promise.all(entries.filter((entry) => entry.isFile()).map((entry) => readFile(join(entry.parentPath, entry.name), "utf8")));
};
const timesStored = async (data: string): Promise<number> => (await texts()).join("").split(data).length - 1;

function seeingAgent(...replies: ConstructorParameters<typeof ScriptedModel>[0]): Agent {
  @model(new ScriptedModel(replies))
  @usesTools([look])
  class SeeingAgent extends Agent {}
  return new SeeingAgent();
}
const shown = (grey: number) => [{ type: "image", mediaType: "image/png", data: picture(grey) }] as const;
const looks = { toolCalls: [{ name: "look" }] };

describe("the images of a conversation whose runs are recorded", () => {
  it("are stored once, however many runs the conversation has", async () => {
    const agent = seeingAgent("A lamp.", looks, "Two lamps.", "Yes.", "No.");
    const runs: string[] = [];
    for (const prompt of [shown(1), "And there?", "Sure?", "Really?"])
      runs.push((await agent.generate(prompt, { journal: storage })).runId);
    expect([await timesStored(picture(1)), await timesStored(picture(2))]).toEqual([1, 1]);
    const [began] = await storage.journals.read(runs[3] as string);
    expect(began).toMatchObject({
      kind: "began",
      messages: [{ content: shown(1) }, {}, {}, {}, { attachments: shown(2) }, {}, {}, {}, {}],
    });
  });

  it("are sent again when a run is resumed from its journal", async () => {
    const first = seeingAgent(looks, { error: new Error("The process ended.") });
    const runId = "run_1";
    await first.generate(shown(1), { journal: storage, runId }).catch(() => undefined);
    const scripted = new ScriptedModel(["Two lamps."]);
    @model(scripted)
    @usesTools([look])
    class SeeingAgent extends Agent {}
    expect((await new SeeingAgent().resume(runId, { journal: storage })).text).toBe("Two lamps.");
    expect(scripted.requests[0]?.messages).toMatchObject([{ content: shown(1) }, {}, { attachments: shown(2) }]);
  });

  it("go with the last run that has them", async () => {
    const agent = seeingAgent("A lamp.", "Yes.");
    const first = await agent.generate(shown(1), { journal: storage });
    const second = await agent.generate("Sure?", { journal: storage });
    await storage.journals.delete(first.runId);
    expect(await timesStored(picture(1))).toBe(1);
    await storage.journals.delete(second.runId);
    expect(await texts()).toEqual([]);
  });

  it("go if the process ended while their run was removed, once it is removed again", async () => {
    const { runId } = await seeingAgent("A lamp.").generate(shown(1), { journal: storage });
    const [name = ""] = await readdir(join(directory, "journals", "ended"));
    await storage.close();
    await rm(join(directory, "journals", "ended", name));
    await storage.journals.delete(runId);
    expect(await texts()).toEqual([]);
  });

  it("that are missing are an error that names them, and change nothing", async () => {
    const { runId } = await seeingAgent("A lamp.").generate(shown(1), { journal: storage });
    await rm(join(directory, "journals", "files"), { recursive: true });
    const reading = storage.journals.read(runId);
    await expect(reading).rejects.toThrow(JournalError);
    await expect(reading).rejects.toThrow(/line 1: lacks the file [0-9a-f]{64} of one of its messages\. It was left as it is;/);
  });

  it("are read from journals that have them within their entries", async () => {
    const { runId } = await seeingAgent("A lamp.").generate(shown(1), { journal: storage });
    const entries = await storage.journals.read(runId);
    await storage.close();
    const ended = join(directory, "journals", "ended");
    const [name = ""] = await readdir(ended);
    const whole = (await readFile(join(ended, name), "utf8")).replaceAll(/"dataDigest":"[0-9a-f]{64}"/g, `"data":"${picture(1)}"`);
    await writeFile(join(ended, name), whole);
    await rm(join(directory, "journals", "files"), { recursive: true });
    expect(await storage.journals.read(runId)).toEqual(entries);
  });

  it("stay once in the journal of a run that waits for a person", async () => {
    const refund = createTool({
      name: "refund",
      description: "Refunds.",
      inputSchema: { type: "object" },
      requiresConfirmation: true,
      execute: () => "Refunded",
    });
    @model(new ScriptedModel([{ toolCalls: [{ name: "refund" }] }, "Done."]))
    @usesTools([refund])
    class RefundAgent extends Agent {}
    const paused = await new RefundAgent().generate(shown(1), { journal: storage });
    if (paused.reason !== "awaiting_confirmation") throw new Error(paused.reason);
    const decisions = paused.confirmations.map((one) => approve(one));
    expect((await new RefundAgent().resume(paused.runId, { journal: storage, decisions })).reason).toBe("success");
    expect(await timesStored(picture(1))).toBe(1);
  });
});
