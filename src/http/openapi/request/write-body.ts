import { randomUUID } from "node:crypto";
import type { BodyPlan } from "../operation/plan-arguments.js";
import { readFileArgument } from "../operation/file-argument.js";
import { memberOf } from "../document/read-value.js";
import { isRecord } from "../../../schema/internal.js";
import { jsonFormat, readFormat } from "../operation/parameter-format.js";
import type { FieldFormat } from "../operation/request-shape.js";
import { withoutMethodOverride } from "../operation/forbidden-names.js";
import { type Pair, textOfValue, writePairs } from "./parameter-text.js";

export interface WrittenBody {
  readonly contentType: string;
  readonly content: string | Uint8Array;
}

/** The body of a call, or `undefined` if nothing of an optional one was given. Throws `HttpError`. */
export function writeBody(plan: BodyPlan, values: Readonly<Record<string, unknown>>): WrittenBody | undefined {
  const value = withoutMethodOverride(
    plan.argument === undefined ? collect(plan.properties ?? [], values) : memberOf(values, plan.argument),
  );
  const isAbsent = plan.argument === undefined ? Object.keys(value as object).length === 0 : value === undefined;
  if (isAbsent && !plan.required) return undefined;
  const { contentType } = plan;
  switch (plan.kind) {
    case "json":
      return { contentType, content: JSON.stringify(value) };
    case "form":
      return { contentType, content: writeForm(value, plan.fields) };
    case "multipart":
      return writeMultipart(value, plan.fields);
    case "text":
      return { contentType: /charset=/i.test(contentType) ? contentType : `${contentType}; charset=utf-8`, content: textOfValue(value) };
    case "file":
      return { contentType, content: readFileArgument(value, plan.argument ?? "body").bytes };
  }
}

const collect = (
  properties: NonNullable<BodyPlan["properties"]>,
  values: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    properties.filter(({ argument }) => Object.hasOwn(values, argument)).map(({ argument, property }) => [property, values[argument]]),
  );

const fieldsOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  Object.entries(isRecord(value) ? value : {}).filter(([, member]) => member !== undefined && member !== null);

const inForm = readFormat("query", undefined, "a form");

/** OpenAPI 3.1, "Encoding Object": objects are written as JSON, items of a list each as a field of the same name. */
function writeForm(value: unknown, fields: ReadonlyMap<string, FieldFormat>): string {
  const pairs = fieldsOf(value).flatMap(([name, member]): readonly Pair[] => {
    const { format, contentType } = fields.get(name) ?? {};
    const isJson = isRecord(member) || isJsonType(contentType);
    return writePairs(name, member, format ?? (isJson ? jsonFormat("query") : inForm));
  });
  return pairs.map((pair) => pair.join("=")).join("&");
}

/** RFC 7578, with names escaped as the HTML standard says ("Multipart form data"). */
function writeMultipart(value: unknown, fields: ReadonlyMap<string, FieldFormat>): WrittenBody {
  const boundary = `toolwright-${randomUUID()}`;
  const parts = fieldsOf(value).flatMap(([name, member]) => {
    const field = fields.get(name) ?? {};
    const items = Array.isArray(member) && field.format?.explode !== false ? member : [member];
    return items.map((item: unknown) => writePart(boundary, name, item, field));
  });
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    content: Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]),
  };
}

function writePart(boundary: string, name: string, value: unknown, { file, contentType }: FieldFormat): Buffer {
  const disposition = `--${boundary}\r\ncontent-disposition: form-data; name="${quoted(name)}"`;
  if (file !== undefined) {
    const { name: fileName, bytes } = readFileArgument(value, name);
    const head = `${disposition}; filename="${quoted(fileName)}"\r\ncontent-type: ${contentType ?? "application/octet-stream"}\r\n\r\n`;
    return Buffer.concat([Buffer.from(head), bytes, Buffer.from("\r\n")]);
  }
  const type = contentType ?? (isRecord(value) ? "application/json" : undefined);
  const listed = Array.isArray(value) ? value.map(textOfValue).join(",") : textOfValue(value);
  const text = isJsonType(type) ? JSON.stringify(value) : listed;
  return Buffer.from(`${disposition}${type === undefined ? "" : `\r\ncontent-type: ${type}`}\r\n\r\n${text}\r\n`);
}

const isJsonType = (type: string | undefined): boolean => /[/+]json\b/i.test(type ?? "");

const quoted = (text: string): string => text.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
