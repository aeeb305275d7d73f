import { memberOf, textsOf } from "../document/read-value.js";
import { isRecord } from "../../../schema/internal.js";
import { asForm } from "./form-fields.js";
import { shownValue } from "../document/import-work.js";
import { essenceOf } from "./body-media-type.js";
import type { OpenApiDocument, Part } from "../document/open-api-document.js";
import type { FoundOperation } from "./operations.js";
import { readCollectionFormat } from "./parameter-format.js";
import { bodyOf } from "./read-operation-body.js";
import { schemaOfOldParameter } from "./schema-of-old-parameter.js";
import { Refusal } from "./operation-refusal.js";
import type { FieldFormat, RequestBody } from "./request-shape.js";
import type { SchemaConverter } from "../document/schema-converter.js";

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
    const name = memberOf(value, "name");
    if (typeof name !== "string" || name === "") throw new Refusal(`a field of its form has no name: ${shownValue(value)}.`);
    const schema = schemaOfOldParameter(value as object);
    properties.push([name, schema]);
    if (memberOf(value, "required") === true) required.push(name);
    const format = readCollectionFormat("query", schema, `the form's "${name}"`);
    fields.set(name, schema.type === "file" ? { file: "one" } : { format });
  }
  const hasFile = [...fields.values()].some(({ file }) => file !== undefined);
  const kind = hasFile || consumes.some((type) => essenceOf(type) === "multipart/form-data") ? "multipart" : "form";
  const form = { type: "object", properties: Object.fromEntries(properties), required };
  const schema = converter.convert({ value: form, file: part.file }, {}, isRecord(part.value) ? part.value : form);
  const contentType = kind === "multipart" ? "multipart/form-data" : "application/x-www-form-urlencoded";
  return { kind, contentType, required: required.length > 0, schema: asForm(schema, fields, kind), fields };
}
