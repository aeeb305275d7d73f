import { readdirSync, readFileSync } from "node:fs";
import { createTool, ToolDefinitionError } from "../../src/index.js";
import { checkTools } from "../../src/lint/index.js";
import { jsonLines, type LogEntry, toolLog } from "../../src/observability/index.js";
import { openApiToolbox } from "../../src/http/index.js";
import { createRegistry, createWorkspace } from "../../src/registry/index.js";
import { invokeTool } from "../../src/testing/index.js";
import { loggedError } from "../../src/redaction/logged-error.js";
import { warnProcess } from "../../src/redaction/warn.js";
import { parseTypeSignature } from "../../src/specification/index.js";

/** Escape sequences, line breaks, a C1 control sequence, a mark of direction, a character of no width, a tag, half a character. */
const hostile = "a\u001b[2J\u001b]0;x\u0007\n\r[ERROR] forged\u009b31m\u202eb\u200b\u{e0041}\ud800";
const unprintable = /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/u;

const warningsOf = async (work: () => unknown): Promise<readonly string[]> => {
  const spy = jest.spyOn(process, "emitWarning").mockImplementation(() => undefined);
  try {
    await work();
    return spy.mock.calls.map(([message]) => String(message));
  } finally {
    spy.mockRestore();
  }
};

describe("a warning of the process", () => {
  it("escapes what steers a terminal or begins another line", async () => {
    const [warning = ""] = await warningsOf(() => warnProcess(`The call "${hostile}" failed.`));
    expect(warning).not.toMatch(unprintable);
    expect(warning).toContain("a\\u001b[2J");
    expect(warning).toContain("\\n\\u000d[ERROR] forged\\u009b31m\\u202eb\\u200b\\udb40\\udc41\\ud800");
  });

  it("keeps the lines of a stack trace, and only these", () => {
    const error = new Error(hostile);
    error.stack = `Error: ${hostile}\n    at call (file.ts:1:1)\n    at run (file.ts:2:2)`;
    const [first = "", ...frames] = loggedError(error).split("\n");
    expect(first).not.toMatch(unprintable);
    expect(frames).toEqual(["    at call (file.ts:1:1)", "    at run (file.ts:2:2)"]);
  });

  it("is cut if a stranger's text is long", async () => {
    const [warning = ""] = await warningsOf(() => warnProcess("x".repeat(1_000_000)));
    expect(warning.length).toBeLessThan(10_000);
  });

  it("is written in one place", () => {
    const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
    expect(files.filter((file) => readFileSync(`src/${file}`, "utf8").includes("emitWarning"))).toEqual(["redaction/warn.ts"]);
  });

  it("of an error that can't be read doesn't throw", () => {
    const error = Object.defineProperty(new Error("x"), "stack", {
      get: () => {
        throw new Error("no");
      },
    });
    expect(loggedError(error)).toBe("an error that can't be read");
  });
});

describe("a line of the structured log", () => {
  const entriesOf = async (): Promise<{ readonly lines: readonly string[]; readonly entries: readonly LogEntry[] }> => {
    const lines: string[] = [];
    const entries: LogEntry[] = [];
    const log = toolLog({
      handlers: [
        jsonLines({
          write: (line, written) => {
            lines.push(line);
            written();
          },
        }),
        { logEntry: (entry) => void entries.push(entry), flushLog: () => undefined },
      ],
    });
    const tool = createTool("noisy", "Logs. Use when asked.", { type: "object" }, (_, { log: own }) => own.info(hostile, { hostile }));
    await invokeTool(tool, {}, { listeners: [log] });
    return { lines, entries };
  };

  it("holds no raw control character, and means the same as JSON", async () => {
    const { lines } = await entriesOf();
    for (const line of lines) expect(line.slice(0, -1)).not.toMatch(unprintable);
    expect(lines.map((line) => JSON.parse(line) as LogEntry).some(({ metadata }) => JSON.stringify(metadata).includes("[2J"))).toBe(true);
  });

  it("has a message that can be printed as it is", async () => {
    const { entries } = await entriesOf();
    expect(entries.length).toBeGreaterThan(0);
    for (const { message } of entries) expect(message).not.toMatch(unprintable);
  });
});

describe("an error that quotes a stranger's text is printable", () => {
  const messageOf = (work: () => unknown): string => {
    try {
      work();
    } catch (error) {
      return (error as Error).message;
    }
    throw new Error("Nothing was thrown.");
  };

  it("of an OpenAPI document, also each reason of an operation", () => {
    const paths = { [`/${hostile}`]: { get: { operationId: hostile } }, "/b": { get: { operationId: hostile } }, "/c": { get: {} } };
    const document = { openapi: "3.1.0", info: { title: hostile }, servers: [{ url: "https://a.example" }], paths };
    const { refused } = openApiToolbox(document);
    expect(refused).toHaveLength(2);
    for (const { operation, reason } of refused) expect(operation + reason).not.toMatch(unprintable);
    expect(messageOf(() => openApiToolbox(document, { include: ["none"] }))).not.toMatch(unprintable);
  });

  it("of a schema", () => {
    const schema = { type: "object", properties: { [hostile]: { type: hostile } } };
    expect(messageOf(() => createTool("a", "A. Use when asked.", schema as never, () => 1))).not.toMatch(unprintable);
  });

  it("of a gram text, but for its own lines", () => {
    const { error } = parseTypeSignature("(a\u001b[2J\u202e)==>(b") as { readonly error: string };
    expect(error).not.toMatch(/[^\P{C}\n]/u);
  });

  it("of a definition", () => {
    expect(new ToolDefinitionError(`x ${hostile}`).message.replaceAll("\n", "")).not.toMatch(unprintable);
  });

  it("of a finding of the lint", () => {
    const tool = createTool("look", `Looks ${hostile}.`, { type: "object", properties: { look: { enum: [hostile] } } } as never, () => 1);
    const findings = checkTools([tool]);
    expect(findings.length).toBeGreaterThan(0);
    for (const { message, fix } of findings) expect(message + fix).not.toMatch(unprintable);
  });

  it("of a registry's warning", async () => {
    const named = (name: string) => createTool(name, "A. Use when asked.", { type: "object" }, () => 1);
    const own = Object.defineProperty(named("calculator"), "name", { value: hostile });
    const project = createWorkspace().addTool(own as never);
    const warnings = await warningsOf(() => createRegistry({ project: project.build() }));
    for (const warning of warnings) expect(warning).not.toMatch(unprintable);
  });
});
