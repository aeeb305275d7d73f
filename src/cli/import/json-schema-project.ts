import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { acceptSchema, type JsonSchema } from "../../schema/index.js";
import { isRecord } from "../../schema/internal.js";
import { UsageError } from "../exit-codes.js";
import { classProject, type ImportedProject, sortOut } from "./class-project.js";
import { kebabCase } from "./names.js";
import { obstacleTo } from "./tool-source.js";

interface DescribedTool {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonSchema;
}

/** Writes a class for each tool of a file: definitions as providers and `toolwright schema` write them, or schemas alone. */
export function jsonSchemaProject(file: string): ImportedProject {
  const name = basename(file).replace(/(\.schema)?\.json$/i, "");
  const given = readJson(file);
  const list = Array.isArray(given) ? given : isRecord(given) && Array.isArray(given.tools) ? given.tools : [given];
  const read = list.map((entry: unknown, index) => describedTool(entry, list.length === 1 ? name : `tool ${index + 1}`, file));
  const { written, leftOut } = sortOut(read, ({ schema }) => obstacleTo(schema));
  return classProject({
    name,
    toolbox: kebabCase(name),
    tools: written,
    write: (tool, className) => ({
      name: tool.name,
      className,
      description: tool.description,
      parametersSchema: tool.schema,
      base: "Tool",
      decorators: [],
      body: `  call(): unknown {\n    throw new Error(${JSON.stringify(`${tool.name} isn't written yet.`)});\n  }`,
      imports: [],
      names: ["Tool"],
    }),
    leftOut,
  });
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new UsageError(`${file} can't be read as JSON: ${(error as Error).message}`);
  }
}

/** The members by which providers, MCP and this package name a tool's schema. */
const schemaNames = ["parametersSchema", "inputSchema", "input_schema", "parameters", "inputJsonSchema"];

function describedTool(entry: unknown, fallback: string, file: string): DescribedTool {
  const tool =
    isRecord(entry) && isRecord(entry.function) ? entry.function : isRecord(entry) && isRecord(entry.toolSpec) ? entry.toolSpec : entry;
  if (!isRecord(tool))
    throw new UsageError(`${file}: ${fallback} must be an object: a tool with a name, a description and a schema, or a schema.`);
  const key = schemaNames.find((name) => isRecord(tool[name]));
  const given = key === undefined ? tool : (tool[key] as Record<string, unknown>);
  // Bedrock has one object more.
  const schema = acceptSchema(isRecord(given.json) && key !== undefined ? given.json : given, { owner: `${file}: ${fallback}` });
  const { title, description } = schema as { readonly title?: unknown; readonly description?: unknown };
  const name = [tool.name, title, fallback].find((text): text is string => typeof text === "string" && text !== "") ?? fallback;
  const text = [tool.description, description].find((one): one is string => typeof one === "string" && one !== "");
  return {
    name: name
      .trim()
      .replace(/[^\w/-]+/g, "_")
      .slice(0, 64),
    description: text ?? `Does what ${name} says. Write here what it does, and when to use it.`,
    schema,
  };
}
