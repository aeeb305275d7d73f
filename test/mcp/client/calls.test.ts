import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { createRunScope, modelText, ToolExecutor } from "../../../src/execution/index.js";
import type { ToolListener, ToolResult } from "../../../src/index.js";
import type { McpToolbox } from "../../../src/mcp/index.js";
import { endAll, hostile, hostileUrl, newFile, open } from "./support.js";

let notes: string;
let box: McpToolbox;

beforeAll(async () => {
  notes = newFile();
  box = await open(
    { ...hostile("calls", notes), env: { GIVEN: "yes", GIVEN_TOKEN: "token-of-the-test" } },
    { settings: ({ name }) => (name === "hang" ? { timeout: 200 } : {}) },
  );
});

afterAll(endAll);

const call = (name: string, input: Record<string, unknown> = {}, options: { listeners?: ToolListener[]; abortSignal?: AbortSignal } = {}) =>
  new ToolExecutor({ tools: box.tools, listeners: options.listeners ?? [] }).call(
    { id: "call_1", name: `box_${name}`, arguments: input },
    createRunScope(options.abortSignal === undefined ? {} : { abortSignal: options.abortSignal }),
  );

/** What the server wrote down, once it has. */
async function noted(): Promise<unknown> {
  // A file is there, empty, before it is written.
  while (!existsSync(notes) || statSync(notes).size === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  const text = readFileSync(notes, "utf8");
  rmSync(notes);
  return JSON.parse(text);
}

const dataOf = (result: ToolResult): unknown => (result.error === undefined ? result.data : `failed: ${result.error}`);

describe("the result of a remote tool", () => {
  it("is its text", async () => {
    expect(dataOf(await call("echo", { text: "hello" }))).toBe("hello");
  });

  it("is its structured content, if it has one", async () => {
    expect(dataOf(await call("structured"))).toEqual({ n: 1 });
  });

  it("is checked against the tool's output schema", async () => {
    expect(await call("mistyped")).toMatchObject({
      errorType: "output_validation_error",
      error: "Tool 'box_mistyped' gave an invalid result: n must be a number, got string \"one\" (declared by outputSchema)",
    });
  });

  it("is without characters that people don't see, in texts, structures and failures", async () => {
    expect(dataOf(await call("whisper"))).toEqual([
      { type: "text", text: "fine" },
      { type: "resource_link", uri: "https://example.com/lamp", name: "lamp" },
    ]);
    expect(dataOf(await call("whisper_structure"))).toEqual({ price: ["cheap"] });
    expect(await call("whisper_failure")).toMatchObject({ error: expect.stringContaining("The disk is full.") });
  });

  it("is the list of its parts, if it has several kinds; bytes are described by type and size", async () => {
    expect(dataOf(await call("mixed"))).toEqual([
      { type: "text", text: "A lamp:" },
      { type: "image", mimeType: "image/png", bytes: 9, note: expect.stringContaining("is damaged") },
      { type: "resource", uri: "memo://lamp", mimeType: "text/plain", text: "It is blue." },
      { type: "resource", uri: "memo://photo", mimeType: "image/png", bytes: 5, note: expect.stringContaining("is damaged") },
      { type: "resource_link", uri: "https://example.com/lamp", name: "lamp", mimeType: "text/html" },
    ]);
  });

  it("says where a part is of a kind that isn't known yet, with its size and without its bytes", async () => {
    expect(dataOf(await call("unknown_kind"))).toBe(
      'Here it is:\n[Left out: a part of the kind "hologram" that can\'t be read, 1000032 characters long.]',
    );
  });

  it("says where a part is broken, and isn't lost for it: the tool has done its work", async () => {
    expect(dataOf(await call("broken_image"))).toBe('[Left out: a part of the kind "image" that can\'t be read, 40 characters long.]');
    expect(dataOf(await call("null_structure"))).toBe("here");
  });

  it("includes the type and size of an image beside a structure", async () => {
    expect(dataOf(await call("photographed"))).toEqual({
      structuredContent: { n: 1 },
      content: [{ type: "image", mimeType: "image/png", bytes: 9, note: expect.stringContaining("is damaged") }],
    });
  });

  it("is the structure alone if a schema promises it; the log names what was left out", async () => {
    const told: unknown[] = [];
    const listeners: ToolListener[] = [{ log: ({ level, message, details }) => void told.push([level, message, details]) }];
    expect(dataOf(await call("photographed_by_schema", {}, { listeners }))).toEqual({ n: 1 });
    expect(told).toEqual([
      [
        "warn",
        "box_photographed_by_schema gave more than its output schema has a place for. It was left out.",
        { parts: [{ type: "image", mimeType: "image/png", bytes: 9, note: expect.stringContaining("is damaged") }] },
      ],
    ]);
  });

  it("case 58: of five megabytes is capped like any other", async () => {
    const text = modelText(await call("large"));
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(50_000);
    expect(text).toContain("bytes left out here");
  });

  it("case 8: comes of the arguments as they are: what is optional and absent stays so", async () => {
    expect(dataOf(await call("arguments", { q: "x" }))).toBe('{"q":"x"}');
  });

  it("comes through whatever else the server prints on its output", async () => {
    expect(dataOf(await call("junk"))).toBe("after the junk");
  });
});

describe("the failure of a remote tool", () => {
  it("case 38: that it reports by isError is a failed result with its text", async () => {
    expect(await call("fail")).toMatchObject({ error: "The disk is full.", errorType: "execution_error" });
  });

  it("that it reports by a structure, or by an image, has their JSON as its error", async () => {
    expect(await call("fail_by_structure")).toMatchObject({ error: '{"reason":"quota"}' });
    expect(await call("fail_by_image")).toMatchObject({ error: '{"type":"image","mimeType":"image/png","bytes":9}' });
  });

  it.each([
    ["isError: null", 0, { data: "fine" }],
    ['isError: "true"', 1, { error: "fine" }],
    [
      "structured content that is a text, beside a text",
      2,
      { data: expect.stringMatching(/^fine\n\[Left out: structuredContent that is a string .* 9 characters long/) },
    ],
    ["structured content that is a list", 3, { data: '["a","b"]' }],
    ["structured content that is a text, and no content", 4, { data: "fine" }],
    ["content that is a text", 5, { data: "fine" }],
    ["content that is a part", 6, { data: "fine" }],
    ["a text in place of a part", 7, { data: "fine" }],
    ["a part with annotations: null", 8, { data: "fine" }],
  ])("with %s keeps what can be read", async (_, index, expected) => {
    expect(await call(`odd_${index}`)).toMatchObject(expected);
  });

  it("that it never answers is its timeout, and the server receives a cancellation", async () => {
    const result = await call("hang");
    expect(result).toMatchObject({ errorType: "timeout_error", error: expect.stringContaining("timed out after 200 ms") });
    expect(await noted()).toMatchObject({ requestId: expect.any(Number) });
  });

  it("that is a cancelled run's sends the server a cancellation as well", async () => {
    const controller = new AbortController();
    const pending = call("hang", {}, { abortSignal: controller.signal });
    setTimeout(() => controller.abort(), 20);
    expect(await pending).toMatchObject({ errorType: "cancelled" });
    expect(await noted()).toMatchObject({ requestId: expect.any(Number) });
  });
});

describe("a remote tool", () => {
  it("reports its progress to listeners, and nothing that belongs to no call", async () => {
    const told: unknown[] = [];
    await call("progress", {}, { listeners: [{ toolProgress: ({ fraction, message }) => void told.push([fraction, message]) }] });
    expect(told).toEqual([
      [0.25, "one"],
      [0.5, "two"],
      [1, "beyond"],
    ]);
  });

  it("gets no variables of this process but those that any program needs, and those it is given", async () => {
    process.env.SECRET_OF_THE_TEST = "not for servers";
    const seen = Object.keys(JSON.parse(String(dataOf(await call("environment")))));
    delete process.env.SECRET_OF_THE_TEST;
    expect(seen).toEqual(expect.arrayContaining(["GIVEN", "GIVEN_TOKEN", "PATH"]));
    expect(seen.filter((name) => !["GIVEN", "GIVEN_TOKEN", "HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER"].includes(name))).toEqual([]);
  });

  it("may say the token that it was given: no model reads it", async () => {
    const text = modelText(await call("environment"));
    expect(text).not.toContain("token-of-the-test");
    expect(text).toContain("[redacted]");
  });

  it("may say the secrets of its own command line, or of its URL: no model reads them", async () => {
    const { command, args = [] } = hostile("calls", newFile());
    const secrets = ["--api-key=secret-of-the-option", "--token", "secret-of-the-pair", "API_KEY=secret-of-the-assignment"];
    const [told, refusing] = await Promise.all([
      open({ command, args: [...args, ...secrets] }, { prefix: "told" }),
      open({ url: `${await hostileUrl("picky")}?api_key=secret-of-the-url` }, { prefix: "refusing" }),
    ]);
    const executor = new ToolExecutor({ tools: [...told.tools, ...refusing.tools] });
    const texts = await Promise.all(
      ["told_command", "refusing_bad"].map(async (name) =>
        modelText(await executor.call({ id: "1", name, arguments: {} }, createRunScope())),
      ),
    );
    expect(texts).toEqual([expect.stringContaining("--api-key=[redacted]"), expect.stringContaining("?api_key=[redacted]")]);
    expect(texts.join()).not.toContain("secret-of-the");
  });

  it("can't ask the user for a password, unless the application passes questions on: nothing of the kind is offered", async () => {
    expect(dataOf(await call("elicit"))).toBe("asked");
    expect(await noted()).toMatchObject({ code: -32601 });
  });

  it("of the revision 2026-07-28 can't either: the call fails, and says what was asked", async () => {
    const modern = await open(hostile("modern"), { prefix: "modern" });
    const result = await new ToolExecutor({ tools: modern.tools }).call({ id: "1", name: "modern_ask", arguments: {} }, createRunScope());
    expect(result).toMatchObject({
      error:
        'The MCP server "modern" asks the user amid the call, and the application passes no questions on (onElicitation of mcpToolbox): Your name? Tell the user.',
    });
  });
});
