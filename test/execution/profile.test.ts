import {
  createRunScope,
  definitionHash,
  type ExecutionProfile,
  isPermitted,
  PreparedCall,
  type RunScope,
  ToolExecutor,
} from "../../src/execution/index.js";
import { Agent, model, usesTools } from "../../src/index.js";
import { ScriptedModel } from "../../src/models/index.js";
import { createRegistry, createWorkspace } from "../../src/registry/index.js";
import {
  createTool,
  ToolAuthorizationError,
  type ToolClass,
  type ToolContext,
  ToolInputValidationError,
  ToolInterrupt,
} from "../../src/tool/index.js";
import type { ToolPolicy } from "../../src/tool/definition/policy.js";
import { recordingListener, rejection } from "./support.js";

const tool = (name: string, policy: Partial<ToolPolicy> = {}, execute: (input: unknown, context: ToolContext) => unknown = () => name) =>
  createTool({ name, description: `Does ${name}.`, inputSchema: { type: "object" }, ...policy, execute });

const refund = tool("billing/refund", { category: "write", tags: ["money", "support"] });
const invoice = tool("billing/invoice", { category: "read", tags: ["money"] });
const search = tool("search", { category: "read" });
const all = [refund, invoice, search];

const permitted = (profile: ExecutionProfile) =>
  all.filter(({ definition }) => isPermitted(definition, {}, profile)).map(({ identifier }) => identifier);

describe("an execution profile narrows the tools of a run", () => {
  it.each<[string, ExecutionProfile, string[]]>([
    ["not at all where it says nothing", {}, ["billing/refund", "billing/invoice", "search"]],
    ["to exact names", { allowedTools: ["search", "billing"] }, ["search"]],
    ["to names that begin as one that ends in a star", { allowedTools: ["billing/*"] }, ["billing/refund", "billing/invoice"]],
    ["to everything for a lone star", { allowedTools: ["*"] }, ["billing/refund", "billing/invoice", "search"]],
    ["to nothing for an empty list", { allowedTools: [] }, []],
    ["to tools with at least one of its tags", { tags: ["support", "admin"] }, ["billing/refund"]],
    ["to tools of its categories", { categories: ["read"] }, ["billing/invoice", "search"]],
    ["to what meets all that it says", { allowedTools: ["billing/*"], categories: ["read"], tags: ["money"] }, ["billing/invoice"]],
  ])("%s", (_how, profile, expected) => {
    expect(permitted(profile)).toEqual(expected);
  });

  it("takes a star inside a name, and upper case, as they are written", () => {
    expect(permitted({ allowedTools: ["b*refund", "Search"] })).toEqual([]);
  });

  it("never widens what @access asks for", () => {
    const guarded = tool("guarded", { access: { scopes: ["admin"] } });
    expect(isPermitted(guarded.definition, {}, { allowedTools: ["guarded"] })).toBe(false);
    expect(isPermitted(guarded.definition, { scopes: ["admin"] }, { allowedTools: ["search"] })).toBe(false);
    expect(isPermitted(guarded.definition, { scopes: ["admin"] }, { allowedTools: ["guarded"] })).toBe(true);
  });

  it.each<[unknown, string]>([
    [{ allowed: ["search"] }, 'The execution profile knows allowedTools, tags, categories, not "allowed": it would narrow nothing.'],
    [{ allowedTools: "search" }, 'The execution profile\'s allowedTools must be a list of names and tool classes, got "search".'],
    [{ tags: null }, "The execution profile's tags must be a list of strings, got null."],
    ["read", 'The execution profile takes { allowedTools, tags, categories }, got "read".'],
    ...["acme/**", "*/refund", "a*b", "**"].map((starred): [object, string] => [
      { allowedTools: ["search", starred] },
      `The execution profile's allowedTools take full names, and one star at the end, "billing/*": "${starred}" would allow nothing.`,
    ]),
  ])("is refused if a mistake in it would narrow nothing, or allow nothing: %j", (profile, message) => {
    expect(() => createRunScope({ profile: profile as ExecutionProfile })).toThrow(new TypeError(message));
  });
});

