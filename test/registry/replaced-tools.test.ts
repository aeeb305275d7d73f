import { Agent, model, usesTools } from "../../src/agent/index.js";
import { type ExecutionProfile, ToolExecutor } from "../../src/execution/index.js";
import { createRegistry, createWorkspace, type ToolRegistry } from "../../src/registry/index.js";
import { ScriptedModel, stubTool, withStubs } from "../../src/testing/index.js";
import {
  category,
  dependsOn,
  description,
  identifier,
  required,
  Tool,
  ToolAuthorizationError,
  type ToolClass,
  type ToolContext,
} from "../../src/tool/index.js";
import { noTools, tool } from "./support.js";

@identifier("get_ticket")
@description("Gets a ticket. Use when the user names one.")
@category("read")
class GetTicketTool extends Tool {
  @required(String) ticket!: string;

  call(): string {
    return `${this.ticket} of the organisation`;
  }
}

@identifier("close_ticket")
@description("Closes a ticket. Use when it is solved.")
@dependsOn("get_ticket")
class CloseTicketTool extends Tool {
  async call({ call }: ToolContext) {
    return `closed ${await call(GetTicketTool, { ticket: "T-1" })}`;
  }
}

/** The same without a declared dependency: the tool that it calls must be attached beside it. */
@identifier("drop_ticket")
@dependsOn()
class DropTicketTool extends CloseTicketTool {}

@identifier("get_ticket")
@description("Gets a ticket of Jira. Use when the user names one.")
@category("read")
class JiraTicketTool extends Tool {
  @required(String) ticket!: string;

  call() {
    return `${this.ticket} of Jira`;
  }
}

const organisation = createWorkspace({ organisation: "acme" })
  .toolbox("tickets")
  .addTool(GetTicketTool)
  .addTool(CloseTicketTool)
  .addTool(DropTicketTool)
  .build();

/** A registry whose project puts the tool in the place of the organisation's get_ticket. */
function replacedBy(replacement: ToolClass): ToolRegistry {
  const project = createWorkspace().toolbox("acme/tickets").addTool(replacement).build();
  const emitWarning = jest.spyOn(process, "emitWarning").mockImplementation(() => undefined);
  const registry = createRegistry({ internal: noTools, organisation, project });
  emitWarning.mockRestore();
  return registry;
}

const plain = createRegistry({ internal: noTools, organisation });
const replaced = replacedBy(JiraTicketTool);
const all: ExecutionProfile = { allowedTools: ["acme/tickets/*"] };

/** What the model reads of a call that it makes. */
async function inAgent(tools: readonly ToolClass[], name: string, profile?: ExecutionProfile): Promise<unknown> {
  @model(new ScriptedModel([{ toolCalls: [{ name }] }, ({ messages }) => String(messages.at(-1)?.content)]))
  @usesTools(tools)
  class Desk extends Agent {}
  return (await Desk.generate("Go", profile && { profile })).text;
}

describe("a tool of the organisation that calls one which the project replaces", () => {
  it("reaches the project's, by the executor of the registry", async () => {
    expect(await replaced.executor(all).run("close_ticket", {})).toBe("closed T-1 of Jira");
    expect(await replaced.executor(all).run("drop_ticket", {})).toBe("closed T-1 of Jira");
    expect(await plain.executor(all).run("close_ticket", {})).toBe("closed T-1 of the organisation");
  });

  it.each<[string, string[], ExecutionProfile | undefined]>([
    ["beside it", ["acme/tickets/*"], undefined],
    ["beside it, within a profile", ["acme/tickets/*"], all],
    ["by @dependsOn alone", ["close_ticket"], undefined],
    ["by @dependsOn alone, within a profile of full names", ["close_ticket"], all],
  ])("reaches the project's in an agent that has it %s", async (_how, selection, profile) => {
    expect(await inAgent(replaced.select(selection), "acme_tickets_close_ticket", profile)).toBe("closed T-1 of Jira");
    expect(await inAgent(plain.select(selection), "acme_tickets_close_ticket", profile)).toBe("closed T-1 of the organisation");
  });

  it("reaches it without declaring it, if it is attached", async () => {
    expect(await inAgent(replaced.select("*"), "acme_tickets_drop_ticket")).toBe("closed T-1 of Jira");
    expect(await inAgent(replaced.select("drop_ticket"), "acme_tickets_drop_ticket")).toContain(
      "needs another tool that isn't allowed here",
    );
  });

  it("gets an error with the tool's full name if the profile doesn't allow the call", async () => {
    for (const registry of [plain, replaced]) {
      const error = await registry
        .executor({ allowedTools: ["acme/tickets/close_ticket"] })
        .run("close_ticket", {})
        .catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ToolAuthorizationError);
      expect(error).toMatchObject({
        message: "Tool 'acme/tickets/close_ticket' needs another tool that isn't allowed here.",
        cause: {
          message:
            "Tool 'acme/tickets/close_ticket' may not call 'get_ticket'. Permission denied for tool: acme/tickets/get_ticket. " +
            "The profile of the run doesn't allow it.",
        },
      });
    }
  });

  it("reaches it at the root too, if full names are simple ones", async () => {
    const root = createWorkspace({ organisation: "acme" }).addTool(GetTicketTool).addTool(CloseTicketTool).build();
    const emitWarning = jest.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    const registry = createRegistry({ internal: noTools, organisation: root, project: createWorkspace().addTool(JiraTicketTool).build() });
    emitWarning.mockRestore();
    expect(await registry.executor({ allowedTools: ["*"] }).run("close_ticket", {})).toBe("closed T-1 of Jira");
    expect(await inAgent(registry.select("close_ticket"), "close_ticket")).toBe("closed T-1 of Jira");
  });
});

