import { createRunScope, ToolExecutor } from "../../../src/execution/index.js";
import type { McpServerAddress, McpToolbox } from "../../../src/mcp/index.js";
import { endAll, hostile, hostileUrl, open } from "./support.js";

const transports: [string, () => Promise<McpServerAddress> | McpServerAddress][] = [
  ["over stdio", () => hostile("calls")],
  ["over HTTP, as JSON", async () => ({ url: await hostileUrl("calls") })],
  ["over HTTP, as a stream of events in pieces", async () => ({ url: await hostileUrl("calls", "events") })],
];

describe.each(transports)("a response %s", (_transport, address) => {
  let box: McpToolbox;
  beforeAll(async () => {
    box = await open(await address(), { settings: () => ({ timeout: 5_000 }) });
  });
  afterAll(endAll);

  const call = (name: string) =>
    new ToolExecutor({ tools: box.tools }).call({ id: "call_1", name: `box_${name}`, arguments: {} }, createRunScope());

  it.each([
    ["_meta: null", 0],
    ["_meta that is a text, also in a part", 1],
    ["error: null beside its result", 2],
    ["members that JSON-RPC doesn't know, and no version", 3],
    ["a list of messages", 4],
  ])("with %s keeps its result", async (_, index) => {
    expect(await call(`raw_${index}`)).toMatchObject({ data: "fine" });
  });

  it.each([
    ["result: null", 5, "can't be read"],
    ["a list as its result", 6, "can't be read"],
    ["neither result nor error", 7, "can't be read"],
    ["a text as its error", 8, "The disk is full."],
    ["a text as the code of its error", 9, "The disk is full."],
  ])("with %s fails the call at once, not at its timeout", async (_, index, message) => {
    expect(await call(`raw_${index}`)).toMatchObject({ errorType: "execution_error", error: expect.stringContaining(message) });
  });

  it.each([
    ["NaN in it", 11],
    ["Infinity in it and its id at the end", 12],
    ["its end missing", 13],
    ["quotes that aren't escaped", 14],
  ])("with %s isn't JSON, and fails the call at once, not at its timeout", async (_, index) => {
    expect(await call(`raw_${index}`)).toMatchObject({
      errorType: "execution_error",
      error: expect.stringContaining("The response isn't JSON, and can't be read: "),
    });
  });

  const whole = { id: "9007199254740993", text: "1234567890123456789", ids: ["-9007199254740993"], n: 1.5 };

  it("keeps the digits of long integers in structured content", async () => {
    expect(await call("raw_10")).toMatchObject({ data: whole });
  });

  it("with long integers and texts of digits fits its output schema", async () => {
    expect(await call("digits")).toMatchObject({ data: whole });
  });
});

it("a server that writes null for what is absent can be used", async () => {
  expect((await open(hostile("nulls"))).tools.map(({ identifier }) => identifier)).toEqual(["box_echo"]);
  await endAll();
});

describe("a broken response over stdio that doesn't say its id", () => {
  let box: McpToolbox;
  beforeAll(async () => {
    box = await open(hostile("calls"), { settings: () => ({ timeout: 5_000 }) });
  });
  afterAll(endAll);

  const call = (name: string, input = {}, abortSignal?: AbortSignal) =>
    new ToolExecutor({ tools: box.tools }).call(
      { id: "call_1", name: `box_${name}`, arguments: input },
      createRunScope({ ...(abortSignal && { abortSignal }) }),
    );
  const broken = (line: string) => ({
    errorType: "execution_error",
    error: expect.stringMatching(new RegExp(`box.*(isn't JSON|has no id).*${line}`, "s")),
  });

  it.each([
    ["cut_off", '"result":'],
    ["without_id", "Parse error"],
  ])("fails the only call that waits, and is quoted with the server's name (%s)", async (name, line) => {
    expect(await call(name)).toMatchObject(broken(line));
  });

  it("fails the call that is left once the others have their own answers", async () => {
    const results = await Promise.all([
      call("later", { say: "one" }),
      call("cut_off"),
      call("later", { say: "two" }),
      call("without_id"),
      call("later", { say: "three" }),
    ]);

    expect(results).toMatchObject([{ data: "one" }, broken('"'), { data: "two" }, broken('"'), { data: "three" }]);
  });

  it("fails the call that is left once the others are cancelled", async () => {
    const controller = new AbortController();
    const cancelled = call("silent", {}, controller.signal);
    const failed = call("cut_off");
    // The server answers in order, so the broken line has arrived by then.
    await call("later", { say: "over" });
    controller.abort();

    expect(await cancelled).toMatchObject({ errorType: "cancelled" });
    expect(await failed).toMatchObject(broken('"result":'));
  });

  it("fails no call that began later", async () => {
    const controller = new AbortController();
    const cancelled = call("silent", {}, controller.signal);
    const failed = call("cut_off");
    const later = call("later", { say: "later" });
    controller.abort();

    expect(await later).toMatchObject({ data: "later" });
    expect(await failed).toMatchObject(broken('"result":'));
    await cancelled;
  });
});