describe("what the profile or @access does not allow", () => {
  const call = (name: string, profile: ExecutionProfile, tools: ToolClass[] = all, toolContext = {}) => {
    const { listener, of } = recordingListener();
    const executor = new ToolExecutor({ tools, listeners: [listener] });
    const result = executor.call({ id: "call_1", name, arguments: {} }, createRunScope({ profile, toolContext }));
    return result.then((settled) => ({ result: settled, log: of("log") }));
  };

  it("gets the same error as a tool that doesn't exist, so that a call doesn't reveal it", async () => {
    const { result: hidden } = await call("billing/refund", { categories: ["read"] });
    const { result: unknown } = await call("billing/refunds", { categories: ["read"] });
    expect(hidden).toMatchObject({
      errorType: "unknown_tool",
      error: "Unknown tool 'billing/refund'. Available tools: billing/invoice, search.",
    });
    expect(hidden.error).toBe(unknown.error?.replace("billing/refunds", "billing/refund"));
  });

  it("is answered alike whatever the arguments: they are not looked at", async () => {
    const executor = new ToolExecutor({ tools: all });
    const scope = createRunScope({ profile: { allowedTools: [] } });
    const results = [`{"broken`, {}, `{"__proto__":1}`].map((text) => executor.call({ id: "1", name: "search", arguments: text }, scope));
    for (const { error } of await Promise.all(results)) expect(error).toBe("Unknown tool 'search'. No tools are available.");
  });

  it("can't be called through another tool, declared dependency or not, and its name doesn't reach the model", async () => {
    const outer = tool("outer", { dependsOn: ["billing/refund"], category: "read" }, (_input, context) => context.call(refund, {}));
    for (const tools of [[outer], [outer, refund]]) {
      const { result, log } = await call("outer", { categories: ["read"] }, tools);
      expect(result).toMatchObject({ errorType: "unauthorized", error: "Tool 'outer' needs another tool that isn't allowed here." });
      expect(log).toMatchObject([{ level: "warn", tool: "outer", message: expect.stringContaining("may not call 'billing/refund'") }]);
    }
    expect((await call("outer", { allowedTools: ["outer", "billing/*"] }, [outer])).result.data).toBe("billing/refund");
  });

  it("can't be called through @access of a dependency either", async () => {
    const guarded = tool("guarded", { access: { roles: ["admin"] } });
    const outer = tool("outer", { dependsOn: ["guarded"] }, (_input, context) => context.call(guarded, {}));
    expect((await call("outer", {}, [outer])).result.error).not.toContain("guarded");
    expect((await call("outer", {}, [outer], { roles: ["admin"] })).result.data).toBe("guarded");
  });

  it("throws an error whose toolName and cause name the tool to the calling code", async () => {
    let caught: unknown;
    const outer = tool("outer", {}, (_input, context) => context.call(search, {}).catch((error: unknown) => void (caught = error)));
    await call("outer", {}, [outer]);
    expect(caught).toBeInstanceOf(ToolAuthorizationError);
    expect(caught).toMatchObject({ toolName: "search", cause: { message: expect.stringContaining('@dependsOn("search")') } });
  });

  it("throws ToolAuthorizationError for an application that runs it by name, and says what is lacking", async () => {
    const run = (tools: readonly ToolClass[], options: Partial<RunScope>) =>
      rejection(new ToolExecutor({ tools }).run("search", {}, options));
    const guarded = tool("search", { access: { scopes: ["web", "news"], roles: ["admin"] } });
    const denied = "Permission denied for tool: search.";
    const expected: [readonly ToolClass[], Partial<RunScope>, string][] = [
      [all, { profile: { tags: ["money"] } }, `${denied} The profile of the run doesn't allow it.`],
      [[guarded], {}, `${denied} It requires "web", "news" in toolContext.scopes, and "admin" in toolContext.roles.`],
      [
        [guarded],
        { toolContext: { scopes: ["web", "news"], roles: ["Admin"] } },
        `${denied} It requires "admin" in toolContext.roles. The context has "Admin": write "admin" exactly.`,
      ],
      [[guarded], { toolContext: { scopes: ["web"], roles: ["admin"] } }, `${denied} It requires "news" in toolContext.scopes.`],
      [
        [guarded],
        { toolContext: { scopes: ["web", "news"], roles: "admin" as never } },
        `${denied} It requires "admin" in toolContext.roles. toolContext.roles must be an array of strings.`,
      ],
    ];
    for (const [tools, options, message] of expected) {
      const error = await run(tools, options);
      expect(error).toBeInstanceOf(ToolAuthorizationError);
      expect(error).toMatchObject({ message, toolName: "search" });
    }
  });

  it("is refused before its arguments are looked at, in seed 004's order", async () => {
    const strict = createTool({
      name: "strict",
      description: "S.",
      inputSchema: { type: "object", required: ["order"] },
      access: { roles: ["admin"] },
      execute: () => 1,
    });
    expect(await rejection(new ToolExecutor({ tools: [strict] }).run("strict", {}))).toBeInstanceOf(ToolAuthorizationError);
  });
});