describe("code that calls a class which the project replaces", () => {
  it("reaches the project's tool, under whose tags and category the profile is asked", async () => {
    expect(await replaced.executor(all).run(GetTicketTool, { ticket: "T-1" })).toBe("T-1 of Jira");
    expect(await replaced.executor(all).run(JiraTicketTool, { ticket: "T-1" })).toBe("T-1 of Jira");
    expect(await new ToolExecutor({ tools: replaced.select("*") }).run(GetTicketTool, { ticket: "T-1" })).toBe("T-1 of Jira");
    const writing = replacedBy(tool("get_ticket", { category: "write" }));
    await expect(writing.executor({ ...all, categories: ["read"] }).run(GetTicketTool, { ticket: "T-1" })).rejects.toThrow(
      "Permission denied for tool: acme/tickets/get_ticket",
    );
  });

  it("is itself the project's tool, which calls the one that it replaces", async () => {
    const cached = tool("get_ticket", { dependsOn: ["get_ticket"] }, async (_input, { call }) => {
      return `cached ${await call(GetTicketTool, { ticket: "T-1" })}`;
    });
    const registry = replacedBy(cached);
    expect(await registry.executor(all).run("get_ticket", { ticket: "T-1" })).toBe("cached T-1 of the organisation");
    expect(await registry.executor(all).run("close_ticket", {})).toBe("closed cached T-1 of the organisation");
    expect(await inAgent(registry.select("close_ticket"), "acme_tickets_close_ticket", all)).toBe("closed cached T-1 of the organisation");
  });
});

describe("a stub", () => {
  const stubbed = (registry: ToolRegistry, stubs: Parameters<typeof withStubs>[0]) =>
    registry.executor(all, { container: withStubs(stubs) }).run("close_ticket", {});

  it("stands for the class that it names, not for what has taken its place", async () => {
    const stub = stubTool(GetTicketTool, () => "stub");
    expect(await stubbed(plain, [stub])).toBe("closed stub");
    expect(await stubbed(replaced, [stub])).toBe("closed T-1 of Jira");
    expect(await stubbed(replaced, [stubTool(JiraTicketTool, () => "stub")])).toBe("closed stub");
  });

  it("of a registry's tool stands for it in every registry that has it under this name", async () => {
    const stub = stubTool(replaced.tool("get_ticket"), () => "stub");
    expect(await stubbed(replaced, [stub])).toBe("closed stub");
    expect(await stubbed(replacedBy(JiraTicketTool), [stub])).toBe("closed stub");
    expect(await stubbed(plain, [stub])).toBe("closed T-1 of the organisation");
  });
});

describe("a tool that declares another by its full name", () => {
  const target = tool("refund");
  const caller = (declared: string) => tool("close_order", { dependsOn: [declared] }, (_input, { call }) => call(target, {}));
  const inRegistry = (declared: string) =>
    createRegistry({
      internal: noTools,
      organisation: createWorkspace({ organisation: "acme" })
        .toolbox({ name: "billing", tools: [target, caller(declared)] })
        .build(),
    });
  const alone = (declared: string) => inAgent(inRegistry(declared).select("acme/billing/close_order"), "acme_billing_close_order");

  it("may call it if it isn't attached", async () => {
    expect(await alone("acme/billing/refund")).toBe("refund");
    expect(await alone("refund")).toBe("refund");
  });

  it("may not call one of another full name", async () => {
    expect(await alone("acme/other/refund")).toContain("needs another tool that isn't allowed here");
  });

  it("may call it by the registry's class", async () => {
    const registry = createRegistry({
      internal: noTools,
      project: createWorkspace()
        .toolbox({ name: "billing", tools: [target] })
        .build(),
    });
    const byClass = tool("close_order", { dependsOn: ["billing/refund"] }, (_input, { call }) => call(registry.tool("refund"), {}));
    expect(await inAgent([byClass], "close_order")).toBe("refund");
  });
});
