import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type McpServing, serveMcp } from "../../../src/mcp/index.js";
import { repositoryRoot } from "../../support/code-blocks.js";
import { notApplicable, notApplicableChecks } from "./conformance/not-applicable.js";
import { type Check, type Outcomes, runSuite } from "./conformance/outcomes.js";
import { conformanceTools } from "./conformance/tools.js";

/** The official conformance suite, run as it is published against a server of tool classes. */

const revisions = ["2025-11-25", "2026-07-28"] as const;
const outcomes = new Map<string, Outcomes>();

beforeAll(async () => {
  const tools = conformanceTools(() => serving.notifyToolsChanged());
  const serving: McpServing = await serveMcp({ name: "conformance", version: "1.0.0", tools, transport: { port: 0 } });
  for (const revision of revisions) outcomes.set(revision, await runSuite(serving.url ?? "", revision));
  await serving.close();
}, 120_000);

const outcomesOf = (revision: string): Outcomes => outcomes.get(revision) as Outcomes;

const reasonOf = (scenario: string): string | undefined =>
  Object.entries(notApplicable).find(([beginning]) => scenario.startsWith(beginning))?.[1];

const failures = (checks: readonly Check[]): readonly Check[] =>
  checks.filter(({ id, status }) => (status === "FAILURE" || status === "WARNING") && notApplicableChecks[id] === undefined);

describe.each(revisions)("the conformance suite for %s", (revision) => {
  it("passes every scenario that is applicable to a server of tools", () => {
    const failed = [...outcomesOf(revision)].flatMap(([scenario, checks]) =>
      reasonOf(scenario) === undefined ? failures(checks).map((check) => ({ scenario, ...check })) : [],
    );
    expect(failed).toEqual([]);
    expect(outcomesOf(revision).size).toBeGreaterThan(30);
  });

  it("names as not applicable no scenario that would pass", () => {
    const passing = [...outcomesOf(revision)].filter(([scenario, checks]) => {
      const tried = checks.some(({ status }) => status === "SUCCESS" || status === "FAILURE" || status === "WARNING");
      return reasonOf(scenario) !== undefined && tried && failures(checks).length === 0;
    });
    expect(passing.map(([scenario]) => scenario)).toEqual([]);
  });
});

it("the outcomes are those that docs/12-mcp.md shows, scenario by scenario", () => {
  const scenarios = [...new Set(revisions.flatMap((revision) => [...outcomesOf(revision).keys()]))].sort();
  const applicable = scenarios.filter((scenario) => reasonOf(scenario) === undefined);
  const reasons = [...new Set(scenarios.flatMap((scenario) => reasonOf(scenario) ?? []))].sort();
  const document = readFileSync(join(repositoryRoot, "docs/12-mcp.md"), "utf8");
  expect(document.match(/^\| [a-z][\w-]+ \| (passes|partly|-) \|.*$/gm)).toEqual(
    applicable.map((scenario) =>
      `| ${[scenario, ...revisions.map((revision) => cell(revision, scenario)), whyPartly(scenario)].join(" | ")} |`.replace("|  |", "| |"),
    ),
  );
  for (const reason of reasons) {
    const names = scenarios.filter((scenario) => reasonOf(scenario) === reason);
    expect(document).toContain(`\n| ${reason} | ${names.join(", ")} |\n`);
  }
});

function cell(revision: string, scenario: string): string {
  const checks = outcomesOf(revision).get(scenario);
  if (checks === undefined) return "-";
  return checks.some(({ id }) => notApplicableChecks[id] !== undefined) ? "partly" : "passes";
}

function whyPartly(scenario: string): string {
  const partly = revisions
    .flatMap((revision) => outcomesOf(revision).get(scenario) ?? [])
    .flatMap(({ id }) => notApplicableChecks[id] ?? []);
  return [...new Set(partly)].join(", ");
}
