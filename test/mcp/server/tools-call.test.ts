import {
  addSecret,
  createTool,
  description,
  failure,
  identifier,
  json,
  optional,
  required,
  text,
  Tool,
  ToolAuthorizationError,
  type ToolCallRecord,
  type ToolContext,
  type ToolListener,
  timeout,
} from "../../../src/index.js";
import { closeAll, connect, revisions, textOf } from "./support.js";
import { until } from "../../support/until.js";

afterEach(closeAll);

const units = ["celsius", "fahrenheit"] as const;

@identifier("weather")
@description("Gets the current weather for a city. Use when the user asks about weather now.")
class WeatherTool extends Tool {
  @required(String, "The city name")
  city!: string;

  @optional({ enum: units, default: "celsius" })
  units!: (typeof units)[number];

  call() {
    if (this.city === "Atlantis") throw new Error("No station under water, at https://root:hunter2@station.example.");
    if (this.city === "Nowhere") return failure("No station in Nowhere. Ask for a larger city nearby.");
    return { city: this.city, degrees: 21, units: this.units };
  }
}

const returning = (value: unknown, more: object = {}) =>
  createTool({ name: "value", description: "Gives a value.", inputSchema: { type: "object" }, execute: () => value, ...more });

/** Waits until it is told to stop, and notes both. */
const waitNoting = (happened: string[]) =>
  createTool("wait", "Waits.", { type: "object" }, async (_, { abortSignal }) => {
    happened.push("waiting");
    await new Promise((resolve) => abortSignal.addEventListener("abort", resolve));
    happened.push("aborted");
  });

