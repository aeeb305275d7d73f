import type { McpServerAddress } from "../../mcp/index.js";
import { mcpToolbox } from "../../mcp/index.js";
import { UsageError } from "../exit-codes.js";
import { classProject, type ImportedProject, sortOut } from "./class-project.js";
import { literal } from "./literal.js";
import { kebabCase } from "./names.js";
import { obstacleTo } from "./tool-source.js";

/** Connects to a server, and writes a class for each of its tools that passes its calls on. */
export async function mcpProject(name: string, address: McpServerAddress): Promise<ImportedProject> {
  const prefix = kebabCase(name).replaceAll("-", "_");
  if (!/^[a-z]\w{0,31}$/.test(prefix)) {
    throw new UsageError(
      `import mcp: the server can't be called "${name}" in code. Name it, with a letter and up to 31 more letters or digits: --name files.`,
    );
  }
  const toolbox = await mcpToolbox(address, { prefix });
  try {
    return write(name, prefix, address, toolbox);
  } finally {
    await toolbox.close();
  }
}

type Connected = Awaited<ReturnType<typeof mcpToolbox>>;

function write(name: string, prefix: string, address: McpServerAddress, { tools, refused }: Connected): ImportedProject {
  const { written, leftOut } = sortOut(
    tools.map(({ definition }) => definition),
    ({ parametersSchema }) => obstacleTo(parametersSchema),
  );
  return classProject({
    name,
    toolbox: kebabCase(name),
    tools: written,
    write: (tool, className) => ({
      name: tool.name,
      className,
      description: tool.description,
      parametersSchema: tool.parametersSchema,
      base: "Tool",
      decorators: [],
      body: `  call(context: ToolContext): Promise<unknown> {\n    return callServer(${JSON.stringify(tool.name)}, { ...this }, context);\n  }`,
      imports: ['import { callServer } from "./server.js";'],
      names: ["Tool", "type ToolContext"],
    }),
    leftOut: [...refused.map(({ tool, reason }) => ({ name: tool, reason })), ...leftOut],
    files: { "server.ts": serverSource(prefix, address) },
  });
}

const serverSource = (prefix: string, address: McpServerAddress): string => `import type { ToolContext } from "toolwright";
import { ToolExecutor } from "toolwright/execution";
import { mcpToolbox } from "toolwright/mcp";

const address = ${literal(address)};

let connected: ReturnType<typeof mcpToolbox> | undefined;

/** Calls a tool of the server. The first call connects to it. */
export async function callServer(tool: string, input: object, { abortSignal }: ToolContext): Promise<unknown> {
  connected ??= mcpToolbox(address, { prefix: ${JSON.stringify(prefix)} });
  const { tools } = await connected;
  // Fields that the model left out aren't arguments.
  const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  return new ToolExecutor({ tools }).run(tool, given, { abortSignal });
}

/** Stops the server. */
export async function closeServer(): Promise<void> {
  await (await connected)?.close();
  connected = undefined;
}
`;
