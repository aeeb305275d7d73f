import { memberOf, textOf } from "../document/read-value.js";
import { isRecord } from "../../../schema/internal.js";
import type { OpenApiDocument, Part } from "../document/open-api-document.js";
import type { FoundOperation } from "./operations.js";
import { shownValue } from "../document/import-work.js";
import { jsonFormat, type ParameterPlace, readCollectionFormat, readFormat } from "./parameter-format.js";
import { readBody } from "./read-operation-body.js";
import { readOldBody } from "./read-old-body.js";
import { Refusal } from "./operation-refusal.js";
import type { Parameter, RequestShape } from "./request-shape.js";
import type { ConvertedSchema, SchemaConverter } from "../document/schema-converter.js";
import { schemaOfOldParameter } from "./schema-of-old-parameter.js";

/** Reads what an operation takes. Throws `Refusal` if that can't be expressed. */
export function readRequest(document: OpenApiDocument, converter: SchemaConverter, operation: FoundOperation): RequestShape {
  const written = writtenParameters(document, operation);
  const isOld = document.version === "2.0";
  const isInBody = ({ value }: Part): boolean => isOld && ["body", "formData"].includes(String(memberOf(value, "in")));
  const inBody = written.filter(isInBody);
  const parameters = written
    .filter((part) => !isInBody(part))
    .map((part) => (isOld ? readOldParameter(converter, part) : readParameter(document, converter, part)));
  const body = isOld ? readOldBody(document, converter, operation, inBody) : readBody(document, converter, operation);
  if (operation.method !== "GET" && operation.method !== "HEAD") return { parameters, body };
  if (body?.required) throw new Refusal(`it sends a body with ${operation.method}, which servers and proxies drop. Use another method.`);
  return { parameters, body: undefined };
}

/** Those of the path and those of the operation, which replace the former by place and name. */
function writtenParameters(document: OpenApiDocument, { item, part }: FoundOperation): readonly Part[] {
  const written = new Map<string, Part>();
  for (const holder of [item, part]) {
    for (const parameter of document.items(document.member(holder, "parameters"))) {
      const [place, name] = [memberOf(parameter.value, "in"), memberOf(parameter.value, "name")];
      // Two that have no name are two mistakes, each to be reported.
      written.set(typeof name === "string" && typeof place === "string" ? `${place} ${name}` : `${written.size}`, parameter);
    }
  }
  return [...written.values()];
}

interface Head {
  readonly name: string;
  readonly place: ParameterPlace;
  readonly required: boolean;
  /** What errors call it. */
  readonly owner: string;
}

const places: readonly string[] = ["path", "query", "header", "cookie"] satisfies readonly ParameterPlace[];

function readHead({ value }: Part): Head {
  const name = memberOf(value, "name");
  const place = memberOf(value, "in");
  if (typeof name !== "string" || name === "") throw new Refusal(`a parameter has no name: ${shownValue(value)}.`);
  if (typeof place !== "string" || !places.includes(place)) {
    throw new Refusal(`the parameter "${name}" is in ${shownValue(place)}; it must be in ${places.join(", ")}.`);
  }
  const required = place === "path" || memberOf(value, "required") === true;
  return { name, place: place as ParameterPlace, required, owner: `the ${place} parameter "${name}"` };
}

/** OpenAPI 3, "Parameter Object". */
function readParameter(document: OpenApiDocument, converter: SchemaConverter, part: Part): Parameter {
  const { owner, ...head } = readHead(part);
  const beside = besideOf(document, part);
  const content = document.member(part, "content");
  if (!isRecord(content.value)) {
    const schema = converter.convert(document.member(part, "schema"), beside);
    return { ...head, schema, format: readFormat(head.place, part.value, owner) };
  }
  const [type, media] = [...document.members(content)][0] ?? ["", part];
  const schema = converter.convert(document.member(media, "schema"), beside);
  if (/[/+]json\b/i.test(type)) return { ...head, schema, format: jsonFormat(head.place) };
  if (/^text\//i.test(type)) return { ...head, schema, format: readFormat(head.place, undefined, owner) };
  throw new Refusal(`${owner} is written as ${JSON.stringify(type)}; JSON and text can be written.`);
}

/** OpenAPI 2.0, "Parameter Object": what says the type stands in the parameter itself. */
function readOldParameter(converter: SchemaConverter, part: Part): Parameter {
  const { owner, ...head } = readHead(part);
  return { ...head, schema: oldSchema(converter, part), format: readCollectionFormat(head.place, part.value, owner) };
}

/** The schema that stands in a parameter of OpenAPI 2.0. */
function oldSchema(converter: SchemaConverter, { value, file }: Part): ConvertedSchema {
  return converter.convert({ value: schemaOfOldParameter(value as object), file });
}

/** What the parameter says beside its schema, and more exactly than a type that many share. */
function besideOf(document: OpenApiDocument, part: Part): Readonly<Record<string, unknown>> {
  const description = textOf(memberOf(part.value, "description"));
  const example = memberOf(part.value, "example");
  const listed = [...document.members(document.member(part, "examples"))].map(([, { value }]) => memberOf(value, "value"));
  const examples = example === undefined ? listed.filter((value) => value !== undefined) : [example];
  return { ...(description === undefined ? {} : { description }), ...(examples.length === 0 ? {} : { examples }) };
}
