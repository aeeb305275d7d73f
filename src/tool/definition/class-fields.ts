import { type ClassToken, isStandardSchema } from "../../schema/index.js";
import { type ClassTransforms, transformsOf } from "../bridges/class-transformer.js";
import type { PlainForm } from "../bridges/plain-form.js";
import { type PropertyRules, rulesOf } from "../bridges/class-validator.js";
import { holdsList, oneOrList, typeName } from "../bridges/one-or-list.js";
import { type DtoField, dtoFieldsOf } from "../bridges/dto.js";
import { ToolDefinitionError } from "../tool-errors.js";
import { type DesignType, type InputMetadata, metadataChain, type ParameterMetadata } from "../metadata.js";

/** A field of a class, declared by Toolwright's decorators or by a DTO's class-validator rules. */
export interface FieldSource {
  readonly parameter: ParameterMetadata;
  /** The property of the class, if it isn't the parameter's name. */
  readonly property?: string;
  readonly rules: PropertyRules | undefined;
  /**
   * Set if a `@Transform` changes the input, and rules check its result: whether the input's type is declared, in a decorator of Toolwright
   * or in `@Type`, or only inferred.
   */
  readonly transform?: "declared" | "inferred" | undefined;
  /** Why no argument can become what the field is declared to be, and what to write. */
  readonly obstacle?: string | undefined;
  /** Only rules and emitted types describe it: the field of a plain DTO. */
  readonly dto: boolean;
}

/** The decorated fields of a class and its bases; a redeclared field replaces the inherited one wholly. */
export function decoratedFields(constructor: object): readonly ParameterMetadata[] {
  const chain = metadataChain(constructor);
  for (const { mistakes } of chain) {
    if (mistakes !== undefined) throw new ToolDefinitionError(`${nameOf(constructor)}: ${mistakes.join("; ")}`);
  }
  if (chain.length <= 1) return chain[0]?.fields ?? [];
  const fields = new Map<string, ParameterMetadata>();
  for (const metadata of chain) for (const parameter of metadata.fields) fields.set(parameter.name, parameter);
  return [...fields.values()];
}

/** The `@input` fields of a tool class and its bases. */
export function inputFields(constructor: object): readonly InputMetadata[] {
  const declared = metadataChain(constructor).flatMap(({ inputs }) => inputs ?? []);
  return declared.length <= 1 ? declared : [...new Map(declared.map((input) => [input.property, input])).values()];
}

/**
 * The fields of a class: those that `@required` and `@optional` declare; if there are none, those of a DTO,
 * from its class-validator rules and emitted types. Empty if nothing is known of the class. `form`: how a result shows a DTO.
 */
export function fieldsOfClass(constructor: ClassToken, form?: PlainForm): readonly FieldSource[] {
  const rules = rulesOf(constructor);
  const transforms = transformsOf(constructor);
  const decorated = decoratedFields(constructor);
  if (decorated.length > 0) {
    return decorated.map((decoratedField) => {
      const { name } = decoratedField;
      const parameter = withTransformType(constructor, decoratedField, transforms?.typeOf(name), rules?.get(name));
      return {
        parameter,
        obstacle: obstacleOf(decoratedField, transforms),
        rules: rules?.get(parameter.name),
        transform: transformOf(transforms, parameter.name, isDeclared(parameter)),
        dto: false,
      };
    });
  }
  return (dtoFieldsOf(constructor, form) ?? []).map((field) => ({
    parameter: {
      name: field.name,
      required: field.required,
      type: field.each && field.token !== undefined && !Array.isArray(field.token) ? [field.token] : field.token,
      options: {},
      designType: () => emittedType(constructor, field),
    },
    property: field.property,
    obstacle: collectionObstacle(
      field.property,
      Reflect.getMetadata("design:type", constructor.prototype as object, field.property),
      transforms,
    ),
    rules: field.rules,
    transform: transformOf(transforms, field.property, field.typed),
    dto: true,
  }));
}

/** The type of a DTO's field for an error message: the emitted one, if there is one, or that its rules speak of a list. */
function emittedType(constructor: ClassToken, { property, each }: DtoField): DesignType {
  if (each) return { known: true, type: Array };
  return Reflect.hasMetadata("design:type", constructor.prototype as object, property)
    ? { known: true, type: Object }
    : { known: false, reason: "not_emitted" };
}

