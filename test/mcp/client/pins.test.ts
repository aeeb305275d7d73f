import { readFileSync, writeFileSync } from "node:fs";
import { Agent, approve, model, openConfirmations, usesTools } from "../../../src/index.js";
import { ScriptedModel } from "../../../src/models/index.js";
import type { McpPins, McpToolbox } from "../../../src/mcp/index.js";
import { invokeTool } from "../../../src/testing/index.js";
import { endAll, hostile, hostileAddress, hostileUrl, newFile, open, tool, warnings } from "./support.js";

afterEach(endAll);

const names = ({ tools }: McpToolbox) => tools.map(({ identifier }) => identifier);

/** Until the server's word that its tools have changed is there. */
async function changeTold(box: McpToolbox): Promise<void> {
  while (box.changed.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe("a pin file", () => {
  it("is written when the server is met first: all that it lists is accepted", async () => {
    const pin = newFile();
    const box = await open(await hostileAddress("plain"), { pin });
    expect(names(box)).toEqual(["box_echo"]);
    expect(JSON.parse(readFileSync(pin, "utf8"))).toEqual({ server: "box", tools: { echo: expect.stringMatching(/^[0-9a-f]{64}$/) } });
  });

  it("accepts the same definitions at the next start", async () => {
    const pin = newFile();
    const server = await hostileAddress("plain");
    await open(server, { pin });
    const box = await open(server, { pin });
    expect(names(box)).toEqual(["box_echo"]);
    expect(box.changed).toEqual([]);
  });

  it("stops a tool whose definition has changed between two starts, and one that is new", async () => {
    const told = warnings();
    const pin = newFile();
    writeFileSync(pin, JSON.stringify({ server: "box", tools: { echo: "0".repeat(64), third: "1".repeat(64) } }));
    const box = await open(await hostileAddress("pages"), { pin });
    expect(names(box)).toEqual([]);
    expect(box.changed).toMatchObject([
      { tool: "box_echo", change: "changed", definition: { description: "Says it again." } },
      { tool: "box_second", change: "new" },
      { tool: "box_third", change: "changed" },
    ]);
    expect(told).toEqual([
      "mcpToolbox \"box\" doesn't offer 3 of the server's tools until toolbox.accept is called. box_echo has changed. box_second is new. box_third has changed.",
    ]);
  });

  it("takes what is accepted, tool by tool", async () => {
    warnings();
    const pin = newFile();
    writeFileSync(pin, JSON.stringify({ server: "box", tools: {} }));
    const box = await open(await hostileAddress("pages"), { pin });
    await box.accept(box.changed.filter((change) => change.tool !== "box_third"));
    expect(names(box)).toEqual(["box_echo", "box_second"]);
    expect(box.changed).toMatchObject([{ tool: "box_third" }]);
    await expect(invokeTool(tool(box, "echo"), { text: "hello" })).resolves.toBe("hello");
    expect(names(await open(await hostileAddress("pages"), { pin }))).toEqual(["box_echo", "box_second"]);
  });

  it("takes what is accepted at once in several places", async () => {
    warnings();
    const pin = newFile();
    writeFileSync(pin, JSON.stringify({ server: "box", tools: {} }));
    const box = await open(await hostileAddress("pages"), { pin });
    await Promise.all(box.changed.map((change) => box.accept([change])));
    expect(names(box)).toEqual(["box_echo", "box_second", "box_third"]);
    expect(Object.keys(JSON.parse(readFileSync(pin, "utf8")).tools)).toEqual(["echo", "second", "third"]);
  });

  it("that a person has changed meanwhile is added to, not restored", async () => {
    warnings();
    const pin = newFile();
    writeFileSync(pin, JSON.stringify({ server: "box", tools: {} }));
    const box = await open(await hostileAddress("pages"), { pin });
    const [echo, second] = box.changed;
    await box.accept(echo === undefined ? [] : [echo]);
    writeFileSync(pin, JSON.stringify({ server: "box", tools: {} }));
    await box.accept(second === undefined ? [] : [second]);
    expect(names(box)).toEqual(["box_second"]);
    expect(Object.keys(JSON.parse(readFileSync(pin, "utf8")).tools)).toEqual(["second"]);
  });

  it("that can't be written once can be the next time", async () => {
    warnings();
    const pin = newFile();
    writeFileSync(pin, JSON.stringify({ server: "box", tools: {} }));
    const box = await open(await hostileAddress("plain"), { pin });
    writeFileSync(pin, "broken");
    await expect(box.accept(box.changed)).rejects.toThrow("holds no pins");
    expect(names(box)).toEqual([]);
    writeFileSync(pin, JSON.stringify({ server: "box", tools: {} }));
    await box.accept(box.changed);
    expect(names(box)).toEqual(["box_echo"]);
  });

  it.each([
    ["{ broken", /holds no pins\. Restore it; or delete it/],
    ['{"server":"box"}', /holds no pins/],
    ['{"server":"other","tools":{}}', /are those of the server "other", not of "box"\. Give each server a file of its own/],
  ])("that holds %j accepts nothing", async (text, message) => {
    const pin = newFile();
    writeFileSync(pin, text);
    await expect(open(await hostileAddress("plain"), { pin })).rejects.toThrow(message);
    expect(readFileSync(pin, "utf8")).toBe(text);
  });
});

describe("a pin store of the application's own", () => {
  it("loads pins, and saves new ones", async () => {
    const saved: McpPins[] = [];
    const box = await open(await hostileAddress("plain"), { pin: { load: () => undefined, save: (pins) => void saved.push(pins) } });
    expect(names(box)).toEqual(["box_echo"]);
    expect(saved).toEqual([{ echo: expect.any(String) }]);
  });

  it("that only keeps, and gives nothing back, loses nothing while the application runs", async () => {
    warnings();
    let first: McpPins | undefined = {};
    const box = await open(await hostileAddress("pages"), { pin: { load: () => first, save: () => undefined } });
    first = undefined;
    for (const change of box.changed) await box.accept([change]);
    expect(names(box)).toEqual(["box_echo", "box_second", "box_third"]);
  });

  it("that can't keep what would be accepted lets nothing be accepted", async () => {
    const pin = {
      load: () => undefined,
      save: () => {
        throw new Error("read-only");
      },
    };
    await expect(open(await hostileAddress("plain"), { pin })).rejects.toThrow("read-only");
  });
});

describe.each([
  ["over a pipe", async () => hostile("calls")],
  ["over HTTP", async () => ({ url: await hostileUrl("calls") })],
])("a tool that changes while the application runs, %s", (_, server) => {
  it("isn't called any more even if the server announces nothing: its list is read again before the call", async () => {
    warnings();
    const box = await open(await server(), { settings: () => ({ requiresConfirmation: true }) });
    const echo = tool(box, "echo");
    await invokeTool(tool(box, "change_silently"), {});
    await expect(invokeTool(echo, { text: "hello" })).rejects.toThrow(
      'The call wasn\'t made: the MCP server "box" has changed box_echo since it was accepted.',
    );
    expect(box.changed).toMatchObject([
      { tool: "box_echo", change: "changed", definition: { description: expect.stringContaining("evil") } },
    ]);
  });

  it("says to take the tools anew if it is accepted as it is now, and the class is of before", async () => {
    warnings();
    const box = await open(await server(), { settings: () => ({ requiresConfirmation: true }) });
    const before = tool(box, "echo");
    await invokeTool(tool(box, "change_silently"), {});
    await expect(invokeTool(before, { text: "hello" })).rejects.toThrow(
      "Tell the user; the application decides whether to accept it as it is now.",
    );
    await box.accept(box.changed);
    await expect(invokeTool(before, { text: "hello" })).rejects.toThrow(
      'The call wasn\'t made: the MCP server "box" has changed box_echo since it was accepted. The current definition is accepted, ' +
        "but this call used the old one. Tell the user; the application must read toolbox.tools again.",
    );
    expect(await invokeTool(tool(box, "echo"), { text: "hello" })).toBeDefined();
  });

  it("isn't called if it changed between a person's approval and the call, though the server said nothing", async () => {
    warnings();
    const box = await open(await server(), { settings: ({ name }) => ({ requiresConfirmation: name === "echo" }) });
    @model(new ScriptedModel([{ toolCalls: [{ id: "call_1", name: "box_echo", arguments: { text: "lamp" } }] }, "It can't be said."]))
    @usesTools(box)
    class EchoAgent extends Agent {}
    const agent = new EchoAgent();
    const paused = await agent.generate("Say lamp.");
    if (paused.state === undefined) throw new Error("The run should have paused.");
    const decisions = openConfirmations(paused.state).map((confirmation) => approve(confirmation));
    await invokeTool(tool(box, "change_silently"), {});
    const response = await agent.resume(paused.state, { decisions });
    expect(JSON.stringify(response.messages)).toContain("The call wasn't made");
  });
});

describe("a tool that is another one after the server was started again", () => {
  it("isn't called, by the call that starts it nor by one beside it", async () => {
    warnings();
    const box = await open(hostile("turning", newFile()));
    const echo = tool(box, "echo");
    await expect(invokeTool(tool(box, "die"), {})).rejects.toThrow("ended during the call");
    const calls = [1, 2, 3].map(() => invokeTool(echo, { text: "hello" }));
    for (const outcome of await Promise.allSettled(calls)) {
      expect(outcome).toMatchObject({ status: "rejected", reason: { message: expect.stringContaining("The call wasn't made") } });
    }
  });
});

describe("a tool that changes with a word of the server", () => {
  it("is listed in changed, and offered again once it is accepted; the class from before isn't called any more", async () => {
    warnings();
    const box = await open(hostile("calls"));
    const before = tool(box, "echo");
    await invokeTool(tool(box, "change"), {});
    await changeTold(box);
    expect(names(box)).not.toContain("box_echo");
    await box.accept(box.changed);
    expect(box.changed).toEqual([]);
    const after = tool(box, "echo");
    expect(after.definition.description).toContain("evil");
    await expect(invokeTool(after, { text: "hello" })).resolves.toBe("hello");
    await expect(invokeTool(before, { text: "hello" })).rejects.toThrow("The call wasn't made");
  });

  it("keeps the class of every tool that didn't change", async () => {
    warnings();
    const box = await open(hostile("calls"));
    const fail = tool(box, "fail");
    await invokeTool(tool(box, "change"), {});
    await changeTold(box);
    expect(tool(box, "fail")).toBe(fail);
  });

  it("can't be accepted unseen: accept takes only entries of changed", async () => {
    const box = await open(await hostileAddress("plain"));
    await expect(box.accept([{ ...box.changed[0], tool: "box_echo" } as never])).rejects.toThrow("accept: pass entries of toolbox.changed");
  });
});
