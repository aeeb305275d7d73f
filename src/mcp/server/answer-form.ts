import type { JsonSchema } from "../../schema/index.js";
import { isRecord } from "../../schema/internal.js";

/** The fields that a form of an elicitation may have (revision 2025-11-25, "Elicitation", "Requested Schema"), with their keywords. */
const keywordsOf: Readonly<Record<string, readonly string[]>> = {
  string: ["title", "description", "minLength", "maxLength", "format", "enum", "default"],
  number: ["title", "description", "minimum", "maximum", "default"],
  integer: ["title", "description", "minimum", "maximum", "default"],
  boolean: ["title", "description", "default"],
};

const formats: readonly unknown[] = ["email", "uri", "date", "date-time"];

/** The one field of an answer that is no object. */
const field = "answer";

/** A form for an answer, and the way back from its content. */
export interface AnswerForm {
  readonly schema: { type: "object"; properties: Record<string, Record<string, unknown>>; required: string[] };
  readonly valueOf: (content: Readonly<Record<string, unknown>>) => unknown;
}

/** The form for answers of a schema; `undefined` if they can't be given in a flat form. */
export function answerForm(schema: JsonSchema): AnswerForm | undefined {
  if (schema.type !== "object") {
    const written = fieldOf(schema);
    return (
      written && { schema: { type: "object", properties: { [field]: written }, required: [field] }, valueOf: (content) => content[field] }
    );
  }
  const properties: Record<string, Record<string, unknown>> = {};
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    const written = fieldOf(inner);
    if (written === undefined) return undefined;
    properties[name] = written;
  }
  if (Object.keys(properties).length === 0) return undefined;
  return { schema: { type: "object", properties, required: [...(schema.required ?? [])] }, valueOf: (content) => content };
}

/** Rules without a keyword there are checked when the answer comes. */
function fieldOf(schema: unknown): Record<string, unknown> | undefined {
  if (!isRecord(schema) || typeof schema.type !== "string") return undefined;
  const keywords = Object.hasOwn(keywordsOf, schema.type) ? keywordsOf[schema.type] : undefined;
  if (keywords === undefined) return undefined;
  const written: Record<string, unknown> = { type: schema.type };
  for (const keyword of keywords) {
    const value = schema[keyword];
    if (value !== undefined && (keyword !== "format" || formats.includes(value))) written[keyword] = value;
  }
  return written;
}
