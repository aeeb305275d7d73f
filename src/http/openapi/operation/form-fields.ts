import { fileSchema } from "./file-argument.js";
import { memberOf, textOf } from "../document/read-value.js";
import { isRecord } from "../../../schema/internal.js";
import type { OpenApiDocument, Part } from "../document/open-api-document.js";
import { type ParameterFormat, readFormat } from "./parameter-format.js";
import { Refusal } from "./operation-refusal.js";
import type { FieldFormat, RequestBody } from "./request-shape.js";
import type { ConvertedSchema } from "../document/schema-converter.js";

/** How the properties of a form are written (OpenAPI 3, "Encoding Object"). */
export function readFields(document: OpenApiDocument, media: Part, schema: Part): ReadonlyMap<string, FieldFormat> {
  const encodings = document.member(media, "encoding");
  const fields = new Map<string, FieldFormat>();
  for (const [name, property] of document.members(document.member(schema, "properties"))) {
    const encoding = document.member(encodings, name).value;
    const contentType = textOf(memberOf(encoding, "contentType"))?.split(",")[0]?.trim();
    const format = formatOf(encoding, name);
    const file = fileOf(document, property, contentType);
    fields.set(name, {
      ...(file === undefined ? {} : { file }),
      ...(format === undefined ? {} : { format }),
      ...(contentType === undefined || contentType.includes("*") ? {} : { contentType }),
    });
  }
  return fields;
}

/** What the encoding says of the style; nothing if it says nothing. */
function formatOf(encoding: unknown, name: string): ParameterFormat | undefined {
  const says = ["style", "explode", "allowReserved"].some((keyword) => memberOf(encoding, keyword) !== undefined);
  return says ? readFormat("query", encoding, `the form's "${name}"`) : undefined;
}

function fileOf(document: OpenApiDocument, property: Part, contentType: string | undefined): FieldFormat["file"] {
  if (memberOf(property.value, "type") !== "array") return isFile(property.value, contentType) ? "one" : undefined;
  return isFile(document.member(property, "items").value, contentType) ? "list" : undefined;
}

/** Bytes are declared by a format (2.0, 3.0), by a media type alone (3.1), or by the encoding. */
function isFile(schema: unknown, contentType: string | undefined): boolean {
  if (memberOf(schema, "format") === "binary" || memberOf(schema, "type") === "file") return true;
  const media = textOf(memberOf(schema, "contentMediaType")) ?? contentType;
  const isText = media === undefined || /^text\/|[/+](json|xml)\b/i.test(media);
  return !isText && memberOf(schema, "contentEncoding") === undefined && memberOf(schema, "type") !== "object";
}

/** The schema of a form whose files are given as `fileSchema` says. Throws `Refusal` if the fields aren't known. */
export function asForm(
  { schema, uses }: ConvertedSchema,
  fields: ReadonlyMap<string, FieldFormat>,
  kind: RequestBody["kind"],
): ConvertedSchema {
  if (!isRecord(schema.properties)) {
    if (kind === "form" && schema.type === "object") return { schema, uses };
    throw new Refusal("its body is a form, but the schema doesn't list its properties. List them.");
  }
  const properties = Object.entries(schema.properties).map(([name, property]) => {
    const file = fields.get(name)?.file;
    if (file === undefined) return [name, property] as const;
    if (kind === "form") throw new Refusal(`its form has the file "${name}", which only multipart/form-data can carry.`);
    const description = isRecord(property) && typeof property.description === "string" ? { description: property.description } : {};
    return [name, { ...(file === "list" ? { type: "array" as const, items: fileSchema } : fileSchema), ...description }] as const;
  });
  return { schema: { ...schema, properties: Object.fromEntries(properties) }, uses };
}
