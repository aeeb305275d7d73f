import { Agent, AgentDefinitionError, type AgentResponse, type AgentTools, model, toolSearch, usesTools } from "../../src/agent/index.js";
import { approve } from "../../src/confirmation/index.js";
import { ModelError, ScriptedModel, type ScriptedStep } from "../../src/models/index.js";
import { createRegistry, createWorkspace } from "../../src/registry/index.js";
import { MemoryConversationStore, MemoryStorage } from "../../src/storage/index.js";
import {
  type ApplicationContext,
  createTool,
  deferred,
  description,
  identifier,
  type ToolClass,
  type Toolbox,
} from "../../src/tool/index.js";
import type { ToolSearch } from "../../src/tool-search/index.js";
import { repeats } from "../support/repeats.js";

const toolNamed = (name: string, description: string, more: object = {}): ToolClass =>
  createTool({ name, description, inputSchema: { type: "object" }, execute: () => `${name} ran`, ...more });

const listOrders = toolNamed("list_orders", "Lists the orders of the user.");
const createIssue = toolNamed("create_issue", "Opens an issue.");
const closeIssue = toolNamed("close_issue", "Closes an issue.");
const deleteIssue = toolNamed("delete_issue", "Deletes an issue.", { access: { roles: ["admin"] } });
const github: Toolbox = { name: "github", tools: [createIssue, closeIssue, deleteIssue] };

const call = (name: string, args: Record<string, unknown> = {}) => ({ name, arguments: args });
const searching = (query = "create issue"): ScriptedStep => ({ toolCalls: [call("search_tools", { query })] });
const calling = (name: string): ScriptedStep => ({ toolCalls: [call(name)] });

function agentWith(steps: readonly ScriptedStep[], tools: AgentTools | ((context: ApplicationContext) => AgentTools), search?: ToolSearch) {
  const scripted = new ScriptedModel(steps);

  @model(scripted)
  @usesTools(tools as AgentTools)
  class DeskAgent extends Agent {}
  if (search !== undefined) toolSearch(search)(DeskAgent);
  return { scripted, agentClass: DeskAgent, agent: new DeskAgent() };
}

const offeredIn = ({ requests }: ScriptedModel): readonly (readonly string[])[] =>
  requests.map(({ tools }) => tools.map(({ name }) => name));
const callsOf = ({ steps }: AgentResponse) => steps.flatMap(({ toolCalls }) => toolCalls);
const lastText = ({ requests }: ScriptedModel): unknown => requests.at(-1)?.messages.at(-1)?.content;

