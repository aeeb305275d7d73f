import { asFile } from "./file-argument.js";
import { memberOf, textOf } from "../document/read-value.js";
import { asForm, readFields } from "./form-fields.js";
import { chooseType, sentType } from "./body-media-type.js";
import type { OpenApiDocument, Part } from "../document/open-api-document.js";
import type { FoundOperation } from "./operations.js";
import type { FieldFormat, RequestBody } from "./request-shape.js";
import type { SchemaConverter } from "../document/schema-converter.js";

const noFields: ReadonlyMap<string, FieldFormat> = new Map();

/** OpenAPI 3, "Request Body Object". */
export function readBody(document: OpenApiDocument, converter: SchemaConverter, { part }: FoundOperation): RequestBody | undefined {
  const body = document.member(part, "requestBody");
  const content = document.member(body, "content");
  const offered = [...document.members(content)].map(([type]) => type);
  return offered.length === 0 ? undefined : bodyOf(document, converter, body, offered, (type) => document.member(content, type));
}

/** What is sent, as `holder` describes it: a Request Body Object, or a parameter of OpenAPI 2.0 that is the body. */
export function bodyOf(
  document: OpenApiDocument,
  converter: SchemaConverter,
  holder: Part,
  offered: readonly string[],
  mediaOf: (type: string) => Part,
): RequestBody {
  const { kind, type } = chooseType(offered);
  const media = mediaOf(type);
  const written = document.member(media, "schema");
  const description = textOf(memberOf(holder.value, "description"));
  const converted = converter.convert(written, description === undefined ? {} : { description });
  const isForm = kind === "form" || kind === "multipart";
  const fields = isForm ? readFields(document, media, written) : noFields;
  const schema = isForm ? asForm(converted, fields, kind) : kind === "file" ? asFile(converted) : converted;
  return { kind, contentType: sentType(kind, type), required: memberOf(holder.value, "required") === true, schema, fields };
}
