import { isSchema, otherKeywords, type Schema, walk } from "./schema-walk.js";

/** `Schema` of the Gemini API. */
const keywords: ReadonlySet<string> = new Set([
  ...["type", "format", "title", "description", "nullable", "enum", "items", "minItems", "maxItems", "properties", "required"],
  ...["propertyOrdering", "minProperties", "maxProperties", "minLength", "maxLength", "pattern", "minimum", "maximum", "anyOf"],
  ...["default", "example"],
]);
const types = ["STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT"];
const formats: Record<string, readonly string[]> = {
  STRING: ["date-time", "enum"],
  NUMBER: ["float", "double"],
  INTEGER: ["int32", "int64"],
};

/** Why Gemini refuses a function declaration. */
export function geminiFaults({ name, parameters }: { name: string; parameters?: Schema }): string[] {
  const faults = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/.test(name) ? [] : [`the name ${name}`];
  if (parameters === undefined) return faults;
  faults.push(...otherKeywords(parameters, keywords));
  if (parameters.type !== "OBJECT") faults.push("# is no OBJECT");
  walk(parameters, (schema, place) => {
    if (!isSchema(schema)) return void faults.push(`${place} is ${schema}`);
    const { type, anyOf, properties, required = [], format } = schema;
    if (anyOf !== undefined && Object.keys(schema).length > 1) faults.push(`${place} has more than anyOf`);
    if (anyOf === undefined && !types.includes(type)) faults.push(`${place} has the type ${type}`);
    if (type === "OBJECT" && Object.keys(properties ?? {}).length === 0) faults.push(`${place} is an OBJECT without properties`);
    if (type === "ARRAY" && !isSchema(schema.items)) faults.push(`${place} is an ARRAY without items`);
    for (const key of Object.keys(properties ?? {}))
      if (!/^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/.test(key)) faults.push(`${place} has the property ${key}`);
    for (const key of required) if (properties?.[key] === undefined) faults.push(`${place} requires ${key}, which it doesn't have`);
    if (
      schema.enum !== undefined &&
      (type !== "STRING" || !schema.enum.every((value: unknown) => typeof value === "string" && value !== ""))
    ) {
      faults.push(`${place} lists ${JSON.stringify(schema.enum)}`);
    }
    if (format !== undefined && !formats[type]?.includes(format)) faults.push(`${place} has the format ${format}`);
    for (const key of ["minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties"]) {
      if (schema[key] !== undefined && !/^\d+$/.test(schema[key])) faults.push(`${place} has ${key} ${schema[key]}`);
    }
  });
  return faults;
}
