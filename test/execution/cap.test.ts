import fc from "fast-check";
import { capText, leastMaxResultBytes } from "../../src/execution/result/cap.js";
import { modelText, ToolExecutor } from "../../src/execution/index.js";
import { createTool, failure } from "../../src/tool/index.js";
import { caller } from "./support.js";

const toolOf = (execute: () => unknown, extra = {}) =>
  createTool({ name: "big", description: "Big.", inputSchema: { type: "object" }, execute, ...extra });

describe("case 58: a result that would fill the model's context", () => {
  it("is cut to 50,000 bytes with head, tail, the numbers, and how to get the rest", async () => {
    const result = await caller(toolOf(() => `start${"x".repeat(5e6)}end`))();
    const read = modelText(result);
    expect(Buffer.byteLength(read)).toBeLessThanOrEqual(50_000);
    expect(read).toMatch(/^startx+\n\[\.\.\. \d+ of 5000008 bytes left out here\. To see them, call again .* \.\.\.\]\nx+end$/);
    const left = Number(/(\d+) of/.exec(read)?.[1]);
    expect(read.replace(/\n\[.*\]\n/, "").length + left).toBe(5_000_008);
  });

  it("is its JSON text, cut, where it isn't a string", async () => {
    const { data } = await caller(toolOf(() => ({ rows: Array.from({ length: 20_000 }, (_, id) => ({ id })) })))();
    expect(data).toMatch(/^\{"rows":\[\{"id":0\}.*left out here.*\{"id":19999\}\]\}$/s);
  });

  it("is left alone where it just fits", async () => {
    const fits = "x".repeat(50_000);
    expect((await caller(toolOf(() => fits))()).data).toBe(fits);
    const rows = { rows: ["x".repeat(30_000)] };
    expect((await caller(toolOf(() => rows))()).data).toBe(rows);
  });

  it("is cut for errors as well, thrown or returned", async () => {
    for (const fail of [() => Promise.reject(new Error("e".repeat(5e6))), () => failure("e".repeat(5e6))]) {
      const { error } = await caller(toolOf(fail))();
      expect(Buffer.byteLength(error ?? "")).toBeLessThanOrEqual(50_000);
    }
  });

  it("is checked against the output schema whole", async () => {
    const tool = toolOf(() => ["x".repeat(100_000)], { outputSchema: { type: "array", items: { type: "string" } } });
    expect((await caller(tool)()).data).toMatch(/left out here/);
  });

  it("reaches an application that asks by run() whole", async () => {
    const whole = { text: "x".repeat(200_000) };
    expect(await new ToolExecutor({ tools: [toolOf(() => whole)] }).run("big", {})).toEqual(whole);
  });

  it("has the cap that the application sets", async () => {
    const long = "x".repeat(60_000);
    expect(
      (
        await caller(
          toolOf(() => long),
          { maxResultBytes: Number.POSITIVE_INFINITY },
        )()
      ).data,
    ).toBe(long);
    expect(
      String(
        (
          await caller(
            toolOf(() => long),
            { maxResultBytes: 1_000 },
          )()
        ).data,
      ).length,
    ).toBeLessThanOrEqual(1_000);
    for (const cap of [0, 499, Number.NaN])
      expect(() =>
        caller(
          toolOf(() => 1),
          { maxResultBytes: cap },
        ),
      ).toThrow(/maxResultBytes must be at least 500/);
  });
});

describe("capText", () => {
  it("says what is left out of a text whose head and tail are alike", () => {
    expect(capText("x".repeat(100_000), 1_000)).toMatch(/^x+\n\[\.\.\. \d+ of 100000 bytes left out here\./);
  });

  it("never exceeds the cap, and never cuts a character in two", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", minLength: 200, maxLength: 3_000 }),
        fc.integer({ min: leastMaxResultBytes, max: 3_000 }),
        (text, cap) => {
          const capped = capText(text, cap);
          expect(Buffer.byteLength(capped)).toBeLessThanOrEqual(cap);
          if (Buffer.byteLength(text) <= cap) expect(capped).toBe(text);
          else {
            const [head = "", tail = ""] = capped.split(/\n\[\.\.\. \d+ of \d+ bytes left out here\..*\]\n/);
            expect(text.startsWith(head)).toBe(true);
            expect(text.endsWith(tail)).toBe(true);
          }
        },
      ),
    );
  });
});
