import fc from "fast-check";
import { createRunScope, modelText, ToolExecutor } from "../../src/execution/index.js";
import { Agent, model as agentModel, usesTools } from "../../src/agent/index.js";
import { toAiSdkTools } from "../../src/adapters/ai-sdk/index.js";
import { ScriptedModel } from "../../src/models/index.js";
import { addSecret, redact, redactText } from "../../src/redaction/index.js";
import { createTool } from "../../src/tool/index.js";
import { redactMalformed } from "../../src/redaction/redact.js";
import { recordingListener } from "../execution/support.js";

const secret = 'Zq7/+x "w&4?é';
const forget: (() => void)[] = [];
const add = (value: string) => void forget.push(addSecret(value));

afterEach(() => {
  for (const undo of forget.splice(0)) undo();
});

describe("a secret that the application made known", () => {
  it.each<[string, string]>([
    ["as it is", `sent with ${secret}.`],
    ["in a URL", `GET /v1/${encodeURIComponent(secret)}/x`],
    ["in a URL, with lower-case digits", `GET /v1/${encodeURIComponent(secret).replace(/%../g, (byte) => byte.toLowerCase())}/x`],
    ["in a form", `a=1&${new URLSearchParams({ b: secret })}`],
    ["in JSON", JSON.stringify({ note: secret })],
    ["in base64", Buffer.from(secret).toString("base64")],
    ["in base64 behind one byte", Buffer.from(`a${secret}`).toString("base64")],
    ["in base64 between others, as of a user and a password", `x ${Buffer.from(`ann:${secret}:more`).toString("base64")}`],
    ["in base64url", Buffer.from(`??>${secret}`).toString("base64url")],
  ])("is taken out of a text %s", (_where, text) => {
    expect(redactText(text)).toBe(text);
    add(secret);
    const shown = redactText(text);
    expect(shown).toContain("[redacted]");
    for (const encoding of ["base64", "base64url"] as const) expect(Buffer.from(shown, encoding).includes(secret)).toBe(false);
    expect(decodeURIComponent(shown.replaceAll("+", " "))).not.toContain(secret);
  });

  it("is taken out of values, keys and arguments that are no JSON, whatever it is called there", () => {
    add("orders-4711-abcd");
    expect(redact({ note: "orders-4711-abcd", list: ["see orders-4711-abcd"], "orders-4711-abcd": 1 })).toEqual({
      note: "[redacted]",
      list: ["see [redacted]"],
      "[redacted]": 1,
    });
    expect(redactMalformed("{note: orders-4711-abcd")).toBe("{note: [redacted]");
  });

  it("is taken out wherever it stands, in base64 at any offset", () => {
    add("orders-4711-token");
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 9 }), fc.uint8Array({ maxLength: 9 }), (before, after) => {
        const bytes = Buffer.concat([before, Buffer.from("orders-4711-token"), after]);
        for (const encoding of ["base64", "base64url"] as const) {
          const shown = redactText(bytes.toString(encoding));
          expect(shown).toContain("[redacted]");
          expect(Buffer.from(shown.replaceAll("[redacted]", ""), encoding).includes("orders")).toBe(false);
        }
      }),
    );
  });

  it("is found whole if another one begins it", () => {
    add("orders-4711");
    add("orders-4711-token");
    expect(redactText("orders-4711-token, orders-4711")).toBe("[redacted], [redacted]");
  });

  it("may hold what is special in patterns", () => {
    add("a.c*(d)[e]$^|\\");
    expect(redactText("a.c*(d)[e]$^|\\ abc*(d)[e]$^|\\")).toBe("[redacted] abc*(d)[e]$^|\\");
  });

  it("may be forgotten, when it was replaced", () => {
    const undo = addSecret("orders-4711-token");
    undo();
    undo();
    expect(redactText("orders-4711-token")).toBe("orders-4711-token");
  });

  it.each<[unknown, ErrorConstructor, string]>([
    [undefined, TypeError, "addSecret: takes the secret's text, got undefined. Is its variable set?"],
    ["hunter2", RangeError, "addSecret: a value of 7 characters would be found in texts that have nothing to do with it; at least 8."],
  ])("is refused if it is no text or too short, and not shown: %s", (value, type, message) => {
    expect(() => addSecret(value as string)).toThrow(new type(message));
  });
});