describe.each(revisions)("a call, in %s", (revision) => {
  const call = async (tool: Parameters<typeof connect>[0]["tools"], name: string, input: Record<string, unknown> = {}) => {
    const { client } = await connect({ tools: tool as never }, revision);
    const { content, isError, structuredContent } = await client.callTool({ name, arguments: input });
    return { text: textOf({ content }), isError: isError === true, structuredContent };
  };

  it("gives an object as structured content, and as JSON text for clients that read no other", async () => {
    const data = { city: "Paris", degrees: 21, units: "celsius" };
    expect(await call([WeatherTool], "weather", { city: "Paris" })).toEqual({
      text: JSON.stringify(data),
      isError: false,
      structuredContent: data,
    });
  });

  it("gives a string as it is", async () => {
    expect(await call([returning("Sunny.")], "value")).toEqual({ text: "Sunny.", isError: false, structuredContent: undefined });
    expect((await call([returning(text("Sunny."))], "value")).text).toBe("Sunny.");
    expect((await call([returning(json("Sunny."))], "value")).text).toBe('"Sunny."');
  });

  it("gives other values, which no schema announced, as JSON text", async () => {
    expect(await call([returning([1, 2])], "value")).toEqual({ text: "[1,2]", isError: false, structuredContent: undefined });
    expect(await call([returning(undefined)], "value")).toEqual({ text: "null", isError: false, structuredContent: undefined });
  });

  it("cases 38 and 61: bad arguments are an error result that names every fault", async () => {
    expect(await call([WeatherTool], "weather", { city: 5, units: "kelvin", country: "FR" })).toEqual({
      text: expect.stringMatching(/^Invalid arguments: .*city.*units must be one of: celsius, fahrenheit/s),
      isError: true,
      structuredContent: undefined,
    });
  });

  it("case 61: arguments are repaired and completed as at every other door", async () => {
    expect((await call([WeatherTool], "weather", { city: "Paris", units: null })).structuredContent).toMatchObject({ units: "celsius" });
  });

  it("case 38: a tool that throws is an error result, without the secrets of its message", async () => {
    expect(await call([WeatherTool], "weather", { city: "Atlantis" })).toEqual({
      text: "Error executing tool: No station under water, at https://[redacted]@station.example.",
      isError: true,
      structuredContent: undefined,
    });
  });

  it("a failure that the tool returns is an error result", async () => {
    expect(await call([WeatherTool], "weather", { city: "Nowhere" })).toMatchObject({
      text: "Error executing tool: No station in Nowhere. Ask for a larger city nearby.",
      isError: true,
    });
  });

  it("case 38: an unknown tool is the protocol's error -32602, and no other tool is named", async () => {
    const { client } = await connect({ tools: [WeatherTool] }, revision);
    await expect(client.callTool({ name: "wether" })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(/Unknown tool: wether$/),
    });
  });

  it("a tool's own failure of the type unknown_tool is an error result like any other", async () => {
    expect(await call([returning(failure("No such thing.", "unknown_tool"))], "value")).toMatchObject({
      text: "No such thing.",
      isError: true,
    });
  });

  it("the name that a tool has here is the only one it is called by", async () => {
    const { client } = await connect({ tools: [createTool("a/b", "Does a.", { type: "object" }, () => "a")] }, revision);
    expect(textOf(await client.callTool({ name: "a_b" }))).toBe("a");
    await expect(client.callTool({ name: "a/b" })).rejects.toMatchObject({ code: -32602 });
    for (const name of ["__proto__", "constructor", "toString", ""]) {
      await expect(client.callTool({ name })).rejects.toMatchObject({ code: -32602 });
    }
  });

  it("case 58: a result that is too large keeps head and tail, and says what is missing", async () => {
    const { text: given = "", isError } = await call([returning("x".repeat(5_000_000))], "value");
    expect(isError).toBe(false);
    expect(Buffer.byteLength(given)).toBeLessThanOrEqual(50_000);
    expect(given).toMatch(/x\n\[\.\.\. \d+ of 5000000 bytes left out here\./);
  });

  it("case 58: a structure that is too large can't be what its schema promised, so that it is an error result", async () => {
    const many = { type: "array", items: { type: "string" } } as const;
    const values = Array.from({ length: 20_000 }, (_, index) => `value ${index}`);
    const given = await call([returning(values, { outputSchema: many })], "value");
    expect(given).toMatchObject({ isError: true, structuredContent: undefined, text: expect.stringContaining("bytes left out here") });
  });

  it("a string that its schema promised stays structured content", async () => {
    const given = await call([returning("Sunny.", { outputSchema: { type: "string" } })], "value");
    expect(given).toMatchObject({ text: "Sunny.", structuredContent: revision === "2026-07-28" ? "Sunny." : { result: "Sunny." } });
  });

  it("a result that breaks the tool's own schema is an error result", async () => {
    const given = await call(
      [returning({ degrees: "warm" }, { outputSchema: { type: "object", properties: { degrees: { type: "number" } } } })],
      "value",
    );
    expect(given).toMatchObject({ isError: true, structuredContent: undefined, text: expect.stringContaining("degrees must be a number") });
  });

  it("known secrets reach neither the text nor the structure", async () => {
    const forget = addSecret("orders-4711-token");
    const given = await call([returning({ note: "by orders-4711-token", list: ["orders-4711-token", 3, null], ok: true })], "value");
    forget();
    expect(given.structuredContent).toEqual({ note: "by [redacted]", list: ["[redacted]", 3, null], ok: true });
    expect(given.text).toBe(JSON.stringify(given.structuredContent));
  });

  it("a tool that overruns its deadline is an error result", async () => {
    @identifier("slow")
    @description("Takes its time. Use never.")
    @timeout(20)
    class Slow extends Tool {
      call() {
        return new Promise(() => undefined);
      }
    }
    expect(await call([Slow], "slow")).toMatchObject({ isError: true, text: expect.stringContaining("timed out after 20 ms") });
  });

  it("progress reaches the client that asks for it: forward only, and not from nested calls", async () => {
    const inner = createTool("inner", "Is called.", { type: "object" }, (_, { progress }) => progress(0.9, "inner"));
    const outer = createTool("outer", "Calls.", { type: "object" }, async (_, context: ToolContext) => {
      context.progress(0.25, "a quarter");
      context.progress(0.1, "backwards");
      await context.call(inner, {});
      context.progress(1);
      return "done";
    });
    const { client } = await connect({ tools: [outer, inner] }, revision);
    const heard: unknown[] = [];
    await client.callTool({ name: "outer" }, { onprogress: (progress) => heard.push(progress) });
    expect(heard).toEqual([
      { progress: 0.25, total: 1, message: "a quarter" },
      { progress: 1, total: 1 },
    ]);
    expect(textOf(await client.callTool({ name: "outer" }))).toBe("done");
  });

  it("a call that the client cancels is aborted by its signal", async () => {
    const happened: string[] = [];
    const { client } = await connect({ tools: [waitNoting(happened)] }, revision);
    const controller = new AbortController();
    const pending = client.callTool({ name: "wait" }, { signal: controller.signal });
    await until(() => happened.includes("waiting"));
    controller.abort("no longer wanted");
    await expect(pending).rejects.toThrow();
    await until(() => happened.includes("aborted"));
    expect(happened).toEqual(["waiting", "aborted"]);
  });

  it("a client that goes away aborts its calls", async () => {
    const happened: string[] = [];
    const { client } = await connect({ tools: [waitNoting(happened)] }, revision);
    client.callTool({ name: "wait" }).catch(() => undefined);
    await until(() => happened.includes("waiting"));
    await client.close();
    await until(() => happened.includes("aborted"));
  });

  it("parallel calls don't mix", async () => {
    const { client } = await connect({ tools: [WeatherTool] }, revision);
    const cities = Array.from({ length: 50 }, (_, index) => `City ${index}`);
    const results = await Promise.all(cities.map((city) => client.callTool({ name: "weather", arguments: { city } })));
    expect(results.map(({ structuredContent }) => (structuredContent as { city: string }).city)).toEqual(cities);
  });
});

