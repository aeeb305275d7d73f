import { acceptSchema } from "../../../src/schema/index.js";
import { badReferences, isSchema, otherKeywords, type Schema, walk } from "./schema-walk.js";

const name = /^[a-zA-Z0-9_-]{1,64}$/;
const propertyName = /^[a-zA-Z0-9_.-]{1,64}$/;

/** What the SDK's own `transformJSONSchema` keeps of a strict schema. */
const strictKeywords: ReadonlySet<string> = new Set([
  ...["$ref", "$defs", "anyOf", "allOf", "type", "description", "title", "properties", "additionalProperties", "required", "items"],
  ...["enum", "const", "format", "minItems"],
]);

/** Why Anthropic refuses a tool: a schema must be one of 2020-12. */
export function anthropicFaults(tool: { name: string; input_schema: Schema; strict?: boolean }): string[] {
  const faults = claudeFaults(tool.name, tool.input_schema);
  if (tool.strict !== true) return faults;
  faults.push(...otherKeywords(tool.input_schema, strictKeywords));
  walk(tool.input_schema, (schema, place) => {
    if (isSchema(schema) && [schema.type].flat().includes("object") && schema.additionalProperties !== false)
      faults.push(`${place} is open`);
  });
  return faults;
}

/** Bedrock takes the same, and no empty description. */
export function bedrockFaults({ toolSpec }: { toolSpec: { name: string; description?: string; inputSchema: { json: Schema } } }): string[] {
  return [...claudeFaults(toolSpec.name, toolSpec.inputSchema.json), ...(toolSpec.description === "" ? ["an empty description"] : [])];
}

function claudeFaults(toolName: string, root: Schema): string[] {
  const faults = name.test(toolName) ? [] : [`the name ${toolName}`];
  if (root.type !== "object") faults.push("# is no object");
  for (const key of ["anyOf", "oneOf", "allOf"]) if (root[key] !== undefined) faults.push(`# has ${key}`);
  for (const key of Object.keys(root.properties ?? {})) if (!propertyName.test(key)) faults.push(`# has the property ${key}`);
  for (const key of root.required ?? []) if (!propertyName.test(key)) faults.push(`# requires ${key}`);
  faults.push(...badReferences(root));
  walk(root, (schema, place) => {
    if (!isSchema(schema)) return;
    if (Array.isArray(schema.items)) faults.push(`${place} has a list of items, which 2020-12 doesn't know`);
    for (const key of ["definitions", "dependencies", "additionalItems", "patternProperties", "$schema", "$id"]) {
      if (schema[key] !== undefined) faults.push(`${place} has ${key}`);
    }
  });
  acceptSchema({ $schema: "https://json-schema.org/draft/2020-12/schema", ...root });
  return faults;
}