describe("a tool that gives a known secret away", () => {
  const leaking = createTool({
    name: "leaking",
    description: "Leaks.",
    inputSchema: { type: "object", properties: { fail: { type: "boolean" }, pad: { type: "integer" } } },
    execute: ({ fail, pad }, { log, progress }) => {
      log.info("using orders-zebra-token", { note: "orders-zebra-token" });
      progress(0.5, "with orders-zebra-token");
      if (fail === true) throw new Error("GET /orders?key=orders-zebra-token failed");
      return { note: `${"x".repeat(Number(pad ?? 0))}orders-zebra-token${"y".repeat(2_000)}` };
    },
  });

  it("shows it to no model and no listener, be it in data, errors, stacks, logs or progress", async () => {
    add("orders-zebra-token");
    const { listener, events } = recordingListener();
    const executor = new ToolExecutor({ tools: [leaking], listeners: [listener] });
    const texts: string[] = [];
    for (const fail of [false, true]) {
      texts.push(modelText(await executor.call({ id: "1", name: "leaking", arguments: { fail } }, createRunScope())));
    }
    expect(texts[0]).toContain('{"note":"[redacted]yyy');
    expect(texts[1]).toBe("Error executing tool: GET /orders?key=[redacted] failed");
    expect(JSON.stringify([texts, events])).not.toContain("zebra");
    expect(events.length).toBeGreaterThan(6);
  });

  it("shows no half of it where a result is cut to its cap", async () => {
    add("orders-zebra-token");
    const executor = new ToolExecutor({ tools: [leaking], maxResultBytes: 500 });
    for (let pad = 230; pad < 320; pad += 1) {
      const text = modelText(await executor.call({ id: "1", name: "leaking", arguments: { pad } }, createRunScope()));
      expect(text).not.toMatch(/orders-|token/);
    }
  });

  it("gives it to code that calls the tool: only what is shown is redacted", async () => {
    add("orders-zebra-token");
    const data = (await new ToolExecutor({ tools: [leaking] }).run("leaking", {})) as { note: string };
    expect(data.note).toContain("orders-zebra-token");
  });
});

describe("a known secret in a structured result", () => {
  const tool = createTool({
    name: "account",
    description: "Reads an account.",
    inputSchema: { type: "object" },
    execute: () => ({ note: "uses orders-zebra-token", "orders-zebra-token": [{ pin: 4711471147114711 }], other: { a: 1 } }),
  });
  const hidden = { note: "uses [redacted]", "[redacted]": [{ pin: "[redacted]" }], other: { a: 1 } };

  beforeEach(() => {
    add("orders-zebra-token");
    add("4711471147114711");
  });

  it("is taken out of the data of a model's call, in keys and numbers too", async () => {
    const { data } = await new ToolExecutor({ tools: [tool] }).call({ id: "1", name: "account", arguments: "{}" }, createRunScope());
    expect(data).toEqual(hidden);
  });

  it("is taken out behind middleware", async () => {
    const executor = new ToolExecutor({ tools: [tool] }).use(
      async (_call, next) => ({ ...(await next()), data: ["orders-zebra-token"] }) as never,
    );
    const { data } = await executor.call({ id: "1", name: "account", arguments: "{}" }, createRunScope());
    expect(data).toEqual(["[redacted]"]);
  });

  it("stays in what the application's own code asks for", async () => {
    expect(await new ToolExecutor({ tools: [tool] }).run("account", {})).toMatchObject({ note: "uses orders-zebra-token" });
  });

  it("is taken out of what the AI SDK gives to a page", async () => {
    const output = await toAiSdkTools([tool]).account?.execute?.({}, { toolCallId: "1", messages: [] });
    expect(output).toEqual(hidden);
  });

  it("is taken out of the steps of an agent's response", async () => {
    const model = new ScriptedModel([{ toolCalls: [{ name: "account", arguments: {} }] }, "Done."]);
    @agentModel(model)
    @usesTools([tool])
    class AccountAgent extends Agent {}
    const { steps } = await new AccountAgent().generate("Which account?");
    expect(steps[0]?.toolCalls[0]?.data).toEqual(hidden);
  });
});
