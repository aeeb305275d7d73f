import type { ClassToken } from "../../schema/index.js";
import { type PlainForm, plainFormOfClass } from "../bridges/plain-form.js";
import { type FieldSource, fieldsOfClass } from "./class-fields.js";
import type { ParameterMetadata } from "../metadata.js";

/**
 * The fields of a class in a result: without those that class-transformer leaves out of plain data, with the names of `@Expose`, and with
 * exposed getters.
 */
export function fieldsOfResult(constructor: ClassToken): readonly FieldSource[] {
  const form = plainFormOfClass(constructor);
  if (form === undefined) return fieldsOfClass(constructor);
  const fields = fieldsOfClass(constructor, form).flatMap((field) => shownField(field, form));
  if (fields.length === 0) return fields;
  const named = new Set(fields.map(({ parameter }) => parameter.name));
  const exposed = [...form.exposed].flatMap((property) => form.nameOf(property) ?? []).filter((name) => !named.has(name));
  return [...fields, ...exposed.map((name) => openField(name))];
}

function shownField(field: FieldSource, form: PlainForm): readonly FieldSource[] {
  const { parameter, property = parameter.name } = field;
  const name = form.nameOf(property);
  if (name === undefined) return [];
  const transform = form.transformOf(property);
  // Nothing says what the function makes: rules and types speak of the property. One that serves arguments too keeps to simple types.
  if (transform === "result" || (transform === "both" && holdsObjects(parameter))) return [openField(name, parameter.options)];
  return [{ ...field, property, parameter: { ...parameter, name } }];
}

const simpleTypes = new Set<unknown>([String, Number, Boolean, Date]);

function holdsObjects({ type, designType }: ParameterMetadata): boolean {
  const design = designType();
  const token = type ?? (design.known ? design.type : undefined);
  const item: unknown = Array.isArray(token) ? token[0] : token;
  return typeof item === "function" && !simpleTypes.has(item);
}

const openField = (name: string, { description }: ParameterMetadata["options"] = {}): FieldSource => ({
  parameter: {
    name,
    required: false,
    type: undefined,
    options: { schema: {}, ...(description === undefined ? undefined : { description }) },
    designType: () => ({ known: false, reason: "not_emitted" }),
  },
  rules: undefined,
  dto: true,
});
