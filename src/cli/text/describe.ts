import type { AgentDefinition } from "../../agent/index.js";
import type { JsonSchema } from "../../schema/index.js";
import type { ToolDefinition } from "../../tool/index.js";

/** Whether calls need a person's approval: `"by_arguments"` if a function decides. */
export const approvalOf = ({ requiresConfirmation }: ToolDefinition): boolean | "by_arguments" =>
  typeof requiresConfirmation === "function" ? "by_arguments" : requiresConfirmation;

/** What `@model` names; `null` if a function chooses the model. */
export function modelNameOf({ model: { reference } }: AgentDefinition): string | null {
  if (typeof reference === "string") return reference;
  if (typeof reference === "function") return null;
  return "id" in reference ? reference.id : reference.modelId;
}

/** What a person must type for a value, such as `text`, `date-time`, `integer`, `red|green` or `JSON`. */
export function typeNameOf(schema: JsonSchema | boolean | undefined): string {
  if (typeof schema !== "object") return "JSON";
  const { enum: values, const: value, type, items, format } = schema;
  if (Array.isArray(values) && values.every((entry) => typeof entry === "string" || typeof entry === "number")) return values.join("|");
  if (typeof value === "string" || typeof value === "number") return String(value);
  if (type === "string") return typeof format === "string" ? format : "text";
  if (type === "number" || type === "integer" || type === "boolean") return type;
  if (type === "array" && typeof items === "object" && !Array.isArray(items)) {
    const item = typeNameOf(items as JsonSchema);
    return item === "JSON" ? "JSON" : `${item}...`;
  }
  return "JSON";
}

/** The parameters of a tool, in the order of its schema. */
export function parametersOf({ parametersSchema: { properties = {}, required = [] } }: Pick<ToolDefinition, "parametersSchema">) {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    schema: typeof schema === "object" ? schema : undefined,
    type: typeNameOf(schema),
    isRequired: required.includes(name),
    description: typeof schema === "object" && typeof schema.description === "string" ? schema.description : "",
  }));
}