describe("deferred tools of an agent", () => {
  it("are found by search_tools and called from the next step on", async () => {
    const { agent, scripted } = agentWith([searching(), calling("create_issue"), "Done."], [listOrders, deferred(github)]);
    const response = await agent.generate("Open an issue");
    expect(response.text).toBe("Done.");
    expect(offeredIn(scripted)).toEqual([
      ["list_orders", "search_tools"],
      ["list_orders", "search_tools", "create_issue", "close_issue"],
      ["list_orders", "search_tools", "create_issue", "close_issue"],
    ]);
    expect(callsOf(response).map(({ name, content }) => [name, content])).toEqual([
      [
        "search_tools",
        JSON.stringify({
          tools: [
            { name: "create_issue", description: "Opens an issue." },
            { name: "close_issue", description: "Closes an issue." },
          ],
        }),
      ],
      ["create_issue", "create_issue ran"],
    ]);
  });

  it("leave an agent without any as it is", async () => {
    const { agent, scripted } = agentWith(["Done."], [listOrders]);
    await agent.generate("Hello");
    expect(offeredIn(scripted)).toEqual([["list_orders"]]);
  });

  it("can't be called before they are found, and aren't named", async () => {
    const { agent, scripted } = agentWith([calling("create_issue"), calling("no_such_tool"), "Sorry."], [listOrders, deferred(github)]);
    const response = await agent.generate("Open an issue");
    expect(callsOf(response).map(({ content }) => content)).toEqual([
      expect.stringContaining("Unknown tool 'create_issue'. Available tools: list_orders, search_tools."),
      expect.stringContaining("Unknown tool 'no_such_tool'. Available tools: list_orders, search_tools."),
    ]);
    expect(offeredIn(scripted)[2]).toEqual(["list_orders", "search_tools"]);
  });

  it("can't be called in the step of the search", async () => {
    const both: ScriptedStep = { toolCalls: [call("search_tools", { query: "create issue" }), call("create_issue")] };
    const { agent } = agentWith([both, "Done."], [deferred(github)]);
    const response = await agent.generate("Open an issue");
    expect(callsOf(response)[1]?.errorType).toBe("unknown_tool");
  });

  it("stay found in later turns, and in a conversation that is loaded elsewhere", async () => {
    const store = new MemoryConversationStore();
    const { agent, agentClass, scripted } = agentWith([searching(), "Found.", "Hm.", calling("create_issue"), "Done."], [deferred(github)]);
    await agent.generate("Is there a tool for issues?");
    await agent.generate("Good.");
    expect(offeredIn(scripted)[2]).toEqual(["search_tools", "create_issue", "close_issue"]);
    await agent.save(store, "one");
    const loaded = await new agentClass().load(store, "one");
    const response = await loaded.generate("Open one");
    expect(callsOf(response)[0]?.content).toBe("create_issue ran");
  });

  it("stay found for a run that waits for a person and goes on in another process", async () => {
    const pay = toolNamed("pay_invoice", "Pays an invoice.", { requiresConfirmation: true });
    const steps = [searching("pay invoice"), calling("pay_invoice"), calling("pay_invoice"), "Paid."];
    const { agent, agentClass, scripted } = agentWith(steps, [deferred(pay)]);
    const { state } = await agent.generate("Pay");
    const stored = JSON.parse(JSON.stringify(state));
    const other = new agentClass().restore([
      { role: "user", content: "Another conversation" },
      { role: "assistant", content: "Yes?" },
    ]);
    const [confirmation] = await import("../../src/loop/index.js").then(({ openConfirmations }) => openConfirmations(stored));
    const response = await other.resume(stored, { decisions: [approve(confirmation?.callId ?? "")] });
    expect(callsOf(response).at(-1)?.content).toBe("pay_invoice ran");
    expect(response.reason).toBe("awaiting_confirmation");
    expect(offeredIn(scripted)[2]).toEqual(["search_tools", "pay_invoice"]);
  });

  it("stay found for a recorded run that another process carries on, and stream their calls", async () => {
    const storage = new MemoryStorage();
    const down: ScriptedStep = { error: new ModelError("test/model", "Overloaded.", { retryable: false }) };
    const { agent, agentClass } = agentWith([searching(), down, calling("create_issue"), "Done."], [listOrders, deferred(github)]);
    expect((await agent.generate("Open an issue", { journal: storage, runId: "run" })).reason).toBe("model_error");
    const stream = new agentClass().resumeStream("run", { journal: storage });
    const results: unknown[] = [];
    for await (const event of stream) if (event.type === "tool_result") results.push([event.tool, event.content]);
    expect(results).toEqual([["create_issue", "create_issue ran"]]);
    expect((await stream.response).text).toBe("Done.");
  });

  it("are found by sub-agents among their own tools", async () => {
    const { agentClass: Helper, scripted } = agentWith([searching(), calling("create_issue"), "Opened."], [deferred(github)]);
    identifier("helper")(Helper);
    description("Helps with issues. Use when something is broken.")(Helper);
    const { agent } = agentWith([{ toolCalls: [call("helper", { prompt: "Open an issue" })] }, "Done."], [Helper]);
    expect(callsOf(await agent.generate("Help"))[0]?.content).toBe("Opened.");
    expect(offeredIn(scripted)[1]).toEqual(["search_tools", "create_issue", "close_issue"]);
  });

  it("that the user may not use are neither found nor named", async () => {
    const { agent, scripted } = agentWith([searching("delete issue"), calling("delete_issue"), "Sorry."], [deferred(github)]);
    await agent.generate("Delete it", { toolContext: { roles: ["support"] } });
    expect(JSON.stringify(scripted.requests)).not.toContain("Deletes an issue");
    expect(lastText(scripted)).toContain("Unknown tool 'delete_issue'. Available tools: create_issue, close_issue, search_tools.");
    const admin = agentWith([searching("delete issue"), calling("delete_issue"), "Done."], [deferred(github)]);
    const response = await admin.agent.generate("Delete it", { toolContext: { roles: ["admin"] } });
    expect(callsOf(response)[1]?.content).toBe("delete_issue ran");
  });

  it("that the user lost since they were found are rejected by name", async () => {
    const steps = [searching("delete issue"), "Found.", calling("delete_issue"), "Sorry."];
    const { agent, scripted } = agentWith(steps, [deferred(github)]);
    await agent.generate("Delete it", { toolContext: { roles: ["admin"] } });
    const response = await agent.generate("Now", { toolContext: { roles: [] } });
    expect(offeredIn(scripted)[2]).toEqual(["search_tools", "create_issue", "close_issue"]);
    expect(callsOf(response)[0]).toMatchObject({ errorType: "unknown_tool" });
  });

  it("are offered again without a search once the user has the role again", async () => {
    const steps = [searching("delete issue"), "Found.", "Lost.", calling("delete_issue"), "Done."];
    const { agent, scripted } = agentWith(steps, [deferred(github)]);
    await agent.generate("Delete it", { toolContext: { roles: ["admin"] } });
    await agent.generate("Wait", { toolContext: { roles: [] } });
    await agent.generate("Now", { toolContext: { roles: ["admin"] } });
    expect(offeredIn(scripted).map((names) => names.includes("delete_issue"))).toEqual([false, true, false, true, true]);
    expect(lastText(scripted)).toBe("delete_issue ran");
  });

  it("that the user loses during a run aren't found any more", async () => {
    const roles = ["admin"];
    const losing: ScriptedStep = () => {
      roles.length = 0;
      return searching("delete issue") as { toolCalls: [] };
    };
    const { agent, scripted } = agentWith([losing, "Sorry."], [deferred(github)]);
    await agent.generate("Delete it", { toolContext: { roles } });
    expect(lastText(scripted)).not.toContain("delete_issue");
  });

  it("follow a resolver", async () => {
    const tools = (context: ApplicationContext) => [listOrders, ...(context.userId === undefined ? [] : [deferred(github)])];
    const { agent, scripted } = agentWith(["Hi.", searching(), calling("create_issue"), "Done."], tools);
    await agent.generate("Hello");
    await agent.generate("Open an issue", { toolContext: { userId: "42" } });
    expect(offeredIn(scripted).slice(0, 2)).toEqual([["list_orders"], ["list_orders", "search_tools"]]);
    expect(lastText(scripted)).toBe("create_issue ran");
  });

  it.each([
    [{ allowedTools: ["create_issue"] }, ["create_issue"]],
    [{ tags: ["none"] }, []],
    [{ categories: ["read" as const] }, []],
  ])("are searched within the profile %j", async (profile, found) => {
    const { agent, scripted } = agentWith([searching("issue"), "Done."], [deferred(github), deferred(listOrders)]);
    await agent.generate("Go", { profile });
    if (found.length === 0) expect(offeredIn(scripted)[0]).toEqual([]);
    else expect(JSON.parse(String(lastText(scripted))).tools.map(({ name }: { name: string }) => name)).toEqual(found);
  });

  it("aren't there in steps that prepareStep limits to others", async () => {
    const { agent, agentClass } = agentWith([searching(), "Done."], [listOrders, deferred(github)]);
    Object.assign(agentClass.prototype, { prepareStep: () => ({ tools: [listOrders] }) });
    const response = await agent.generate("Go");
    expect(callsOf(response)[0]?.content).toContain("Unknown tool 'search_tools'. Available tools: list_orders.");
  });

  it("are offered if toolChoice names one", async () => {
    const { agent, scripted } = agentWith([calling("create_issue"), "Done."], [deferred(github)]);
    await agent.generate("Go", { toolChoice: { tool: createIssue } });
    expect(offeredIn(scripted)[0]).toEqual(["search_tools", "create_issue"]);
    expect(lastText(scripted)).toBe("create_issue ran");
  });

  it("stay found if toolChoice named one, also without a search", async () => {
    const { agent, scripted } = agentWith([calling("create_issue"), "Done.", "Yes?"], [deferred(github)]);
    await agent.generate("Go", { toolChoice: { tool: createIssue } });
    await agent.generate("And now?");
    expect(offeredIn(scripted)[2]).toEqual(["search_tools", "create_issue"]);
  });

  it("cost no bytes of a request until they are found, however many there are", async () => {
    const bytes = async (count: number): Promise<number> => {
      const tools = Array.from({ length: count }, (_, index) => toolNamed(`tool_${index}`, `Does thing ${index}. `.repeat(20)));
      const { agent, scripted } = agentWith(["Hi."], [listOrders, deferred({ name: "many", tools })]);
      await agent.generate("Hello");
      expect(agent.prefix?.tools).toHaveLength(2);
      return JSON.stringify(scripted.requests).length;
    };
    const one = await bytes(1);
    expect([await bytes(300), await bytes(5_000)]).toEqual([one, one]);
  });

  it(`are found among the ${repeats(50_000)} of a registry`, async () => {
    const workspace = createWorkspace().toolbox("billing");
    for (let number = 0; number < repeats(50_000); number += 1)
      workspace.addTool(toolNamed(`export_${number}`, `Exports the report ${number}.`));
    const registry = createRegistry({ project: workspace.toolbox("desk").addTool(closeIssue).build() });
    const tools = registry.select({ allowedTools: ["billing/*", "desk/*"] });
    const { agent, scripted } = agentWith([searching("close issue"), "Done."], [deferred({ name: "work", tools })]);
    expect((await agent.generate("Close it")).text).toBe("Done.");
    expect(offeredIn(scripted)[0]).toEqual(["search_tools"]);
    expect(offeredIn(scripted)[1]).toEqual(["search_tools", "desk_close_issue"]);
  }, 120_000);

  it("join the conversation as a change after the search, which its prefix keeps", async () => {
    const { agent } = agentWith([searching(), calling("create_issue"), "Done."], [listOrders, deferred(github)]);
    await agent.generate("Open an issue");
    expect(agent.prefix?.tools.map(({ name }) => name)).toEqual(["list_orders", "search_tools"]);
    expect(agent.prefix?.changes?.map(({ after, offered }) => [after, offered?.map(({ name }) => name)])).toEqual([
      [3, ["create_issue", "close_issue"]],
    ]);
  });

  it("can be called by code of other tools", async () => {
    const caller = createTool({
      name: "caller",
      description: "Calls.",
      inputSchema: { type: "object" },
      execute: (_input, context) => context.call(createIssue, {}),
    });
    const { agent, scripted } = agentWith([calling("caller"), "Done."], [caller, deferred(github)]);
    await agent.generate("Go");
    expect(lastText(scripted)).toBe("create_issue ran");
  });

  it("have the names of the wire in results", async () => {
    const named = toolNamed("billing/refund", "Refunds an order.");
    const { agent, scripted } = agentWith([searching("refund"), calling("billing_refund"), "Done."], [deferred(named)]);
    await agent.generate("Go");
    expect(offeredIn(scripted)[1]).toEqual(["search_tools", "billing_refund"]);
    expect(lastText(scripted)).toBe("billing/refund ran");
  });

  it("are described by their toolbox, if the user may use one of it", async () => {
    const admin = deferred({ name: "admin", tools: [deleteIssue] }, "What admins do");
    const { agent, scripted } = agentWith(["Hi.", "Hi."], [deferred({ name: "github", tools: [createIssue] }, "Issues on GitHub"), admin]);
    await agent.generate("Hello");
    await agent.generate("Hello", { toolContext: { roles: ["admin"] } });
    const [user, superUser] = scripted.requests.map(({ tools }) => tools[0]?.description);
    expect(user).toMatch(/\nIt knows, among others:\n- github: Issues on GitHub$/);
    expect(superUser).toMatch(/- github: Issues on GitHub\n- admin: What admins do$/);
  });

  it("need the name search_tools", () => {
    const taken = toolNamed("search_tools", "Finds hammers.");
    const { agentClass } = agentWith([], [taken, deferred(github)]);
    expect(() => agentClass.definition).toThrow(AgentDefinitionError);
    expect(() => agentClass.definition).toThrow(
      'DeskAgent: search_tools is named "search_tools", like the tool that finds deferred tools. Rename it with @identifier("...").',
    );
    expect(() => agentWith([], [taken]).agentClass.definition).not.toThrow();
  });
});

