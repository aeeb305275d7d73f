import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, model, usesTools } from "../../src/agent/index.js";
import { approve } from "../../src/confirmation/index.js";
import type { RunState } from "../../src/loop/index.js";
import { ScriptedModel } from "../../src/models/index.js";
import { FileConversationStore, type StoredConversation } from "../../src/storage/index.js";
import { takeFilesApart } from "../../src/storage/apart-files.js";
import { createTool, description, image, requiresConfirmation, Tool } from "../../src/tool/index.js";
import { png } from "../support/pictures.js";

const picture = (grey: number) => png(grey, 2_000);
const base64 = (grey: number) => picture(grey).toString("base64");
const saying = (revision: number, ...greys: number[]): StoredConversation => ({
  version: 1,
  revision,
  messages: greys.map((grey) => ({
    role: "tool",
    content: "[image/png, 2.1 KB]",
    attachments: [{ type: "image", mediaType: "image/png", data: base64(grey) }],
  })),
});

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "apart-"));
});
afterEach(() => rm(directory, { recursive: true }));

/** All files, with how often each was written: by the time of its last write. */
const stored = async () => {
  const names = (await readdir(directory, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const texts = await Promise.all(names.map((entry) => readFile(join(entry.parentPath, entry.name), "utf8")));
  return { names: names.map(({ name }) => name), texts };
};

describe("the bytes of a stored conversation's images", () => {
  it("are stored once, also if messages and state have them", async () => {
    const store = new FileConversationStore(directory);
    await store.save("42", saying(1, 1));
    await store.save("42", { ...saying(2, 1, 1, 2), state: { messages: saying(2, 1).messages } });
    const { texts } = await stored();

    expect(texts.join("").split(base64(1))).toHaveLength(2);
    expect(texts.join("").split(base64(2))).toHaveLength(2);
    expect(await store.load("42")).toEqual({ ...saying(2, 1, 1, 2), state: { messages: saying(2, 1).messages } });
  });

  it.each(["\ud800", "\0"])("stay in the JSON if they hold %j, which a file or a database can't", (character) => {
    const data = character.repeat(2_000);
    const messages = [{ role: "user", content: [{ type: "file", mediaType: "text/plain", data }] }];
    const { text, files } = takeFilesApart({ version: 1, revision: 1, messages });

    expect(files.size).toBe(0);
    expect(JSON.parse(text)).toMatchObject({ messages });
  });

  it("aren't written again by a later save", async () => {
    const store = new FileConversationStore(directory);
    await store.save("42", saying(1, 1));
    const [name = ""] = (await stored()).names.filter((file) => !file.endsWith(".json"));
    const [folder = ""] = (await readdir(directory)).filter((file) => file.endsWith(".files"));
    await writeFile(join(directory, folder, name), "as it was left");
    await store.save("42", saying(2, 1, 2));

    expect(await readFile(join(directory, folder, name), "utf8")).toBe("as it was left");
  });

  it("go with the last message that has them, and with the conversation", async () => {
    const store = new FileConversationStore(directory);
    await store.save("42", saying(1, 1, 2));
    await store.save("42", saying(2, 2));
    expect((await stored()).texts.join("")).not.toContain(base64(1));

    await store.delete("42");
    expect((await stored()).names).toEqual([]);
  });

  it("that are missing are an error that names them, and change nothing", async () => {
    const store = new FileConversationStore(directory);
    await store.save("42", saying(1, 1));
    const [folder = ""] = (await readdir(directory)).filter((file) => file.endsWith(".files"));
    await rm(join(directory, folder), { recursive: true });

    await expect(store.load("42")).rejects.toThrow(/lacks the file [0-9a-f]{64} of one of its messages\. It was left as it is;/);
  });

  it("stay in the text if they are few, so that a conversation without images costs nothing more", () => {
    const small = { version: 1, messages: [{ role: "user", content: [{ type: "image", mediaType: "image/png", data: "AAAA" }] }] } as const;

    expect(takeFilesApart(small)).toEqual({ text: JSON.stringify(small), files: new Map() });
  });

  it("come back in a run that waits for a person, whose state has a checksum", async () => {
    const Draw = createTool({
      name: "draw",
      description: "Draws. Use to draw.",
      inputSchema: { type: "object" },
      execute: () => image(picture(1), "image/png"),
    });
    @description("Publishes. Use to publish.")
    @requiresConfirmation()
    class PublishTool extends Tool {
      call() {
        return "Published.";
      }
    }
    const script = new ScriptedModel([
      { toolCalls: [{ name: "draw", arguments: {} }] },
      {
        toolCalls: [
          { name: "draw", arguments: {} },
          { name: "publish_tool", arguments: {} },
        ],
      },
      "Published.",
    ]);
    @model(script)
    @usesTools([Draw, PublishTool])
    class ArtAgent extends Agent {}
    const store = new FileConversationStore(directory);
    const agent = new ArtAgent();
    const { confirmations = [] } = await agent.generate("Draw, then draw and publish.");
    await agent.save(store, "42");
    const other = new ArtAgent();
    await other.load(store, "42");
    const { state } = (await store.load("42")) ?? {};
    const response = await other.resume(state as RunState, { decisions: confirmations.map(({ callId }) => approve(callId)) });

    expect((await stored()).texts.join("").split(base64(1))).toHaveLength(2);
    expect(response).toMatchObject({ reason: "success" });
  });
});
