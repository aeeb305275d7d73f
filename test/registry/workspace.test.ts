import * as fc from "fast-check";
import { createRegistry, createWorkspace, type Workspace } from "../../src/registry/index.js";
import { createTool, type Toolbox, type ToolClass, ToolDefinitionError } from "../../src/tool/index.js";
import { fileToolbox } from "../../src/tools/index.js";

const tool = (name: string): ToolClass =>
  createTool({ name, description: `Does ${name}. Use when it is due.`, inputSchema: { type: "object" }, execute: () => name });

const contents = ({ toolboxes }: Workspace) => Object.fromEntries([...toolboxes].map(([name, tools]) => [name, [...tools.keys()]]));

describe("a workspace", () => {
  it("collects tools by toolbox, at the root if none was named", () => {
    const workspace = createWorkspace()
      .addTool(tool("clock"))
      .toolbox("science")
      .addTool(tool("telescope"))
      .addTool(tool("scale"))
      .toolbox("billing")
      .addTool(tool("refund"))
      .build();
    expect(contents(workspace)).toEqual({ "": ["clock"], science: ["telescope", "scale"], billing: ["refund"] });
  });

  it("takes whole toolboxes, and adds to one that was begun before", () => {
    const { name } = fileToolbox(".");
    const workspace = createWorkspace().toolbox("billing").addTool(tool("refund")).toolbox(fileToolbox(".")).toolbox("billing");
    expect(contents(workspace.addTool(tool("invoice")).build())).toEqual({
      billing: ["refund", "invoice"],
      [name]: ["read_file", "write_file", "list_directory"],
    });
  });

  it("lets the same tool stand in several toolboxes", () => {
    const clock = tool("clock");
    const workspace = createWorkspace().toolbox("a").addTool(clock).toolbox("b").addTool(clock).build();
    expect(createRegistry({ project: workspace }).names).toEqual(expect.arrayContaining(["a/clock", "b/clock"]));
  });

  it("is frozen, and doesn't change with the builder", () => {
    const builder = createWorkspace().toolbox("billing").addTool(tool("refund"));
    const workspace = builder.build();
    builder.addTool(tool("invoice"));
    expect(contents(workspace)).toEqual({ billing: ["refund"] });
    expect(Object.isFrozen(workspace)).toBe(true);
  });

  it("adds each tool to the toolbox that was named for it, also if two are filled in turn", () => {
    const builder = createWorkspace();
    const [science, billing] = [builder.toolbox("science"), builder.toolbox("billing")];
    science.addTool(tool("scale"));
    billing.addTool(tool("refund"));
    science.addTool(tool("telescope"));
    expect(contents(builder.build())).toEqual({ science: ["scale", "telescope"], billing: ["refund"] });
  });
});

describe("a workspace refuses", () => {
  const project = () => createWorkspace().toolbox("billing").addTool(tool("refund"));
  const refused = (attempt: () => unknown): string => {
    try {
      attempt();
    } catch (error) {
      expect(error).toBeInstanceOf(ToolDefinitionError);
      return (error as Error).message;
    }
    throw new Error("It was not refused.");
  };

  it.each<[string, () => unknown, string]>([
    [
      "a tool whose name has a slash, because full names are put together here",
      () => project().addTool(tool("shop/refund")),
      'the project\'s workspace, toolbox "billing": the name of shop/refund is "shop/refund", but may hold no slash, star or blank.',
    ],
    [
      "a tool whose name has a star, which means many tools in an allow-list",
      () => project().addTool(tool("re*")),
      'the name "re*" holds "*"',
    ],
    ["an empty toolbox name", () => createWorkspace().toolbox(""), 'the name of the toolbox "" is empty'],
    ["a toolbox name with an empty part", () => createWorkspace().toolbox("acme/"), 'the name of the toolbox "acme/" is empty'],
    ["a toolbox name of three parts", () => createWorkspace().toolbox("a/b/c"), 'the toolbox "a/b/c" has more parts'],
    ["a toolbox name with a blank", () => createWorkspace().toolbox("my tools"), 'is "my tools", but may hold no slash, star or blank'],
    [
      "a toolbox name that is none",
      () => createWorkspace().toolbox(undefined as never),
      "the name of the toolbox undefined is undefined. Give it one",
    ],
    ["an empty organisation", () => createWorkspace({ organisation: "" }), "createWorkspace: the name of the organisation is empty."],
    ["an organisation with a slash", () => createWorkspace({ organisation: "acme/eu" }), 'the name of the organisation is "acme/eu"'],
    [
      "a toolbox of an organisation that names the organisation again",
      () => createWorkspace({ organisation: "acme" }).toolbox("acme/billing"),
      'the toolbox "acme/billing" names an organisation, but all of this workspace belongs to "acme". Name it "billing".',
    ],
    [
      "a second tool of one name",
      () => project().addTool(Object.defineProperty(tool("refund"), "name", { value: "RefundTool" })),
      'the project\'s workspace, toolbox "billing": refund and RefundTool are both named "refund". Leave one out, rename it',
    ],
    [
      "a tool that is no class",
      () => project().addTool(new (tool("x"))() as never),
      "takes a tool class, got an instance of x. Give the class itself",
    ],
    [
      "a class that is no tool",
      () => project().addTool(class Weather {} as never),
      'toolbox "billing": takes a tool class, got Weather, which doesn\'t extend Tool',
    ],
    [
      "a tool that is undefined",
      () => project().addTool(undefined as never),
      "takes a tool class, got undefined, as happens if files import each other.",
    ],
  ])("%s", (_what, attempt, message) => {
    expect(refused(attempt)).toContain(message);
  });

  it("a toolbox of which one tool is wrong, and takes none of it", () => {
    const builder = project();
    const wrong: Toolbox = { name: "billing", tools: [tool("invoice"), tool("charge"), tool("refund")] };
    expect(refused(() => builder.toolbox(wrong))).toContain("refund");
    expect(contents(builder.build())).toEqual({ billing: ["refund"] });
    expect(refused(() => createWorkspace().toolbox({ name: "new", tools: [tool("a"), tool("a")] }))).toContain('both named "a"');
  });

  it("a class twice, saying so", () => {
    const refund = tool("refund");
    expect(refused(() => createWorkspace().addTool(refund).addTool(refund))).toContain("root: refund is added twice.");
  });
});

it("puts any simple names together to full names, and finds every tool by its full name", () => {
  const part = fc.stringMatching(/^[A-Za-z0-9_.-]{1,20}$/);
  const toolNames = fc.uniqueArray(part, { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(part, fc.uniqueArray(part, { minLength: 1, maxLength: 3 }), toolNames, (organisation, namespaces, names) => {
      const builder = createWorkspace({ organisation });
      for (const namespace of namespaces) for (const name of names) builder.toolbox(namespace).addTool(tool(name));
      const registry = createRegistry({ internal: { name: "none", tools: [] }, organisation: builder.build() });
      expect(registry.names).toEqual(namespaces.flatMap((namespace) => names.map((name) => `${organisation}/${namespace}/${name}`)));
      for (const name of registry.names) expect(registry.tool(name).definition.name).toBe(name);
    }),
    { numRuns: 30 },
  );
});
