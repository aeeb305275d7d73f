import { Readable, Writable } from "node:stream";
import { createRunScope, modelText, ToolExecutor, universalDefinition, validateToolOutput } from "../../src/execution/index.js";
import { createToolDefinition, type ToolContext } from "../../src/index.js";
import { imagePart } from "../../src/models/index.js";
import { createTool, failure, json } from "../../src/tool/index.js";
import { caller, recordingListener, rejection } from "./support.js";

const toolOf = (execute: (input: any, context: ToolContext) => unknown) =>
  createTool({ name: "scan", description: "Scans.", inputSchema: { type: "object" }, execute });

const failureOf = async (returned: unknown) => (await caller(toolOf(() => returned))()).error;

/** Written out, it would be a mistake nearly everywhere. */
const then = "then";

/** What `execute` returns is awaited: a promise at the root is no fault. */
const nested = (value: unknown) => ({ pages: [{ scan: value }] });

class Numbers {
  *[Symbol.iterator]() {
    yield 1;
  }
}

class Hidden {
  #items = [1];
  [Symbol.iterator]() {
    return this.#items[Symbol.iterator]();
  }
}

class Cursor {
  readonly batch = 1;
  next() {
    return Promise.resolve({ done: true, value: undefined });
  }
  [Symbol.asyncIterator]() {
    return this;
  }
}

const png = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");
const pngText = png.toString("base64");

const cases: [string, () => unknown, string][] = [
  ["a Buffer", () => Buffer.from("hi"), "a Buffer of 2 bytes"],
  ["a Uint8Array", () => new Uint8Array(3), "a Uint8Array of 3 bytes"],
  ["other typed arrays", () => new Float32Array(2), "a Float32Array of 8 bytes"],
  ["an ArrayBuffer", () => new ArrayBuffer(4), "an ArrayBuffer of 4 bytes"],
  ["a SharedArrayBuffer", () => new SharedArrayBuffer(4), "a SharedArrayBuffer of 4 bytes"],
  ["a DataView", () => new DataView(new ArrayBuffer(4)), "a DataView of 4 bytes"],
  ["a Blob", () => new Blob(["hi"]), "a Blob"],
  ["a File", () => new File(["hi"], "hi.txt"), "a File"],
  ["Headers", () => new Headers({ a: "b" }), "a Headers"],
  ["a FormData", () => new FormData(), "a FormData"],
  ["a Request", () => new Request("https://a.test"), "a Request"],
  ["a Response", () => new Response("hi"), "a Response"],
  ["a web stream", () => new ReadableStream(), "a ReadableStream"],
  ["a stream of Node", () => Readable.from(["a"]), "a stream"],
  ["a writable stream", () => new Writable(), "a stream"],
  ["an observable", () => Object.create({ pipe: () => 1, subscribe: () => 1 }), "an observable"],
  ["an iterator of an array", () => [1].values(), "an iterator"],
  ["an iterator of a map", () => new Map([[1, 2]]).entries(), "an iterator"],
  ["a generator", () => new Numbers()[Symbol.iterator](), "a Generator"],
  ["an async generator", () => (async function* () {})(), "an AsyncGenerator"],
  ["a cursor of a database", () => new Cursor(), "an async iterator"],
  ["an iterator of plain JavaScript", () => ({ next: () => ({ done: true }), [Symbol.iterator]() {} }), "an iterator"],
  ["a collection that shows its items by iteration alone", () => new Hidden(), "a Hidden"],
  ["a WeakMap", () => new WeakMap(), "a WeakMap"],
  ["a WeakSet", () => new WeakSet(), "a WeakSet"],
  ["a WeakRef", () => new WeakRef({}), "a WeakRef"],
  ["an AbortSignal", () => new AbortController().signal, "an AbortSignal"],
  ["a content part of MCP", () => ({ type: "image", data: pngText, mimeType: "image/png" }), "a content part of type image/png"],
  [
    "a resource of MCP",
    () => ({ uri: "file:///a.pdf", blob: pngText, mimeType: "application/pdf" }),
    "a content part of type application/pdf",
  ],
  ["a source of Anthropic", () => ({ type: "base64", media_type: "image/png", data: pngText }), "a content part of type image/png"],
];

