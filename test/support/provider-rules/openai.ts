import { badReferences, isSchema, otherKeywords, type Schema, walk } from "./schema-walk.js";

const strictKeywords: ReadonlySet<string> = new Set([
  ...["type", "properties", "required", "additionalProperties", "items", "enum", "const", "anyOf", "$ref", "$defs", "title", "description"],
  ...["pattern", "format", "multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minItems", "maxItems"],
]);

const formats = ["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"];

/** Why OpenAI refuses a name, a schema or the two together; empty where it takes them. */
export function openAiFaults({ name, parameters, strict }: { name: string; parameters: Schema; strict: boolean }): string[] {
  const faults = /^[a-zA-Z0-9_-]{1,64}$/.test(name) ? [] : [`the name ${name}`];
  if (parameters.type !== "object") faults.push("# is no object");
  if (!isSchema(parameters.properties)) faults.push("# has no properties");
  for (const key of ["anyOf", "oneOf", "allOf", "enum", "not", "$ref"]) if (parameters[key] !== undefined) faults.push(`# has ${key}`);
  faults.push(...badReferences(parameters));
  walk(parameters, (schema, place) => {
    if (!isSchema(schema)) return;
    if ([schema.type].flat().includes("array") && schema.items === undefined) faults.push(`${place} is a list without items`);
    if (Array.isArray(schema.items)) faults.push(`${place} has a list of items`);
    if (/\(\?<?[=!]|\\p\{/.test(schema.pattern ?? "")) faults.push(`${place} has the pattern ${schema.pattern}`);
    for (const key of ["$schema", "$id", "definitions"]) if (schema[key] !== undefined) faults.push(`${place} has ${key}`);
  });
  return strict ? [...faults, ...strictFaults(parameters)] : faults;
}

/** Why strict mode refuses a schema. */
export function strictFaults(root: Schema): string[] {
  const faults = [...otherKeywords(root, strictKeywords), ...badReferences(root)];
  if (root.type !== "object") faults.push("# is no object");
  if (root.anyOf !== undefined) faults.push("# is a union");
  let properties = 0;
  let values = 0;
  walk(root, (schema, place) => {
    if (place.endsWith("/additionalProperties")) return;
    if (!isSchema(schema)) return void faults.push(`${place} is ${schema}`);
    const { type, anyOf, $ref } = schema;
    if (type === undefined && anyOf === undefined && $ref === undefined) faults.push(`${place} has no type`);
    if ($ref !== undefined && Object.keys(schema).length > 1) faults.push(`${place} has more than a $ref`);
    if ([type].flat().includes("object") || schema.properties !== undefined) {
      const names = Object.keys(schema.properties ?? {});
      properties += names.length;
      if (schema.additionalProperties !== false) faults.push(`${place} is open`);
      if (schema.properties === undefined) faults.push(`${place} has no properties`);
      if (JSON.stringify([...names].sort()) !== JSON.stringify([...(schema.required ?? [])].sort()))
        faults.push(`${place} requires others than it has`);
    }
    if ([type].flat().includes("array") && !isSchema(schema.items)) faults.push(`${place} is a list without items`);
    if (schema.format !== undefined && !formats.includes(schema.format)) faults.push(`${place} has the format ${schema.format}`);
    values += schema.enum?.length ?? 0;
    if ((place.match(/\/properties\/|\/items/g)?.length ?? 0) > 10) faults.push(`${place} is too deep`);
  });
  if (properties > 5_000) faults.push(`${properties} properties`);
  if (values > 1_000) faults.push(`${values} listed values`);
  return faults;
}
