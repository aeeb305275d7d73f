import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../support/code-blocks.js";

const document = readFileSync(join(repositoryRoot, "docs/features.md"), "utf8");

/** The headings of the seeds that are built, each of which a test must show. */
const headings: Readonly<Record<string, readonly string[]>> = {
  "000": [
    ...["createTool", "executeTool", "Tool Validation", "Error Types", "Retry Policy", "Thread Safety"],
    ...["readFileTool", "writeFileTool", "listDirectoryTool", "calculatorTool", "webSearchTool", "wikipediaTool", "webScraperTool"],
  ],
  "001": ["createTool", "validateToolArgs"],
  "002": [
    "Defining a Tool",
    "Configuration Methods",
    "Parameter DSL",
    "The call Method",
    "Timeout Configuration",
    "Validation",
    "JSON Schema Generation",
    "Registering Tools with Agents",
    "Error Handling",
  ],
  "003": ["ToolDefinition", "ToolResult", "ToolContext"],
  "004": [
    ...["Core Data Structures", "Service Interfaces & Tags", "Errors", "Registration & Merging", "Execution Service"],
    "Key Internal Patterns",
  ],
};
const cases = [1, 2, 4, 5, 7, 8, 10, 11, 13, 14, 16, 17, 19, 20, 22, 23, 25, 26, 35, 37, 38, 40, 41, 43, 44, 55, 56, 58, 59, 61, 62];

// That the tables are current is checked by scripts/features-reporter.mjs, which sees the names of all tests.
describe("docs/features.md", () => {
  it.each(Object.entries(headings))("has a test for every heading of seed %s that is built", (seed, wanted) => {
    for (const heading of wanted) expect(document).toContain(`| ${seed} | ${heading} |`);
  });

  it("has a test for every public report of the parts that are built", () => {
    for (const number of cases) expect(document).toMatch(new RegExp(`^\\| ${number} \\|`, "m"));
  });

  it("names only files that exist, under whole headings", () => {
    const rows = [...document.matchAll(/^\| (?:\d{3} \| ([^|]*)|\d+) \| .* \| (test\/\S+) \|$/gm)];
    expect(rows.length).toBeGreaterThan(cases.length);
    for (const [, heading, file] of rows) {
      expect(heading ?? "").not.toContain('"');
      expect(existsSync(join(repositoryRoot, file as string))).toBe(true);
    }
  });
});