describe("what has no form in JSON is an error of the tool, instead of base64 text or {}", () => {
  it.each(cases)("%s", async (_kind, make, what) => {
    expect(await failureOf(make())).toMatch(`Tool 'scan' returned ${what}, which has no form in JSON. `);
    expect(await failureOf(nested(make()))).toMatch(`Tool 'scan' returned ${what} at pages[0].scan, which has no form in JSON. `);
  });

  it("a nested image", async () => {
    expect(await failureOf({ label: await imagePart(png) })).toBe(
      "Tool 'scan' returned a content part of type image/png at label, which has no form in JSON. Return image(data, mediaType) or file(data, mediaType), by itself or in a list: [text, image(data, mediaType)].",
    );
  });

  it.each<[string, unknown]>([
    ["a promise", Promise.resolve(1)],
    ["a query that runs when it is awaited", Object.create({ [then]: () => undefined })],
    ["a query that is a plain object", { [then]: () => undefined, [Symbol.toStringTag]: "PrismaPromise" }],
  ])("%s in a member", async (_kind, value) => {
    expect(await failureOf({ count: 1, users: value })).toBe(
      "Tool 'scan' returned a promise that was not awaited at users, which has no form in JSON. Await it, and return what it gives.",
    );
  });

  it.each<[string, unknown, string]>([
    ["a map", new Map([["photo of Ann", Buffer.from("a")]]), 'at ["photo of Ann"]'],
    ["a set", new Set([1, Buffer.from("a")]), "at [1]"],
    ["what toJSON gives", { user: { toJSON: () => ({ photo: Buffer.from("a") }) } }, "at user.photo"],
    ["an object beside a date", { at: new Date(0), files: [[], [Buffer.from("a")]] }, "at files[1][0]"],
    ["a result that is too large", { text: "x".repeat(50_000_000), photo: Buffer.from("a") }, "at photo"],
    ["a result of too many objects", [new Set(), { photo: Buffer.from("a") }, ...new Array(500_000).fill([])], "at [1].photo"],
    ["a large part", { text: "x".repeat(3_000_000), part: { type: "file", mediaType: "a/b", data: "x".repeat(3_000_000) } }, "at part"],
  ])("is found in %s", async (_kind, value, place) => {
    expect(await failureOf(value)).toContain(place);
  });
});

describe("what JSON has a form for stays a result", () => {
  it.each<[string, unknown, unknown]>([
    ["an iterable with members of its own", Object.assign(new Hidden(), { size: 1 }), { size: 1 }],
    ["a subclass of Array", new (class List extends Array<number> {})(1, 2), [1, 2]],
    ["a subclass of Map", new (class Index extends Map<string, number> {})([["a", 1]]), { a: 1 }],
    ["a subclass of Set", new (class Tags extends Set<string> {})(["a"]), ["a"]],
    ["an iterable with toJSON", Object.assign(new Hidden(), { toJSON: () => [1] }), [1]],
    ["an entity without members", new (class Empty {})(), {}],
    [
      "an entity with the name of a class of the web",
      new (class File {
        name = "a.txt";
      })(),
      { name: "a.txt" },
    ], // prettier-ignore
    ["a page with a method", { items: [1], next: () => 1 }, { items: [1] }],
    ["URLSearchParams, as their text", { query: new URLSearchParams({ a: "1", b: "ü" }) }, { query: "a=1&b=%C3%BC" }],
    [
      "a picture behind a URL",
      { type: "image", mediaType: "image/png", url: "https://a.test/a.png" },
      { type: "image", mediaType: "image/png", url: "https://a.test/a.png" },
    ], // prettier-ignore
    [
      "data that is text",
      { type: "file", mimeType: "text/csv", data: "a,b\n1,2" },
      { type: "file", mimeType: "text/csv", data: "a,b\n1,2" },
    ],
    [
      "an error that holds a response",
      Object.assign(new Error("no"), { headers: new Headers() }),
      { name: "Error", message: "no", headers: {} },
    ],
  ])("%s", async (_kind, value, expected) => {
    expect((await caller(toolOf(() => value))()).data).toEqual(expected);
  });

  it("a getter of a class isn't run to find out what it is", async () => {
    let reads = 0;
    class Order {
      readonly id = 1;
      get [then]() {
        return (reads += 1);
      }
      get next() {
        return (reads += 1);
      }
    }
    expect((await caller(toolOf(() => [new Order()]))()).data).toEqual([{ id: 1 }]);
    expect(reads).toBe(0);
  });

  it("a failure and a log entry show what can be shown", async () => {
    const { listener, of } = recordingListener();
    const tool = toolOf((_input, context) => {
      context.log.info("read", { bytes: Buffer.from("hi") });
      return failure(Buffer.from("hi") as never);
    });
    expect((await caller(tool, { listeners: [listener] })()).error).toBe("aGk=");
    expect(of("log")[0].details).toEqual({ bytes: "aGk=" });
  });
});

