import { memberOf, textsOf } from "./foreign.js";
import { asForm } from "./form-fields.js";
import { essenceOf } from "./media-type.js";
import type { OpenApiDocument, Part } from "./open-api-document.js";
import type { FoundOperation } from "./operations.js";
import { readCollectionFormat } from "./parameter-format.js";
import { bodyOf } from "./read-body.js";
import { Refusal } from "./refusal.js";
import type { FieldFormat, RequestBody } from "./request-shape.js";
import type { SchemaConverter } from "./schema-converter.js";

/** OpenAPI 2.0, "Parameter Object": the parameter that is the body, or those that are fields of a form. */
export function readOldBody(
  document: OpenApiDocument,
  converter: SchemaConverter,
  { part }: FoundOperation,
  parameters: readonly Part[],
): RequestBody | undefined {
  const own = textsOf(memberOf(part.value, "consumes"));
  const consumes = own.length > 0 ? own : textsOf(memberOf(document.root.value, "consumes"));
  const whole = parameters.find(({ value }) => memberOf(value, "in") === "body");
  if (whole === undefined) return parameters.length === 0 ? undefined : readForm(converter, part, parameters, consumes);
  const body = bodyOf(document, converter, whole, consumes.length === 0 ? ["application/json"] : consumes, () => whole);
  if (body.kind !== "form" && body.kind !== "multipart") return body;
  throw new Refusal(`its body is ${body.contentType}, whose fields must be parameters in formData.`);
}

function readForm(converter: SchemaConverter, part: Part, parameters: readonly Part[], consumes: readonly string[]): RequestBody {
  const fields = new Map<string, FieldFormat>();
  const properties: [string, unknown][] = [];
  const required: string[] = [];
  for (const { value } of parameters) {
    const { name: written, in: _in, required: isRequired, ...schema } = value as Record<string, unknown>;
    const name = String(written);
    properties.push([name, schema]);
    if (isRequired === true) required.push(name);
    const format = readCollectionFormat("query", schema, `the form's "${name}"`);
    fields.set(name, schema.type === "file" ? { file: "one" } : { format });
  }
  const hasFile = [...fields.values()].some(({ file }) => file !== undefined);
  const kind = hasFile || consumes.some((type) => essenceOf(type) === "multipart/form-data") ? "multipart" : "form";
  const schema = converter.convert({ value: { type: "object", properties: Object.fromEntries(properties), required }, file: part.file });
  const contentType = kind === "multipart" ? "multipart/form-data" : "application/x-www-form-urlencoded";
  return { kind, contentType, required: required.length > 0, schema: asForm(schema, fields, kind), fields };
}
