import { ToolExecutor, isToolClass } from "../../../src/execution/index.js";
import { Agent, description, identifier, model, Tool, usesTools } from "../../../src/index.js";
import { ScriptedModel } from "../../../src/models/index.js";
import { fromProviderCall, toProviderTools } from "../../../src/models/provider-tools/index.js";
import { type McpToolbox, mcpToolbox } from "../../../src/mcp/index.js";
import { createRegistry, createWorkspace } from "../../../src/registry/index.js";
import { invokeTool, stubTool, withStubs } from "../../../src/testing/index.js";
import { endAll, hostile, hostileAddress, hostileUrl, open, tool, warnings } from "./support.js";

const names = (tools: readonly { readonly identifier: string }[]) => tools.map(({ identifier }) => identifier);

describe("the tools of a server", () => {
  let box: McpToolbox;
  beforeAll(async () => {
    box = await open(hostile("plain"), { prefix: "files" });
  });
  afterAll(endAll);

  it("are tool classes like any other, named with the prefix", () => {
    expect(box.name).toBe("files");
    expect(names(box.tools)).toEqual(["files_echo"]);
    expect(box.tools.every(isToolClass)).toBe(true);
    expect(tool(box, "echo").definition).toMatchObject({
      description: "Says it again.",
      parametersSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
      category: "side_effect",
      requiresConfirmation: false,
      timeout: 10_000,
    });
  });

  it("are called", async () => {
    await expect(invokeTool(tool(box, "echo"), { text: "hello" })).resolves.toBe("hello");
  });

  it("case 61: have their arguments checked by the server's schema before the call is sent", async () => {
    await expect(invokeTool(tool(box, "echo"), { text: 7 })).rejects.toThrow("text must be a string, got number 7");
  });

  it("serve an agent, which takes the toolbox as it takes any", async () => {
    @model(new ScriptedModel([{ toolCalls: [{ name: "files_echo", arguments: { text: "lamp" } }] }, "It said lamp."]))
    @usesTools(box)
    class EchoAgent extends Agent {}
    const response = await EchoAgent.generate("Say lamp.");
    expect(response.text).toBe("It said lamp.");
    expect(response.steps[0]?.toolCalls).toMatchObject([{ name: "files_echo", content: "lamp", data: "lamp" }]);
  });

  it("go into a registry", async () => {
    const registry = createRegistry({ project: createWorkspace().toolbox(box).build() });
    await expect(registry.executor({ allowedTools: ["files/*"] }).run("files/files_echo", { text: "hello" })).resolves.toBe("hello");
  });

  it("go to a provider's own SDK, and its calls come back", async () => {
    const [written] = toProviderTools(box.tools, "anthropic");
    const call = fromProviderCall({ type: "tool_use", id: "1", name: written?.name, input: { text: "hello" } }, box.tools, "anthropic");
    await expect(new ToolExecutor({ tools: box.tools }).run(call.name, call.arguments)).resolves.toBe("hello");
  });

  it("are stubbed", async () => {
    const echo = stubTool(tool(box, "echo"), ({ text }) => `stubbed ${String(text)}`);
    const executor = new ToolExecutor({ tools: box.tools, container: withStubs([echo]) });
    await expect(executor.run("files_echo", { text: "hello" })).resolves.toBe("stubbed hello");
  });

  it("case 23: never take the place of a local tool: the error names both", async () => {
    @identifier("files_echo")
    @description("Echoes.")
    class EchoTool extends Tool {
      call() {
        return "local";
      }
    }
    @model(new ScriptedModel(["unused"]))
    @usesTools([EchoTool, box])
    class EchoAgent extends Agent {}
    await expect(EchoAgent.generate("Hello")).rejects.toThrow(
      'EchoAgent: EchoTool and echo of the MCP server "files" are both named "files_echo"; a model can\'t tell them apart.',
    );
  });
});

