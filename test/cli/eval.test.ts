import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toolwright, toolwrightJson } from "./command-line.js";

const folder = mkdtempSync(join(tmpdir(), "toolwright-eval-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const evaluation = (...given: readonly string[]) => [
  ...["eval", "shop_agent", given[0] ?? "cases.jsonl", "-m", "shop.ts", "--answers", join(folder, "answers")],
  ...given.slice(1),
];

describe("eval", () => {
  it("prints shares, and what was wrong", async () => {
    const { exitCode, output } = await toolwright(evaluation());
    expect(exitCode).toBe(0);
    expect(output).toContain("passed       50.0 % of 2");
    expect(output).toContain('get_weather: city is "Rome", expected "Roma"');
  });

  it("ends with 1 below the threshold", async () => {
    expect((await toolwright(evaluation("cases.jsonl", "--threshold", "50%"))).exitCode).toBe(0);
    const { exitCode, output } = await toolwright(evaluation("cases.jsonl", "--threshold", "0.9"));
    expect(exitCode).toBe(1);
    expect(output).toContain("Below the threshold of 90.0 %.");
  });

  it("rejects a threshold that is no share", async () => {
    const { exitCode, errors } = await toolwright(evaluation("cases.jsonl", "--threshold", "much"));
    expect(exitCode).toBe(2);
    expect(errors).toContain('--threshold is "much"');
  });

  it("prints the report as JSON", async () => {
    const { json } = await toolwrightJson(evaluation("cases.jsonl", "--json"));
    expect(json).toMatchObject({ ok: true, report: { version: 1, agent: "shop_agent", summary: { runs: 2, errors: 0 } } });
  });

  it("writes the report as a page and as JSON, and compares with it", async () => {
    const [page, report] = [join(folder, "report.html"), join(folder, "report.json")];
    await toolwright(evaluation("cases.jsonl", "--html", page, "--out", report));
    expect(readFileSync(page, "utf8")).toMatch(/^<!doctype html>/);
    const { output } = await toolwright(evaluation("cases.jsonl", "--baseline", report));
    expect(output).toContain("passed, 2 cases: 50.0 % before, 50.0 % after: not more than chance");
  });

  it("compares two models", async () => {
    const { output } = await toolwright(evaluation("cases.jsonl", "--compare", "embedded/keyword"));
    expect(output).toContain("shop_agent with embedded/keyword: 2 cases");
    expect(output).toContain("0 better, 0 worse");
  });

  it("shows progress on a terminal", async () => {
    const { errors } = await toolwright(evaluation(), { isTerminal: true });
    expect(errors).toContain("#################### 2 of 2, 1 passed");
  });

  it("names the line of a case that is no JSON", async () => {
    const path = join(folder, "broken.jsonl");
    writeFileSync(path, '{"prompt":"Hi.","expect":{"calls":[]}}\n{"prompt"');
    const { exitCode, errors } = await toolwright(evaluation(path));
    expect(exitCode).toBe(2);
    expect(errors).toMatch(/Error: \S*broken.jsonl line 2: it is no JSON/);
  });

  it("ends with 1 if a case expects a tool that the agent doesn't have", async () => {
    const path = join(folder, "unknown.jsonl");
    writeFileSync(path, '{"prompt":"Hi.","expect":{"calls":[{"tool":"get_wether"}]}}');
    const { exitCode, output } = await toolwright(evaluation(path));
    expect(exitCode).toBe(1);
    expect(output).toContain('Did you mean "get_weather"?');
  });

  it("rejects a file of cases that is empty, and a report that is a folder", async () => {
    const path = join(folder, "empty.jsonl");
    writeFileSync(path, "\n");
    expect(await toolwright(evaluation(path))).toMatchObject({ exitCode: 2, errors: expect.stringContaining("empty.jsonl has no case.") });
    const asBaseline = await toolwright(evaluation("cases.jsonl", "--baseline", folder));
    expect(asBaseline).toMatchObject({ exitCode: 2, errors: expect.stringContaining("can't be read: EISDIR") });
  });

  it.each(["--html", "--out"])("rejects %s into a folder that isn't there before it asks a model", async (option) => {
    const { exitCode, output, errors } = await toolwright(evaluation("cases.jsonl", option, join(folder, "missing/report")));
    expect({ exitCode, output }).toEqual({ exitCode: 2, output: "" });
    expect(errors).toContain("there is no folder");
  });

  it("ends with 130 at Ctrl-C, and says that answers are kept", async () => {
    const { exitCode, errors } = await toolwright(evaluation(), { onInterrupt: (interrupt) => interrupt() });
    expect(exitCode).toBe(130);
    expect(errors).toContain("the same command asks only for the others");
  });

  it("says that a file of cases isn't there", async () => {
    const { exitCode, errors } = await toolwright(evaluation("nothing.jsonl"));
    expect(exitCode).toBe(2);
    expect(errors).toContain("There is no file nothing.jsonl");
  });
});
