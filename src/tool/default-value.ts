import { describeFaults, type JsonSchema } from "../schema/index.js";
import { typeOfValue } from "./enum-values.js";
import { ToolDefinitionError } from "./errors.js";
import type { ShapeBuilder } from "./shape-builder.js";

/** Keywords that say nothing of a value's validity, or that the quick check below knows. */
const quickKeywords = new Set(["type", "enum", "description", "default", "examples"]);

/** A default that breaks its own schema is the author's mistake (cases 10). */
export function checkDefault(schema: JsonSchema, where: string, builder: ShapeBuilder): void {
  // Most defaults are plain values of a plain type: no validator is compiled for those, so that defining stays cheap.
  if (Object.keys(schema).every((keyword) => quickKeywords.has(keyword)) && fitsPlainly(schema)) return;
  const checked = builder.validatorOf(schema).validate(schema.default, { owned: false, repair: false });
  if (checked.ok) return;
  throw new ToolDefinitionError(
    `${where}: the default ${JSON.stringify(schema.default)} breaks its own schema: ${describeFaults(checked.error, "it")}. Change the default or the constraint.`,
  );
}

function fitsPlainly({ type, enum: values, default: value }: JsonSchema): boolean {
  if (value === undefined || (typeof value === "object" && value !== null)) return false;
  if (values !== undefined && !values.includes(value)) return false;
  const actual = typeOfValue(value);
  return type === undefined || type === actual || (type === "number" && actual === "integer");
}
