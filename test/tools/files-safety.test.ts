import { mkdirSync, readdirSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import type { ToolClass, ToolContext } from "../../src/index.js";
import { invokeTool } from "../../src/testing/index.js";
import { checkPathText } from "../../src/tools/files/path-rules.js";
import { rootedAt } from "../../src/tools/index.js";
import { changedAtCheck, type FilesFixture, filesFixture, swapFor } from "./files-fixture.js";
import { repeats } from "../support/repeats.js";

let fixture: FilesFixture;
beforeEach(() => (fixture = filesFixture()));
afterEach(() => fixture.remove());

/** What a call tells, a failure's words included. */
const told = async (tool: ToolClass, input: Record<string, unknown>): Promise<string> =>
  JSON.stringify(await invokeTool(tool, input).catch((error: Error) => error.message));

describe("no path ever leaves the root", () => {
  const names = ["..", ".", "", "sub", "a.txt", "dirlink", "filelink", "danglingout", "okl", "loop1", "...", "new", "secret.txt"];
  const links = ["link0", "link1", "link2"];
  const path = fc
    .array(fc.constantFrom(...names, ...links, "root-evil", "out", "{root}", "{out}"), { minLength: 1, maxLength: 8 })
    .chain((parts) => fc.constantFrom("/", "//", "\\", "/./").map((separator) => parts.join(separator)));
  const targets = fc.tuple(path, path, path);

  it("whatever its text, and whatever links there are", async () => {
    const { ReadFileTool, WriteFileTool, ListDirectoryTool } = rootedAt(fixture.root);
    writeFileSync(join(fixture.out, "only-outside"), "");
    const before = fixture.outside();
    const real = (text: string) => text.replaceAll("{root}", fixture.root).replaceAll("{out}", fixture.out);
    await fc.assert(
      fc.asyncProperty(targets, path, async (linked, text) => {
        const made = links.map((name) => join(fixture.root, name));
        for (const [index, place] of made.entries()) symlinkSync(real(linked[index] ?? "") || ".", place);
        try {
          expect(await told(ReadFileTool, { path: real(text) })).not.toMatch(/secret\\n|evil\\n/);
          expect(await told(ListDirectoryTool, { path: real(text), recursive: true })).not.toMatch(/only-outside|\bx\.txt/);
          await told(WriteFileTool, { path: real(text), content: "written" });
          expect(fixture.outside()).toEqual(before);
        } finally {
          for (const place of made) unlinkSync(place);
        }
      }),
      { numRuns: repeats(200), examples: [[["{out}", "../out", "link1"], "link2/secret.txt"]] },
    );
  }, 60_000);

  it("not while another thread exchanges a file for a link that leads outside", async () => {
    const { ReadFileTool, WriteFileTool } = rootedAt(fixture.root);
    const before = fixture.outside();
    const swapping = await swapFor(join(fixture.root, "swap.txt"), join(fixture.out, "secret.txt"));
    for (let attempt = 0; attempt < repeats(300); attempt++) {
      expect(await told(ReadFileTool, { path: "swap.txt" })).not.toContain("secret\\n");
      if (attempt % 10 === 0) await told(WriteFileTool, { path: "swap.txt", content: "written" });
    }
    await swapping.stop();
    expect(fixture.outside()).toEqual(before);
  }, 60_000);

  it("not while another thread exchanges a directory for a link that leads outside", async () => {
    const { ReadFileTool, WriteFileTool, ListDirectoryTool } = rootedAt(fixture.root);
    const before = fixture.outside();
    const swapping = await swapFor(join(fixture.root, "swapdir"), fixture.out);
    for (let attempt = 0; attempt < repeats(200); attempt++) {
      expect(await told(ReadFileTool, { path: "swapdir/secret.txt" })).not.toContain("secret\\n");
      expect(await told(ListDirectoryTool, { path: "swapdir" })).not.toContain("secret.txt");
      await told(WriteFileTool, { path: `swapdir/${attempt}.txt`, content: "written" });
    }
    await swapping.stop();
    expect(fixture.outside()).toEqual(before);
  }, 60_000);
});

describe("a folder or link that is exchanged between two accesses, whichever they are", () => {
  const inRoot = (path: string) => join(fixture.root, path);

  /** Runs a call once for each access that it makes, with the exchange just before that access. */
  async function exchangedEverywhere(
    toolsOf: (root: string) => ToolClass,
    input: Record<string, unknown>,
    exchange: () => void,
    check: (told: string) => void,
  ): Promise<void> {
    for (let number = 0; ; number++) {
      fixture.remove();
      fixture = filesFixture();
      mkdirSync(inRoot(".git/hooks"), { recursive: true });
      mkdirSync(inRoot("swapdir/hooks"));
      const { abortSignal, checks } = changedAtCheck(number, exchange);
      const call = Object.assign(new (toolsOf(fixture.root))(), input).call({ abortSignal } as ToolContext);
      check(JSON.stringify(await (call as Promise<unknown>).catch((error: Error) => error.message)));
      if (checks() <= number) return expect(number).toBeGreaterThan(3);
    }
  }
  const exchangeFor = (path: string, target: string) => () => {
    renameSync(inRoot(path), inRoot(`${path}.before`));
    symlinkSync(target, inRoot(path));
  };

  it.each([
    ["swapdir/hooks/pre-commit", "swapdir", ".git"],
    ["swapdir/pre-commit", "swapdir", ".git/hooks"],
    ["swapdir/new/deep/file.txt", "swapdir", ".git"],
    ["swapdir/b.txt", "swapdir", ".git"],
    ["sub/b.txt", "sub", ".git/hooks"],
    ["sub/b.txt", "sub", "../out"],
    ["sub/new/b.txt", "sub", "../out"],
  ])(
    "never lets a write to %s, with %s exchanged for a link to %s, change a protected folder or one outside",
    async (path, folder, target) => {
      const outside = fixture.outside();
      const write = (root: string) => rootedAt(root).WriteFileTool;
      await exchangedEverywhere(write, { path, content: "text" }, exchangeFor(folder, target), () => {
        expect(readdirSync(inRoot(".git"), { recursive: true })).toEqual(["hooks"]);
        expect(fixture.outside()).toEqual(outside);
      });
    },
  );

  it.each([
    ["okl", "../out/secret.txt"],
    ["swapdir", "../out"],
  ])("never lets a listing show an outside file's name or size through %s", async (name, target) => {
    const list = (root: string) => {
      writeFileSync(join(fixture.out, "only-outside"), "x".repeat(4_711));
      // The root holds another name of it.
      unlinkSync(join(fixture.out, "secret.txt"));
      writeFileSync(join(fixture.out, "secret.txt"), "x".repeat(4_711));
      return rootedAt(root).ListDirectoryTool;
    };
    await exchangedEverywhere(list, { path: ".", recursive: true }, exchangeFor(name, target), (text) =>
      expect(text).not.toMatch(/only-outside|4711/),
    );
  });

  it("never lets a reading give an outside file", async () => {
    const read = (root: string) => rootedAt(root).ReadFileTool;
    const secret = (text: string) => expect(text).not.toContain("secret\\n");
    await exchangedEverywhere(read, { path: "swap.txt" }, exchangeFor("swap.txt", "../out/secret.txt"), secret);
    writeFileSync(inRoot("swapdir/secret.txt"), "inside");
    await exchangedEverywhere(read, { path: "swapdir/b.txt" }, exchangeFor("swapdir", "../out"), secret);
  });
});

describe("a path with thousands of names", () => {
  it("is rejected before the disk is asked for any of them", async () => {
    const { ReadFileTool, WriteFileTool, ListDirectoryTool } = rootedAt(fixture.root);
    for (const tool of [ReadFileTool, WriteFileTool, ListDirectoryTool]) {
      for (const path of ["d/".repeat(2_000), "d/../".repeat(600) + "d/".repeat(101), `${fixture.root}/${"d/".repeat(150)}`]) {
        const { abortSignal, checks } = changedAtCheck(-1, () => undefined);
        const call = Object.assign(new tool(), { path: `${path}a`, content: "" }).call({ abortSignal } as ToolContext);
        await expect(call).rejects.toThrow("Path too deep: ");
        expect(checks()).toBe(0);
      }
    }
  });
});

describe("a call that is cancelled", () => {
  /** Throws at the check after `checks` of them. */
  const abortedAfter = (checks: number): AbortSignal => {
    let left = checks;
    const check = () => {
      if (left-- <= 0) throw new Error("cancelled");
    };
    return { throwIfAborted: check, aborted: checks <= 0 } as unknown as AbortSignal;
  };

  /** Cancels at the first check, then at the second, and so on, until a call ends; gives how many checks it makes. */
  async function cancelEverywhere(tool: ToolClass, input: Record<string, unknown>, afterEach: () => void): Promise<number> {
    for (let checks = 0; ; checks++) {
      const call = Object.assign(new tool(), input).call({ abortSignal: abortedAfter(checks) } as ToolContext);
      const cancelled = await (call as Promise<unknown>).then(
        () => false,
        (error: Error) => error.message === "cancelled" || Promise.reject(error),
      );
      if (!cancelled) return checks;
      afterEach();
    }
  }

  it("stops before each access of a write, and leaves everything as it was", async () => {
    const { WriteFileTool } = rootedAt(fixture.root);
    const before = fixture.inside();
    const unchanged = () => expect(fixture.inside()).toEqual(before);
    expect(await cancelEverywhere(WriteFileTool, { path: "a.txt", content: "text" }, unchanged)).toBeGreaterThanOrEqual(8);
    expect(fixture.inside()).toEqual({ ...before, "a.txt": "text" });
    const changed = fixture.inside();
    const path = "new/deep/new.txt";
    await cancelEverywhere(WriteFileTool, { path, content: "text" }, () => expect(fixture.inside()).toEqual(changed));
    expect(fixture.inside()).toMatchObject({ [path]: "text" });
  });

  it("stops before each access of a reading and a listing", async () => {
    const { ReadFileTool, ListDirectoryTool } = rootedAt(fixture.root);
    expect(await cancelEverywhere(ReadFileTool, { path: "a.txt" }, () => undefined)).toBeGreaterThanOrEqual(4);
    expect(await cancelEverywhere(ListDirectoryTool, { path: ".", recursive: true }, () => undefined)).toBeGreaterThanOrEqual(20);
  });
});

describe("on Windows", () => {
  it.each([
    "C:a.txt",
    "a.txt:stream",
    "sub/a.txt::$DATA",
    "a.txt. ",
    "sub./a.txt",
    "NUL",
    "con.txt",
    "sub/COM1",
    "\\\\?\\C:\\a.txt",
    "\\\\.\\C:",
  ])("%j is refused, because Windows reads another path", (path) =>
    expect(() => checkPathText(path, "win32")).toThrow(`Path that Windows reads as another: ${path}.`),
  );

  it.each(["a.txt", "sub\\a.txt", "C:\\work\\a.txt", "./a.txt", "../a.txt", "console.txt", "...\\a".slice(3)])("%j is a path", (path) =>
    expect(() => checkPathText(path, "win32")).not.toThrow(),
  );
});
