import { join } from "node:path";
import { invokeTool } from "../../src/testing/index.js";
import { rootedAt } from "../../src/tools/files/index.js";
import { describeData, readJson } from "../support/data.js";
import { type FilesFixture, filesFixture, swapFor } from "../tools/files-fixture.js";

interface PathItem {
  readonly op?: string;
  readonly input: string;
  readonly expect: string;
  readonly win32?: string;
  readonly note?: string;
  readonly why: string;
}

const anyError = "any clean error is right";

/** What a call gave, in the words of the items; the message, where there was one, is told what it must not hold. */
async function outcomeOf(call: Promise<unknown>, fixture: FilesFixture, input: string): Promise<string> {
  try {
    const { content, entries } = (await call) as { readonly content?: string; readonly entries?: unknown };
    return entries === undefined ? `allow:${content}` : "listing";
  } catch (error) {
    const { message } = error as Error;
    // The model is told its own words, and nothing of the host.
    expect(message.replaceAll(input, "")).not.toContain(fixture.root);
    expect(message.replaceAll(input, "")).not.toMatch(/\/(tmp|etc|proc|dev|nonexistent)\b/);
    expect(message).toMatch(/\. [A-Z].*\.$/s);
    return message.includes("File not found: ") ? "notfound" : "deny";
  }
}

describeData(["hostile/paths.json"], (path) => {
  let fixture: FilesFixture;
  beforeEach(() => (fixture = filesFixture()));
  afterEach(() => fixture.remove());

  const items = readJson<PathItem[]>(path);

  it.each(items.map((item) => [`${item.op ?? "read"} ${JSON.stringify(item.input).slice(0, 60)}: ${item.why}`, item] as const))(
    "%s",
    async (_, { op = "read", input: template, expect: anywhere, win32, note }) => {
      const expected = process.platform === "win32" ? (win32 ?? anywhere) : anywhere;
      const input = template.replaceAll("{root}", fixture.root);
      const { ReadFileTool, WriteFileTool, ListDirectoryTool } = rootedAt(fixture.root);
      const call = () =>
        /read/.test(op)
          ? invokeTool(ReadFileTool, { path: input })
          : op === "list"
            ? invokeTool(ListDirectoryTool, { path: input, recursive: true })
            : invokeTool(WriteFileTool, { path: input, content: "written" });
      const outsideBefore = fixture.outside();

      if (op.startsWith("race")) {
        const [first = ""] = input.split("/");
        const swapped = join(fixture.root, first);
        const swapping = await swapFor(swapped, input.includes("/") ? fixture.out : join(fixture.out, "secret.txt"));
        for (let attempt = 0; attempt < 200; attempt++) expect(await outcomeOf(call(), fixture, input)).not.toContain("secret");
        await swapping.stop();
      } else {
        const outcome = await outcomeOf(call(), fixture, input);
        if (expected === "outside-unchanged") expect(["allow:undefined", "deny", "notfound"]).toContain(outcome);
        else if (note === anyError) expect(["notfound", "deny"]).toContain(outcome);
        else expect(outcome).toBe(op === "write" && expected === "allow" ? "allow:undefined" : expected);
      }
      expect(fixture.outside()).toEqual(outsideBefore);
    },
  );
});