describe("the context of a call", () => {
  const seen: ToolContext[] = [];
  const look = createTool("look", "Looks.", { type: "object" }, (_, context) => {
    seen.push(context);
    return null;
  });
  beforeEach(() => seen.splice(0));

  it("holds what toolContext gave", async () => {
    const { client } = await connect({ tools: [look], toolContext: async () => ({ userId: "ada", tenant: "acme" }) });
    await client.callTool({ name: "look" });
    expect(seen[0]).toMatchObject({ userId: "ada", tenant: "acme" });
  });

  it("is another run for every call", async () => {
    const { client } = await connect({ tools: [look] });
    await client.callTool({ name: "look" });
    await client.callTool({ name: "look" });
    expect(new Set(seen.map(({ runId }) => runId)).size).toBe(2);
  });

  it.each(revisions)("onError receives an error of toolContext, and a client of %s doesn't see its message", async (revision) => {
    const told: unknown[] = [];
    const error = new Error("database at db.internal is down");
    const toolContext = () => {
      throw error;
    };
    const { client } = await connect({ tools: [look], toolContext, onError: (each) => told.push(each) }, revision);
    await expect(client.callTool({ name: "look" })).rejects.toMatchObject({
      code: -32603,
      message: expect.not.stringContaining("db.internal"),
    });
    expect(told).toEqual([error]);
  });

  it("an error becomes a process warning if onError isn't given, with its secrets redacted", async () => {
    const warned = jest.spyOn(process, "emitWarning").mockImplementation();
    const toolContext = () => {
      throw new Error("https://root:hunter2@db.internal refused");
    };
    const { client } = await connect({ tools: [look], toolContext });
    await expect(client.listTools()).rejects.toMatchObject({ code: -32603 });
    expect(warned.mock.calls[0]).toEqual([
      expect.stringContaining('The MCP server "shop" failed: Error: https://[redacted]@db.internal'),
      "ToolwrightWarning",
    ]);
    warned.mockRestore();
  });
});