/** Keywords that only a value fulfils; `undefined` may pass rules without a keyword. */
const keywordsOfValues = ["type", "enum", "const", "minLength"];

/**
 * Throws if a property has rules, but neither a model nor other code can fill it: every call would fail. This happens if only some fields
 * of a DTO have `@required`, or if `@Exclude` leaves one out.
 */
export function refuseUnfilled(constructor: ClassToken, rules: ReadonlyMap<string, PropertyRules>, filled: ReadonlySet<string>): void {
  for (const [property, { required, schema }] of rules) {
    if (filled.has(property) || !required || !keywordsOfValues.some((keyword) => keyword in schema)) continue;
    if (isFilledByClass(constructor, property)) continue;
    throw new ToolDefinitionError(
      `${nameOf(constructor)}.${property}: it has class-validator rules but isn't a parameter, so every call would break them. ` +
        "If one field of a class has @required or @optional, the others need it too: add it, initialize the field, or remove the rules.",
    );
  }
}

/** By an initializer, the constructor, a getter or a `@Transform`. A constructor that wants arguments is refused by who calls it. */
function isFilledByClass(constructor: ClassToken, property: string): boolean {
  if ((transformsOf(constructor)?.functionsOf(property).length ?? 0) > 0) return true;
  try {
    // A class that wants arguments throws.
    return new (constructor as unknown as new () => Record<string, unknown>)()[property] !== undefined;
  } catch {
    return true;
  }
}

function obstacleOf(parameter: ParameterMetadata, transforms: ClassTransforms | undefined): string | undefined {
  const { name, type } = parameter;
  const ofType = transforms?.obstacleOf(name, isDeclared(parameter));
  if (ofType !== undefined || isStandardSchema(type)) return ofType;
  const design = parameter.designType();
  return design.known ? collectionObstacle(name, design.type, transforms) : undefined;
}

/** A `Map` or `Set` that nothing would make of what arrives. */
function collectionObstacle(property: string, emitted: unknown, transforms: ClassTransforms | undefined): string | undefined {
  if ((transforms?.functionsOf(property).length ?? 0) > 0) return undefined;
  if (emitted === Map) {
    return `JSON has no Map, so an object would arrive. Declare it: @required(mapOf(String)) ${property}: Record<string, string>, or make the Map by @Transform.`;
  }
  if (emitted === Set) {
    return `JSON has no Set, so a list would arrive. Declare it: @required([String], { uniqueItems: true }) ${property}: string[], or make the Set by @Transform.`;
  }
  return undefined;
}

function transformOf(transforms: ClassTransforms | undefined, property: string, declared: boolean): FieldSource["transform"] {
  if (transforms === undefined || transforms.functionsOf(property).length === 0) return undefined;
  return declared ? "declared" : "inferred";
}

const isDeclared = ({ type, options }: ParameterMetadata): boolean =>
  type !== undefined || options.schema !== undefined || options.enum !== undefined;

/** `@Type(() => Line)` names a type that neither the author's decorator nor the compiler gave. */
function withTransformType(
  constructor: ClassToken,
  parameter: ParameterMetadata,
  typeOf: (() => unknown) | undefined,
  rules: PropertyRules | undefined,
): ParameterMetadata {
  if (typeOf === undefined || isDeclared(parameter)) return parameter;
  const { name, options, required } = parameter;
  const design = parameter.designType();
  const type = typeOf();
  const isList = holdsList(design.known ? design.type : undefined, rules, options);
  if (isList === undefined) {
    const decorator = required ? "@required" : "@optional";
    const line = `${decorator}([${typeName(type)}]) ${name} for a list, ${decorator}(${typeName(type)}) ${name} for one`;
    throw new ToolDefinitionError(`${nameOf(constructor)}.${name}: ${oneOrList(type)}. Write it: ${line}.`);
  }
  return { ...parameter, type: isList ? [type] : type };
}

export const nameOf = (constructor: unknown): string =>
  typeof constructor === "function" && constructor.name !== "" ? constructor.name : "(anonymous class)";
