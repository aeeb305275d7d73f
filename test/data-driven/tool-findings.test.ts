import { checkTools, type ToolFinding } from "../../src/lint/index.js";
import { createTool, type ToolClass } from "../../src/tool/index.js";
import { describeData, readJsonLines } from "../support/data.js";

interface RealTool {
  readonly source: string;
  readonly name: string;
  readonly description: string;
  readonly schema: object;
}

describeData(["tools.jsonl"], (path) => {
  const bySource = new Map<string, Map<string, ToolClass>>();
  for (const { source, name, description, schema } of readJsonLines<RealTool>(path)) {
    const tools = bySource.get(source) ?? new Map<string, ToolClass>();
    bySource.set(source, tools);
    if (tools.has(name) || description.trim() === "") continue;
    tools.set(name, createTool({ name, description, inputSchema: schema as never, execute: () => name }));
  }
  const tools = [...bySource.values()].reduce((count, { size }) => count + size, 0);
  const findings = [...bySource.values()].flatMap((offered) => checkTools([...offered.values()]));
  const of = (rule: ToolFinding["rule"]) => findings.filter((finding) => finding.rule === rule);

  it("finds what real tools lack most: when to use them", () => {
    expect(of("says-when-to-use").length).toBeGreaterThan(tools * 0.5);
  });

  it.each(["says-what-it-does", "not-too-long", "not-vague", "not-like-another", "names-known-tools"] as const)(
    "raises few alarms that cry for attention: %s for fewer than one tool in thirty",
    (rule) => {
      expect(of(rule).length).toBeLessThan(tools / 30);
    },
  );
});