describe("the list of a server", () => {
  afterEach(endAll);

  it("comes over HTTP as over a pipe", async () => {
    const box = await open({ url: await hostileUrl("plain") });
    await expect(invokeTool(tool(box, "echo"), { text: "hello" })).resolves.toBe("hello");
  });

  it("is read to its last page", async () => {
    expect(names((await open(await hostileAddress("pages"))).tools)).toEqual(["box_echo", "box_second", "box_third"]);
  });

  it("holds each tool once, if its pages end by the first one", async () => {
    const box = await open(await hostileAddress("circular"));
    expect(names(box.tools)).toEqual(["box_echo", "box_second"]);
    expect(box.refused).toEqual([]);
  });

  it("ends where its next page is null", async () => {
    expect(names((await open(await hostileAddress("nulls"))).tools)).toEqual(["box_echo"]);
  });

  it("is refused if its pages don't end", async () => {
    await expect(open(await hostileAddress("endless"))).rejects.toThrow(
      /The MCP server "box" gave no answer that can be used: .*pagination did not terminate/,
    );
  });

  it("is refused if it changes with each look at it", async () => {
    await expect(open(hostile("restless"))).rejects.toThrow('The MCP server "box" changes its tools faster than they can be listed.');
  });

  it("is warned of twenty times at most, whatever else it holds each time", async () => {
    const told = warnings();
    const box = await open(await hostileAddress("moody"), { settings: () => ({ requiresConfirmation: true }) });
    for (let calls = 1; calls < 25; calls += 1) await invokeTool(tool(box, "echo"), { text: "hello" });
    expect(box.refused).toMatchObject([{ tool: "mood 25" }]);
    expect(told).toHaveLength(20);
    expect(told[19]).toContain("This is the last warning of this server: look at refused and changed.");
  });

  it("is empty for a server that offers no tools", async () => {
    expect((await open(await hostileAddress("none"))).tools).toEqual([]);
  });

  it("is read up to the thousandth of ten thousand tools", async () => {
    const told = warnings();
    const box = await open(hostile("many"));
    expect(box.tools).toHaveLength(1_000);
    expect(box.refused).toEqual([{ tool: "9000 more", reason: "the server lists 10000 tools; the first 1000 are read." }]);
    expect(told).toHaveLength(1);
  });

  it("of 600000 entries that are no tools, in pages, is looked at up to the thousandth", async () => {
    warnings();
    const box = await open(hostile("junk"));
    expect(box.tools).toEqual([]);
    expect(box.refused).toHaveLength(1_001);
    expect(box.refused.at(-1)).toEqual({ tool: "599001 more", reason: "the server lists 600001 tools; the first 1000 are read." });
  });

  it("case 22: may hold names with dots, which providers get in a form that they take", async () => {
    const box = await open(await hostileAddress("dotted"));
    const [written] = toProviderTools(box.tools, "anthropic");
    expect(written?.name).toBe("box_calendar_respondToEvent");
    const call = fromProviderCall({ type: "tool_use", id: "1", name: written?.name, input: {} }, box.tools, "anthropic");
    await expect(new ToolExecutor({ tools: box.tools }).run(call.name, {})).resolves.toBe("accepted");
  });
});

