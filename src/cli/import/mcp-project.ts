import type { McpServerAddress } from "../../mcp/index.js";
import { mcpToolbox } from "../../mcp/index.js";
import type { ImportedProject } from "./imported-project.js";
import { literal } from "./literal.js";
import { camelCase, distinct, kebabCase, pascalCase } from "./names.js";
import { indexSource, obstacleTo, toolSource } from "./tool-source.js";

/** Connects to a server, and writes a class for each of its tools that passes its calls on. */
export async function mcpProject(name: string, address: McpServerAddress): Promise<ImportedProject> {
  const prefix = kebabCase(name).replaceAll("-", "_");
  const toolbox = await mcpToolbox(address, { prefix });
  try {
    return write(name, prefix, address, toolbox);
  } finally {
    await toolbox.close();
  }
}

type Connected = Awaited<ReturnType<typeof mcpToolbox>>;

function write(name: string, prefix: string, address: McpServerAddress, { tools, refused }: Connected): ImportedProject {
  const leftOut: { name: string; reason: string }[] = refused.map(({ tool, reason }) => ({ name: tool, reason }));
  const written = tools.filter(({ definition }) => {
    const reason = obstacleTo(definition.parametersSchema);
    if (reason !== undefined) leftOut.push({ name: definition.name, reason });
    return reason === undefined;
  });
  const names = written.map(({ definition }) => definition.name);
  const classNames = distinct(names, (text) => `${pascalCase(text)}Tool`);
  const fileNames = distinct(["index", "server", ...names], kebabCase).slice(2);
  const files = written.map(({ definition }, index) => ({
    file: fileNames[index] ?? "",
    className: classNames[index] ?? "",
    source: toolSource({
      name: definition.name,
      className: classNames[index] ?? "",
      description: definition.description,
      parametersSchema: definition.parametersSchema,
      base: "Tool",
      decorators: [],
      body: `  call(context: ToolContext): Promise<unknown> {\n    return callServer(${JSON.stringify(definition.name)}, { ...this }, context);\n  }`,
      imports: ['import { callServer } from "./server.js";'],
      names: ["Tool", "type ToolContext"],
    }),
  }));
  return {
    name,
    files: {
      "server.ts": serverSource(prefix, address),
      ...Object.fromEntries(files.map(({ file, source }) => [`${file}.ts`, source])),
      "index.ts": indexSource(kebabCase(name), camelCase(name), files),
    },
    tools: names,
    variables: [],
    leftOut,
  };
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