/** A Standard Schema whose transform makes bytes. */
const toBytes = {
  "~standard": {
    version: 1 as const,
    vendor: "test",
    validate: () => ({ value: { photo: Buffer.from("hi") } }),
    jsonSchema: { input: () => ({ type: "object" }), output: () => ({ type: "object" }) },
  },
};

describe("every door gives the error", () => {
  const tool = toolOf(() => ({ photo: Buffer.from("hi") }));
  const message = "Tool 'scan' returned a Buffer of 2 bytes at photo, which has no form in JSON.";

  it("to a model, as a failed execution", async () => {
    const result = await caller(tool)();
    expect(result.errorType).toBe("execution_error");
    expect(modelText(result)).toContain(`Error executing tool: ${message}`);
  });

  it("to code that runs the tool by its class or name", async () => {
    const executor = new ToolExecutor({ tools: [tool] });
    for (const run of [executor.run(tool, {}), executor.run("scan", {})]) {
      expect(await rejection(run)).toMatchObject({ name: "ToolExecutionError", message: expect.stringContaining(message) });
    }
  });

  it("to a tool that calls another, because results between tools are JSON too", async () => {
    const outer = createTool({
      name: "outer",
      description: "Calls scan.",
      inputSchema: { type: "object" },
      execute: (_input, context) => context.call(tool, {}),
    });
    expect((await caller(outer, { tools: [outer, tool] })()).error).toContain(message);
  });

  it("to a middleware's caller, if the middleware puts it into the result", async () => {
    const executor = new ToolExecutor({ tools: [toolOf(() => "fine")] }).use(
      async (_call, next) => ({ ...(await next()), data: Buffer.from("hi") }) as never,
    );
    const result = await executor.call({ id: "1", name: "scan", arguments: {} }, createRunScope({}));
    expect(result.error).toContain("Tool 'scan' returned a Buffer of 2 bytes");
  });

  it("of a response made by json(), of an output schema's transform, and of the universal shape", async () => {
    expect(await failureOf(json({ photo: Buffer.from("hi") }))).toContain(message);
    const transformed = createTool({
      name: "scan",
      description: "Scans.",
      inputSchema: { type: "object" },
      outputSchema: toBytes,
      execute: () => ({ photo: "hi" }),
    });
    expect((await caller(transformed)()).error).toContain(message);
    expect((await universalDefinition(tool).execute({}, {} as ToolContext)).error).toContain(message);
  });

  it("of validateToolOutput and createToolDefinition", async () => {
    expect(validateToolOutput(tool, { photo: Buffer.from("hi") })).toMatchObject({ ok: false, error: expect.stringContaining(message) });
    const defined = createToolDefinition({
      name: "scan",
      description: "Scans.",
      schema: { type: "object" },
      category: "read",
      consequenceLevel: "low",
      requiresConfirmation: false,
      execute: async () => ({ tool: "scan", fetchedAt: "", data: { photo: Buffer.from("hi") } }),
    } as never);
    expect((await caller(defined)()).error).toContain(message);
  });
});
