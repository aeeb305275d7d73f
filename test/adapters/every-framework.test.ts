import { Agent, model, usesTools } from "../../src/agent/index.js";
import { AttemptLedger } from "../../src/execution/index.js";
import { ScriptedModel } from "../../src/models/index.js";
import { createTool, type ToolCallRecord, type ToolClass, ToolDefinitionError } from "../../src/tool/index.js";
import { frameworks, type ScriptedCall } from "./frameworks.js";
import { AuditTool, happened, LongWaitTool, RefundTool, WaitTool, WeatherTool } from "./support.js";

beforeEach(() => happened.splice(0));

const callOf = (name: string, input: Record<string, unknown> = {}, id = "call_1"): ScriptedCall => ({ id, name, arguments: input });

/** What the model of an agent of Toolwright reads of the same call. */
async function readByAgent(tool: ToolClass, input: Record<string, unknown>): Promise<string> {
  @model(new ScriptedModel([{ toolCalls: [{ name: tool.identifier, arguments: input }] }, "done"]))
  @usesTools([tool])
  class SomeAgent extends Agent {}
  const { steps } = await new SomeAgent().generate("go");
  return steps[0]!.toolCalls[0]!.content!;
}

describe.each(frameworks)("in $name", ({ run, told }) => {
  it.each<[string, ToolClass, Record<string, unknown>]>([
    ["the data of a call", WeatherTool, { city: "Paris" }],
    ["arguments that could be repaired", WeatherTool, { city: "Paris", days: "3" }],
    ["null for an optional parameter", WeatherTool, { city: "Paris", days: null }],
    ["case 35: every fault of the arguments", WeatherTool, { days: 30, town: "Paris" }],
    ["the error of a tool, without its secrets", WeatherTool, { city: "Atlantis" }],
    ["case 40: the timeout of a tool", WaitTool, {}],
    ["a text", RefundTool, { order: "A-17", amount: 20 }],
    ["the faults of a call that would need approval", RefundTool, { order: "A-17", amount: "a lot" }],
  ])("the model reads %s as it does in an agent", async (_what, tool, input) => {
    const name = tool === WeatherTool ? "weather_now" : tool.identifier;
    const [text] = await run([tool], [callOf(name, input)]);
    expect(text).toBe(await readByAgent(tool, input));
  });

  it('case 5: "false" never becomes true', async () => {
    const inputSchema = { type: "object", properties: { force: { type: "boolean" } }, required: ["force"] } as const;
    const tool = createTool({ name: "push", description: "Pushes.", inputSchema, execute: ({ force }) => `forced: ${String(force)}` });
    expect(await run([tool], [callOf("push", { force: "false" })])).toEqual(["forced: false"]);
  });

  it("a tool that has no time left is aborted by its signal, and the run goes on", async () => {
    await run([WaitTool], [callOf("wait")]);
    expect(happened).toEqual(["waiting", "told to stop: ToolTimeoutError"]);
  });

  it("case 41: the caller's signal reaches the tool", async () => {
    const controller = new AbortController();
    const running = run([LongWaitTool], [callOf("wait_long")], {}, controller.signal).catch(() => undefined);
    while (happened.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    controller.abort();
    await running;
    expect(happened).toEqual(["waiting", "told to stop: AbortError"]);
  });

  it("case 22: names are legal, and of those that would be alike each is another", async () => {
    const named = (name: string) =>
      createTool({ name, description: "Says its name.", inputSchema: { type: "object" }, execute: () => name });
    const tools = ["org/mail.send", "org.mail/send", "mail"].map(named);
    const names = Object.keys(await told(tools));
    expect(names.every((name) => /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/.test(name))).toBe(true);
    expect(
      await run(
        tools,
        names.map((name, index) => callOf(name, {}, `call_${index}`)),
      ),
    ).toEqual(["org/mail.send", "org.mail/send", "mail"]);
  });

  it("case 23: two tools of one name are refused when the tools are made", async () => {
    await expect(told([WeatherTool, WeatherTool])).rejects.toThrow(ToolDefinitionError);
  });

  it("the scope's bag reaches the tool, with the model's id of the call", async () => {
    await run([WeatherTool], [callOf("weather_now", { city: "Paris" }, "call_7")], {
      scope: { runId: "run", toolContext: { userId: "ada" } },
    });
    expect(happened).toEqual(["run call_7 ada"]);
  });

  it("a function gives a scope for each call", async () => {
    let calls = 0;
    const scope = () => ({ runId: `run ${calls++}`, toolContext: { userId: "ada" } });
    const told = [callOf("weather_now", { city: "Paris" }, "a"), callOf("weather_now", { city: "Rome" }, "b")];
    await run([WeatherTool], told, { scope });
    expect(new Set(happened.map((line) => line.split(" ").slice(0, 2).join(" "))).size).toBe(2);
  });

  it("the calls of one run share a retry ledger: the fourth failure isn't tried", async () => {
    const scope = { runId: "run", ledger: new AttemptLedger() };
    const texts: string[] = [];
    // One call a step, as a model makes them that tries again.
    for (const id of ["a", "b", "c", "d"])
      texts.push(...(await run([WeatherTool], [callOf("weather_now", { city: "Atlantis" }, id)], { scope })));
    expect(texts[2]).toContain("Error executing tool: No station under water");
    expect(texts[3]).toContain("failed 3 times in this run");
  });

  it("a tool that the scope doesn't permit is neither shown nor callable", async () => {
    expect(Object.keys(await told([WeatherTool, AuditTool]))).toEqual(["weather_now"]);
    expect(Object.keys(await told([AuditTool], { scope: { toolContext: { roles: ["auditor"] } } }))).toEqual(["audit"]);
  });

  it("a listener receives each call once", async () => {
    const heard: string[] = [];
    const listeners = [{ toolFinished: ({ tool, result }: ToolCallRecord) => void heard.push(`${tool} ${result.errorType ?? "ok"}`) }];
    await run([WeatherTool, RefundTool], [callOf("weather_now", { city: "Paris" }), callOf("refund", { order: "A-17" }, "call_2")], {
      listeners,
    });
    expect(heard.sort()).toEqual(["refund validation_error", "weather/now ok"]);
  });

  it("case 58: a result that is too large is cut", async () => {
    const tool = createTool({ name: "dump", description: "Dumps.", inputSchema: { type: "object" }, execute: () => "x".repeat(10_000) });
    const [text] = await run([tool], [callOf("dump")], { maxResultBytes: 1_000 });
    expect(text!.length).toBeLessThan(1_001);
    expect(text).toContain("bytes left out here");
  });
});
