import { definitionHash, ToolExecutor } from "../../src/execution/index.js";
import { createRegistry, createWorkspace } from "../../src/registry/index.js";
import { createTool, deferred, description, required, Tool, type ToolClass, type Toolbox, tool } from "../../src/tool/index.js";
import { openToolList } from "../../src/tool/internal.js";
import { standardToolbox } from "../../src/tools/index.js";

@deferred()
@description("Creates an issue. Use when something is broken.")
class CreateIssueTool extends Tool {
  @required(String, "The title") title!: string;
  call() {
    return `Created ${this.title}.`;
  }
}

@description("Lists the issues. Use when the user asks what is open.")
class ListIssuesTool extends Tool {
  call() {
    return "None.";
  }
}

const github: Toolbox = { name: "github", tools: [ListIssuesTool] };
const flagsIn = (tools: unknown): readonly (boolean | undefined)[] =>
  openToolList(tools, "Test").map(({ definition }) => definition.deferred);

describe("@deferred", () => {
  it("marks the definition, which has no such member otherwise", () => {
    expect(CreateIssueTool.definition.deferred).toBe(true);
    expect("deferred" in ListIssuesTool.definition).toBe(false);
  });

  it("holds for subclasses, until one says otherwise", () => {
    class CreateBugTool extends CreateIssueTool {}
    @tool({ deferred: false })
    class CreateTaskTool extends CreateIssueTool {}
    expect(CreateBugTool.definition.deferred).toBe(true);
    expect("deferred" in CreateTaskTool.definition).toBe(false);
  });

  it("is an option of @tool and createTool", () => {
    const made = createTool({ name: "a", description: "For tests.", inputSchema: { type: "object" }, deferred: true, execute: () => 1 });
    expect(made.definition.deferred).toBe(true);
  });

  it("rejects a value that is no boolean", () => {
    @tool({ deferred: "yes" as never })
    class WrongTool extends ListIssuesTool {}
    expect(() => WrongTool.definition).toThrow('WrongTool: deferred must be a boolean, got "yes".');
  });

  it("asks for its parentheses", () => {
    const context = { kind: "class", name: "X", metadata: {} };
    expect(() => (deferred as (target: unknown, context: unknown) => unknown)(ListIssuesTool, context)).toThrow(
      "@deferred got the class itself: write parentheses behind it, @deferred().",
    );
  });
});

describe("deferred(...)", () => {
  it("defers a tool in one list, and leaves its class as it is", () => {
    const later = deferred(ListIssuesTool);
    expect(later.definition).toEqual({ ...ListIssuesTool.definition, deferred: true });
    expect(ListIssuesTool.definition.deferred).toBeUndefined();
    expect(deferred(ListIssuesTool)).toBe(later);
    expect(deferred(CreateIssueTool)).toBe(CreateIssueTool);
  });

  it("keeps approvals of the tool valid", () => {
    expect(definitionHash(deferred(ListIssuesTool).definition)).toBe(definitionHash(ListIssuesTool.definition));
  });

  it("defers the tools of a toolbox, as they are when they are used", () => {
    const tools: ToolClass[] = [ListIssuesTool];
    const toolbox = deferred({ name: "server", tools });
    expect(flagsIn([toolbox])).toEqual([true]);
    tools.push(CreateIssueTool);
    expect(flagsIn(toolbox)).toEqual([true, true]);
    expect(openToolList([toolbox], "Test")).toEqual(openToolList([toolbox], "Test"));
  });

  it("calls run by code, by the author's class too", async () => {
    const executor = new ToolExecutor({ tools: [deferred(ListIssuesTool)] });
    expect(await executor.run(ListIssuesTool, {})).toBe("None.");
    expect(await executor.run("list_issues_tool", {})).toBe("None.");
  });

  it("holds in a registry and in standardToolbox", () => {
    const project = createWorkspace().toolbox(deferred(github)).addTool(deferred(CreateIssueTool)).build();
    const registry = createRegistry({ internal: deferred({ name: "own", tools: [ListIssuesTool] }), project });
    expect(registry.select("*").map(({ definition }) => [definition.name, definition.deferred])).toEqual([
      ["list_issues_tool", true],
      ["github/list_issues_tool", true],
      ["github/create_issue_tool", true],
    ]);
    expect(flagsIn(standardToolbox(deferred(github)))).toEqual([undefined, true]);
  });

  it.each([
    ["two lines", "One.\nTwo."],
    ["an empty line", " "],
    ["a long text", "x".repeat(301)],
    ["a number", 5],
  ])("rejects %s as the description of a toolbox", (_what, line) => {
    expect(() => deferred(github, line as string)).toThrow(
      'deferred("github"): the description of a toolbox is one line of at most 300 characters that says what its tools are for, got ',
    );
  });

  it("rejects what is neither a tool nor a toolbox", () => {
    expect(() => deferred(undefined as never)).toThrow("deferred: takes a tool class, got undefined");
    expect(() => openToolList([{ ...github, deferred: "yes" }], "Test")).toThrow(
      'Test, toolbox "github": deferred of a toolbox is true or left out, got "yes".',
    );
  });
});