describe("what a server lists wrongly", () => {
  let told: string[];
  let box: McpToolbox;
  /** As settings are told them. */
  const hints = new Map<string, unknown>();
  beforeAll(async () => {
    told = warnings();
    box = await open(hostile("wrong"), {
      settings: ({ name, annotations }) => {
        hints.set(name, annotations);
        return { requiresConfirmation: true };
      },
    });
  });
  afterAll(endAll);
  const reasonFor = (name: string) => box.refused.filter((refused) => refused.tool === name).map(({ reason }) => reason);

  it("breaks nothing that it lists rightly", () => {
    expect(names(box.tools)).toEqual(
      ["echo", "send_money_now", "read", "re_ad", "rootless", "nulls", "told", "same_id", "same_id_too", "hinted"].map(
        (name) => `box_${name}`,
      ),
    );
  });

  it("is reported once, in one warning", () => {
    expect(told).toEqual([expect.stringMatching(/^mcpToolbox "box" leaves out 18 of the server's tools\. nothing: .* And 13 more\.$/)]);
  });

  it("is a description of a megabyte", () => {
    expect(reasonFor("megabyte")).toEqual(["its definition has 1000084 characters; 64000 are the most that is read."]);
  });

  it("is a name that two tools have", () => {
    const reason = 'another one of the server, "twin", would be named box_twin as well.';
    expect(reasonFor("twin")).toEqual([reason, reason]);
  });

  it("is a name of 500 characters, or none that anybody sees", () => {
    expect(reasonFor("n".repeat(100))).toEqual([
      "with the prefix, its name has 504 characters; 128 are the most that a tool's name may have.",
    ]);
    expect(reasonFor("")).toEqual(["its name is empty.", "its name is empty."]);
  });

  it("is a schema that leads to the network, which is never asked", () => {
    expect(reasonFor("remote")).toEqual([expect.stringContaining("References are never fetched")]);
  });

  it.each([
    ["nothing", "at inputSchema: Invalid input: expected object, received undefined."],
    ["list", 'at inputSchema.type: Invalid input: expected "object".'],
    ["dict", 'the schema at #/properties/a/type is "dict", which isn\'t a type of JSON Schema.'],
    [
      "out_required",
      "its outputSchema isn't as its revision of the protocol wants it, at outputSchema.required: Invalid input: expected array",
    ],
    ["out_properties", "at outputSchema.properties: Invalid input: expected record, received number."],
    ["out_list", 'at outputSchema.type: Invalid input: expected "object".'],
    ["deep", "it is nested more than 200 levels deep."],
  ])("is a schema that is none (%s)", (name, reason) => {
    expect(reasonFor(name)).toEqual([expect.stringContaining(reason)]);
  });

  it("is what isn't a tool at all", () => {
    expect(reasonFor("(no name)")).toHaveLength(3);
  });

  it("is a value that hides characters", () => {
    expect(reasonFor("smuggler")).toEqual(['its schema hides characters in "yes".']);
  });

  it("case 20: isn't a schema that forgets its type at the root", () => {
    expect(tool(box, "rootless").parametersSchema).toEqual({ type: "object", properties: { a: { type: "string" } } });
  });

  it("isn't two schemas with one $id: each tool is checked by its own", () => {
    expect(tool(box, "same_id").parametersSchema.required).toEqual(["a"]);
    expect(tool(box, "same_id_too").parametersSchema.required).toEqual(["b"]);
  });

  it("are invisible characters: no model receives them", () => {
    expect(tool(box, "read").definition.description).toBe("Reads a file. Cafe\u0301 \u2764\ufe0f");
    expect(tool(box, "told").parametersSchema.properties?.a).toEqual({ type: "string", description: "Say it." });
  });

  it("are such characters in hints as well: settings that show them show what is there", () => {
    expect(hints.get("hinted")).toEqual({ title: "Harmless", readOnlyHint: true, destructiveHint: false });
  });

  it("are hints: a tool that calls itself harmless is confirmed all the same", () => {
    expect(tool(box, "hinted").definition).toMatchObject({ category: "side_effect", requiresConfirmation: true });
  });
});

describe("settings", () => {
  afterEach(endAll);

  it("say of each tool what the server can't be trusted to say", async () => {
    const asked: unknown[] = [];
    const box = await open(await hostileAddress("plain"), {
      settings: (definition) => {
        asked.push(definition);
        return { category: "read", timeout: 500, tags: ["remote"] };
      },
    });
    expect(tool(box, "echo").definition).toMatchObject({ category: "read", timeout: 500, tags: ["remote"] });
    expect(asked).toEqual([
      { name: "echo", description: "Says it again.", inputSchema: expect.objectContaining({ type: "object" }), annotations: {} },
    ]);
  });

  it("that are misspelt are an error: they may be the rule that keeps a call from running", async () => {
    const settings = () => ({ requireConfirmation: true }) as object;
    await expect(open(await hostileAddress("plain"), { settings })).rejects.toThrow(
      /createTool "box_echo": there is nothing named "requireConfirmation"/,
    );
  });
});

it.each<[string, () => unknown]>([
  ["a promise, whose settings nobody would see", async () => ({ requiresConfirmation: true })],
  ["nothing", () => undefined],
  ["a list", () => []],
])("settings that are %s are refused", async (_name, settings) => {
  await expect(open(await hostileAddress("plain"), { settings: settings as never })).rejects.toThrow(
    "settings must return an object such as",
  );
});

describe("mcpToolbox", () => {
  it.each([
    [{ prefix: "" }, /prefix must be what you call the server/],
    [{ prefix: "a b" }, /got "a b"/],
    [{ prefix: "box", pins: "x" }, /unknown option "pins". There are prefix, pin, settings, onElicitation/],
  ])("refuses the options %j", async (options, message) => {
    await expect(mcpToolbox(await hostileAddress("plain"), options as never)).rejects.toThrow(message);
  });

  it.each([
    [{}, /takes \{ command: "node"/],
    [{ command: "node", arguments: [] }, /a server has no "arguments" beside command, args, env, cwd/],
    [{ url: "file:///etc/passwd" }, /url must be a whole http or https URL/],
    [{ url: "https://me:secret@example.com" }, /without user and password/],
  ])("refuses the server %j", async (server, message) => {
    await expect(mcpToolbox(server as never, { prefix: "box" })).rejects.toThrow(message);
  });
});
