import { describeFaults, type JsonSchema, type JsonValue } from "../../schema/index.js";
import { typeOfValue } from "./enum-values.js";
import { ToolDefinitionError } from "../tool-errors.js";
import type { ShapeBuilder } from "./shape-builder.js";

/** Keywords that say nothing of a value's validity, or that the quick check below knows. */
const quickKeywords = new Set(["type", "enum", "description", "default", "examples", "minimum", "maximum", "minLength", "maxLength"]);

/** A default that breaks its own schema is the author's mistake. */
export function checkDefault(schema: JsonSchema, place: string, builder: ShapeBuilder): void {
  // Most defaults are plain values of a plain type: no validator is made for those, so that defining stays cheap.
  if (fitsPlainly(schema)) return;
  builder.whenComplete(() => {
    const checked = builder.validatorOf(schema).validate(schema.default, { owned: false, repair: false });
    if (checked.ok) return;
    throw new ToolDefinitionError(
      `${place}: the default ${JSON.stringify(schema.default)} breaks its own schema: ${describeFaults(checked.error, "it")}. Change the default or the constraint.`,
    );
  });
}

/** A default, a listed value or examples as JSON, a date as its ISO text. A copy: the definition is frozen, and the author's objects must not be. */
export function jsonOf(value: unknown, option: "default" | "enum" | "examples", place: string): JsonValue {
  if (typeof value === "string" || typeof value === "boolean" || Number.isFinite(value)) return value as JsonValue;
  if (typeof value === "function") {
    throw new ToolDefinitionError(
      `${place}: ${option} must be a value, not a function${option === "default" ? ": each call gets a fresh copy of it" : ""}.`,
    );
  }
  try {
    if (typeof value === "object") return JSON.parse(JSON.stringify(value)) as JsonValue;
  } catch {
    // It contains itself, say: the same mistake.
  }
  throw new ToolDefinitionError(
    `${place}: ${option} holds what JSON can't: ${typeof value} ${String(value)}. Write it as the model would.`,
  );
}

/** True if a look shows that the default is right; everything else is left to the validator. */
function fitsPlainly(schema: JsonSchema): boolean {
  for (const keyword in schema) if (!quickKeywords.has(keyword)) return false;
  const {
    type,
    enum: values,
    default: value,
    minimum = value,
    maximum = value,
    minLength = 0,
    maxLength = Number.POSITIVE_INFINITY,
  } = schema;
  if (value === undefined || (typeof value === "object" && value !== null)) return false;
  if (values !== undefined && !values.includes(value)) return false;
  if (typeof value === "number" && !(value >= (minimum as number) && value <= (maximum as number))) return false;
  if (typeof value === "string" && !(value.length >= minLength && value.length <= maxLength)) return false;
  const actual = typeOfValue(value);
  return type === undefined || type === actual || (type === "number" && actual === "integer");
}