describe("@toolSearch", () => {
  it("replaces the search", async () => {
    const seen: unknown[] = [];
    const search: ToolSearch = async (query, tools, { userId }) => {
      seen.push(
        query,
        tools.map(({ name }) => name),
        userId,
      );
      return ["close_issue", "delete_issue", "list_orders", "close_issue"];
    };
    const { agent, scripted } = agentWith([searching("shut it"), "Done."], [listOrders, deferred(github)], search);
    await agent.generate("Go", { toolContext: { userId: "42" } });
    expect(seen).toEqual(["shut it", ["create_issue", "close_issue"], "42"]);
    expect(lastText(scripted)).toBe('{"tools":[{"name":"close_issue","description":"Closes an issue."}]}');
  });

  it("fails the search, and not the run, if the function does", async () => {
    const { agent, scripted } = agentWith([searching(), "Sorry."], [deferred(github)], () => {
      throw new Error("The index is down.");
    });
    expect((await agent.generate("Go")).text).toBe("Sorry.");
    expect(lastText(scripted)).toBe("Error executing tool: The index is down.");
  });

  it("must return names", async () => {
    const { agent, scripted } = agentWith([searching(), "Sorry."], [deferred(github)], (() => [createIssue]) as never);
    await agent.generate("Go");
    expect(lastText(scripted)).toContain("The function of @toolSearch must return a list of tool names, the best first, got ");
  });

  it("takes a function", () => {
    const { agentClass } = agentWith([], [], "keywords" as never);
    expect(() => agentClass.definition).toThrow("DeskAgent: @toolSearch takes a function, got ");
  });
});