describe("permissions", () => {
  const admin = createTool({
    name: "delete_user",
    description: "Deletes a user.",
    inputSchema: { type: "object" },
    access: { scopes: ["users:write"], roles: ["admin"] },
    execute: () => "deleted",
  });
  const namesOf = async (toolContext: Record<string, unknown>) => {
    const { client } = await connect({ tools: [WeatherTool, admin], toolContext: () => toolContext });
    return { client, names: (await client.listTools()).tools.map(({ name }) => name) };
  };

  it("what the caller may call is listed and called", async () => {
    const { client, names } = await namesOf({ scopes: ["users:write"], roles: ["admin"] });
    expect(names).toEqual(["weather", "delete_user"]);
    expect(textOf(await client.callTool({ name: "delete_user" }))).toBe("deleted");
  });

  it.each<[string, Record<string, unknown>]>([
    ["without scopes and roles", {}],
    ["with the scope alone", { scopes: ["users:write"] }],
    ["with the role alone", { roles: ["admin"] }],
    ["with a text in place of a list", { scopes: "users:write", roles: "admin" }],
  ])("what the caller may not call is neither listed nor callable nor named, %s", async (_name, toolContext) => {
    const { client, names } = await namesOf(toolContext);
    expect(names).toEqual(["weather"]);
    // The same answer as for a tool that doesn't exist.
    await expect(client.callTool({ name: "delete_user" })).rejects.toThrow("Unknown tool: delete_user");
    await expect(client.callTool({ name: "delete_users" })).rejects.toThrow("Unknown tool: delete_users");
  });

  it("a refused call is recorded for the application", async () => {
    const records: ToolCallRecord[] = [];
    const { client } = await connect({ tools: [admin], listeners: [{ toolFinished: (record) => records.push(record) }] });
    await expect(client.callTool({ name: "delete_user" })).rejects.toThrow();
    expect(records).toMatchObject([{ tool: "delete_user", result: { errorType: "unknown_tool" } }]);
  });

  it("a profile narrows what is listed and called", async () => {
    const { client } = await connect({
      tools: [WeatherTool, createTool("other", "Other.", { type: "object" }, () => "")],
      profile: { allowedTools: ["other"] },
    });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["other"]);
    await expect(client.callTool({ name: "weather", arguments: { city: "Paris" } })).rejects.toMatchObject({ code: -32602 });
  });

  it("a function gives each caller tools of their own", async () => {
    let user = "guest";
    const { client } = await connect({
      toolContext: () => ({ userId: user }),
      tools: async ({ userId }) => (userId === "root" ? [WeatherTool, returning("secret")] : [WeatherTool]),
    });
    await expect(client.callTool({ name: "value" })).rejects.toMatchObject({ code: -32602 });
    user = "root";
    expect(textOf(await client.callTool({ name: "value" }))).toBe("secret");
  });

  it("a tool that refuses by itself is an error result", async () => {
    const tool = createTool("refuse", "Refuses.", { type: "object" }, () => {
      throw new ToolAuthorizationError("refuse", "Only on weekdays.");
    });
    const { client } = await connect({ tools: [tool] });
    expect(await client.callTool({ name: "refuse" })).toMatchObject({ isError: true, content: [{ text: "Only on weekdays." }] });
  });
});

it("listeners receive a client's calls like any other", async () => {
  const events: string[] = [];
  const listener: ToolListener = {
    toolStarted: ({ tool }) => events.push(`started ${tool}`),
    toolFinished: ({ tool }) => events.push(`finished ${tool}`),
  };
  const { client } = await connect({ tools: [WeatherTool], listeners: [listener] });
  await client.callTool({ name: "weather", arguments: { city: "Paris" } });
  expect(events).toEqual(["started weather", "finished weather"]);
});

it("a client receives the server's instructions, name, version and capabilities", async () => {
  const { client } = await connect({ tools: [WeatherTool], instructions: "Ask for one city at a time." });
  expect(client.getInstructions()).toBe("Ask for one city at a time.");
  expect(client.getServerVersion()).toEqual({ name: "shop", version: "1.0.0" });
  expect(client.getServerCapabilities()).toEqual({ tools: { listChanged: true } });
});