describe("a model", () => {
  it("reads the name of no tool that its run doesn't allow, in no tool, message or error", async () => {
    const hidden = tool("wire_money", { access: { roles: ["boss"] } });
    const narrowed = tool("drop_table", { category: "delete" });
    const outer = tool("outer", { category: "read", dependsOn: ["wire_money", "drop_table"] }, async (_input, context) => {
      await context.call(hidden, {}).catch(() => undefined);
      return context.call(narrowed, {});
    });
    const script = new ScriptedModel([
      { toolCalls: [{ name: "outer", arguments: {} }] },
      { toolCalls: [{ name: "wire_mony", arguments: {} }] },
      "I can't.",
    ]);
    @model(script)
    @usesTools([outer, hidden, narrowed])
    class Clerk extends Agent {}
    const response = await Clerk.generate("Go", { toolContext: { roles: [] }, profile: { categories: ["read"] } });
    expect(response.outcome.reason).toBe("success");
    expect(script.requests).toHaveLength(3);
    expect(JSON.stringify(script.requests)).toContain("needs another tool");
    expect(JSON.stringify(script.requests)).not.toMatch(/wire_money|drop_table/);
  });
});

describe("a call that a person has decided about", () => {
  const gatedBy = (requiresConfirmation: ToolPolicy["requiresConfirmation"]) =>
    createTool({
      name: "gated",
      description: "Asks.",
      inputSchema: { type: "object", properties: { amount: { type: "number" } }, required: ["amount"] },
      requiresConfirmation,
      execute: ({ amount }) => amount,
    });

  it("is prepared without asking the tool's confirmation rule, and all else is checked", async () => {
    const rule = jest.fn(() => true);
    const gated = gatedBy(rule);
    const executor = new ToolExecutor({ tools: [gated] });
    const prepared = await executor.prepare({ id: "1", name: "gated", arguments: { amount: 5 } }, createRunScope(), { decided: true });
    expect(rule).not.toHaveBeenCalled();
    expect(prepared).toBeInstanceOf(PreparedCall);
    expect(await executor.execute(prepared as PreparedCall)).toMatchObject({ data: 5 });
    const faulty = await executor.prepare({ id: "1", name: "gated", arguments: {} }, createRunScope(), { decided: true });
    expect(faulty).toMatchObject({ errorType: "validation_error" });
  });

  it("runs by code, of an executor and of a registry's, if the options say so, and its own calls are still asked about", async () => {
    const gated = gatedBy(true);
    const outer = createTool({
      name: "outer",
      description: "Asks, and calls another that does.",
      inputSchema: { type: "object" },
      requiresConfirmation: true,
      dependsOn: ["gated"],
      execute: (_input, context) => context.call(gated, { amount: 5 }),
    });
    const tools = [gated, outer];
    const registry = createRegistry({ project: createWorkspace().addTool(gated).addTool(outer).build() });
    for (const executor of [new ToolExecutor({ tools }), registry.executor({ allowedTools: ["*"] })]) {
      expect(await executor.run("gated", { amount: 5 }, { decided: true })).toBe(5);
      expect(await rejection(executor.run("gated", { amount: 5 }, { decided: false }))).toBeInstanceOf(ToolInterrupt);
      expect(await rejection(executor.run("gated", {}, { decided: true }))).toBeInstanceOf(ToolInputValidationError);
      expect(await rejection(executor.run("outer", {}, { decided: true }))).toMatchObject({ name: "ToolInterrupt", toolName: "gated" });
    }
  });
});

describe("definitionHash", () => {
  const schema = (properties: object) => ({ type: "object", properties }) as const;
  const hashOf = (description: string, inputSchema: object, policy: Partial<ToolPolicy> = {}, name = "pay") =>
    definitionHash(createTool({ name, description, inputSchema: inputSchema as never, ...policy, execute: () => 1 }).definition);

  it("is the same for definitions that say the same, in another process and whatever the order of keys", () => {
    const one = hashOf("Pays.", schema({ a: { type: "string" }, b: { type: "number" } }));
    expect(one).toMatch(/^[0-9a-f]{64}$/);
    expect(hashOf("Pays.", { properties: { b: { type: "number" }, a: { type: "string" } }, type: "object" })).toBe(one);
  });

  it("changes with name, description, parameters and version, and not with the timeout", () => {
    const plain = hashOf("Pays.", schema({}));
    expect(hashOf("Pays.", schema({}), { timeout: 5 })).toBe(plain);
    const others = [
      hashOf("Pays twice.", schema({})),
      hashOf("Pays.", schema({ a: { type: "string" } })),
      hashOf("Pays.", schema({}), { version: "2" }),
      hashOf("Pays.", schema({}), {}, "pay_all"),
    ];
    expect(new Set([plain, ...others]).size).toBe(5);
  });
});
