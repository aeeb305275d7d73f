import type { JsonSchema } from "../../schema/index.js";
import { type Constraint, constraintOf, patternProblem } from "../../schema/internal.js";
import { type PropertyRules, withClauses } from "../bridges/class-validator.js";
import type { FieldSource } from "./class-fields.js";
import { checkDefault, jsonOf } from "./default-value.js";
import { contradictionIn, lowerBounds, typeContradiction } from "./contradiction.js";
import { commonType, enumValues, typeOfValue } from "./enum-values.js";
import { ToolDefinitionError } from "../tool-errors.js";
import type { ParameterMetadata } from "../metadata.js";
import type { ShapeBuilder } from "./shape-builder.js";
import { unknownType } from "./unknown-type.js";
import { insteadOf, shapeOfToken, type ValueShape } from "./value-shape.js";

/** A parameter or a nested field, resolved. */
export interface FieldShape extends ValueShape {
  readonly name: string;
  /** Its property on the instance: the name, unless class-transformer's `@Expose({ name })` makes the two differ. */
  readonly property: string;
  readonly required: boolean;
  /** A Standard Schema is asked also if no value came: it may have a default of its own. */
  readonly revivesAbsent: boolean;
}

/** Resolves one field: type token, enum, default, emitted type, in that order; then options and rules. */
export function shapeOfField(
  { parameter, property, rules, transform, obstacle, dto }: FieldSource,
  place: string,
  builder: ShapeBuilder,
): FieldShape {
  const { options, name } = parameter;
  if (name === "__proto__" || name === "") {
    throw new ToolDefinitionError(`${place}: a parameter can't be named ${JSON.stringify(name)}. Rename it.`);
  }
  if (obstacle !== undefined && builder.side === "input") throw new ToolDefinitionError(`${place}: ${obstacle}`);
  if (rules !== undefined || name in Object.prototype) builder.hasForeignParts = true;
  const base = shapeOfDeclaredType(parameter, rules, place, builder, dto);
  // A result is as the rules say; only what arrives is transformed.
  const transformed = builder.side === "input" && rules !== undefined ? transform : undefined;
  const kept = transformed === "declared" ? ofInputAlone(rules) : rules;
  const { schema, hasLowerBound } = withOptions(withRules(base.schema, kept, dto), options, place, kept?.clauses);
  // Most parameters have neither rules nor bounds.
  if (transformed === undefined && (rules !== undefined || hasLowerBound)) refuseContradictions(base, rules, schema, options, place);
  if (kept?.withMessage !== undefined) builder.withMessages.set(schema, kept);
  // The model reads the best that is known, but none of it is checked before the transform.
  if (transformed === "inferred") builder.beforeTransform.set(schema, withOptions({}, options, place).schema);
  if (options.default !== undefined) checkDefault(schema, place, builder);
  if (builder.selfValidating.has(base.schema)) builder.selfValidating.add(schema);
  return {
    name,
    property: property ?? name,
    required: parameter.required,
    schema,
    revivesAbsent: !parameter.required && base.reviveOptional !== undefined,
    revive: parameter.required ? base.revive : (base.reviveOptional ?? base.revive),
  };
}

/** The definition would be accepted, and every call rejected. */
function refuseContradictions(
  base: ValueShape,
  rules: PropertyRules | undefined,
  schema: JsonSchema,
  options: Readonly<Record<string, unknown>>,
  place: string,
): void {
  const contradiction = (rules && ruleContradiction(base, rules, schema, options)) ?? contradictionIn(schema);
  if (contradiction !== undefined) {
    throw new ToolDefinitionError(`${place}: no value can be right: ${contradiction}. Change one of them, or take it away.`);
  }
}

function ruleContradiction(
  base: ValueShape,
  rules: PropertyRules,
  schema: JsonSchema,
  options: Readonly<Record<string, unknown>>,
): string | undefined {
  // Of a value that is no list, a rule with `each` speaks as others do.
  if (rules.each && base.schema.type !== "array") return undefined;
  const isDate = options.schema === undefined && base.revive !== undefined && base.schema.format === "date-time";
  const declared = options.enum === undefined || schema.enum === undefined ? base.schema : { ...base.schema, enum: schema.enum };
  return typeContradiction(declared, isDate, rules.schema);
}

function shapeOfDeclaredType(
  parameter: ParameterMetadata,
  rules: PropertyRules | undefined,
  place: string,
  builder: ShapeBuilder,
  dto: boolean,
): ValueShape {
  const { options, type: token } = parameter;
  if (options.schema !== undefined) return { schema: builder.adopt(options.schema, place) };
  if (token !== undefined) return shapeOfToken(token, place, builder);
  if (options.enum !== undefined) return { schema: {} };
  if (options.default instanceof Date) return shapeOfToken(Date, place, builder);
  const defaultType = typeof options.default;
  if (defaultType === "string" || defaultType === "number" || defaultType === "boolean") {
    return { schema: { type: defaultType } };
  }
  const design = parameter.designType();
  if (design.known && design.type !== undefined && design.type !== Object && design.type !== Function && design.type !== Array) {
    const values = enumValues(typeof design.type === "object" ? design.type : undefined);
    if (values !== undefined) {
      const schema: Record<string, unknown> = {};
      limitTo(values, schema, place);
      return { schema };
    }
    if (typeof design.type === "function" && !insteadOf.has(design.type)) return shapeOfToken(design.type, place, builder);
  }
  if (rules !== undefined && saysWhatItHolds(rules)) return { schema: rules.type === undefined ? {} : { type: rules.type } };
  throw unknownType(place, parameter, design, dto);
}

/** Rules alone may show the type, but not the items of a list or the class of a nested object. */
function saysWhatItHolds(rules: PropertyRules): boolean {
  if (rules.nested || (rules.type === "array" && rules.schema.items === undefined)) return false;
  return rules.type !== undefined || Object.keys(rules.schema).length > 0;
}

function withRules(schema: JsonSchema, rules: PropertyRules | undefined, dto: boolean): JsonSchema {
  if (rules === undefined) return schema;
  const { items, ...own } = rules.schema;
  const merged: Record<string, unknown> = { ...schema, ...own };
  // `integer` from a rule narrows the `number` that the compiler emitted. Any other type was written by the author.
  if (rules.type === "integer" && schema.type === "number") merged.type = "integer";
  else if (schema.type !== undefined) merged.type = schema.type;
  if (items !== undefined) merged.items = { ...(schema.items as JsonSchema | undefined), ...(items as JsonSchema) };
  // To class-validator, objects that came as JSON are never identical, however equal they are.
  if (own.uniqueItems === true && !holdsScalars(merged.items as JsonSchema | undefined)) delete merged.uniqueItems;
  const complete: JsonSchema = dto && rules.nullable ? nullable(merged) : merged;
  const description = withClauses(complete.description, rules.clauses);
  return description === undefined ? complete : { ...complete, description };
}

/** Beside a declared type: what the rules say of the value that a `@Transform` makes is left out. */
function ofInputAlone(rules: PropertyRules | undefined): PropertyRules | undefined {
  if (rules === undefined) return undefined;
  const { type: _ofResult, ...others } = rules;
  return { ...others, schema: {}, clauses: [] };
}

const holdsScalars = (items: JsonSchema | undefined): boolean =>
  typeof items?.type === "string" && items.type !== "object" && items.type !== "array";

/** class-validator accepts null wherever it accepts absence, so the schema of a DTO does too. */
function nullable(schema: JsonSchema): JsonSchema {
  const listsNull = schema.enum?.includes(null) === true;
  const { const: excluded, enum: excludedValues } = (schema.not ?? {}) as JsonSchema;
  if (excluded === null || excludedValues?.includes(null) === true) return { anyOf: [schema, { type: "null" }] };
  if (typeof schema.type === "string" && schema.const === undefined && (schema.enum === undefined || listsNull)) {
    return { ...schema, type: [schema.type, "null"] };
  }
  const saysNoType = ["type", "enum", "const", "anyOf", "allOf", "$ref"].every((keyword) => !(keyword in schema));
  return listsNull || saysNoType ? schema : { anyOf: [schema, { type: "null" }] };
}

/** The schema with the options, and whether they set a lower bound. */
function withOptions(
  schema: JsonSchema,
  options: Readonly<Record<string, unknown>>,
  place: string,
  clauses: readonly string[] = [],
): { readonly schema: JsonSchema; readonly hasLowerBound: boolean } {
  // Copied by Object.assign: on Node 20 a literal that spreads and then adds members costs a hundred times as much.
  const result: Record<string, unknown> = Object.assign({}, schema);
  if (options.enum !== undefined) {
    const values = enumValues(options.enum);
    if (values === undefined || values.length === 0) {
      throw new ToolDefinitionError(`${place}: enum lists no values. Give it at least one: enum: ["open", "closed"].`);
    }
    if (result.type === "array") {
      const items: Record<string, unknown> = Object.assign({}, result.items);
      limitTo(values, items, place);
      result.items = items;
    } else {
      limitTo(values, result, place);
    }
  }
  let hasLowerBound = false;
  for (const keyword in options) {
    const value = options[keyword];
    const constraint = constraintOf.get(keyword);
    if (value === undefined || constraint === undefined || !Object.hasOwn(options, keyword)) continue;
    checkConstraint(keyword, constraint, value, result, place);
    result[keyword] = value;
    hasLowerBound ||= lowerBounds.has(keyword);
  }
  if (typeof options.description === "string") result.description = withClauses(options.description, clauses);
  if (options.examples !== undefined) result.examples = jsonOf(options.examples, "examples", place);
  if (options.default !== undefined) result.default = jsonOf(options.default, "default", place);
  return { schema: result, hasLowerBound };
}

function checkConstraint(keyword: string, { constrains, takes }: Constraint, value: unknown, schema: JsonSchema, place: string): void {
  const expected = takes === "text" ? "string" : takes === "flag" ? "boolean" : "number";
  if (typeof value !== expected || Number.isNaN(value)) {
    throw new ToolDefinitionError(`${place}: ${keyword} must be a ${expected}, got ${typeof value} ${JSON.stringify(value)}.`);
  }
  const isCount = takes === "count";
  if (typeof value === "number" && !(isCount ? Number.isInteger(value) && value >= 0 : Number.isFinite(value))) {
    throw new ToolDefinitionError(`${place}: ${keyword} must be ${isCount ? "0 or a whole number above it" : "finite"}, got ${value}.`);
  }
  if (takes === "positiveNumber" && (value as number) <= 0)
    throw new ToolDefinitionError(`${place}: ${keyword} must be above 0, got ${value}.`);
  const problem = keyword === "pattern" ? patternProblem(value as string) : undefined;
  if (problem !== undefined) throw new ToolDefinitionError(`${place}: the pattern ${problem}`);
  const { type } = schema;
  const types = constrains === "number" ? ["number", "integer"] : [constrains];
  if (typeof type === "string" && !types.includes(type)) {
    throw new ToolDefinitionError(`${place}: "${keyword}" constrains ${types.join(" or ")}, but the type is ${type}.`);
  }
}

/** Writes the values, and the type that they share, into the schema. */
function limitTo(given: readonly unknown[], schema: Record<string, unknown>, place: string): void {
  const values = given.map((value) => jsonOf(value, "enum", place));
  const type = schema.type ?? commonType(values);
  if (typeof schema.type === "string") {
    const misfit = values.find((value) => typeOfValue(value) !== type && !(type === "number" && typeOfValue(value) === "integer"));
    if (misfit !== undefined) {
      throw new ToolDefinitionError(`${place}: enum holds ${JSON.stringify(misfit)}, which is not of the type ${type}.`);
    }
  }
  if (type !== undefined) schema.type = type;
  schema.enum = values;
}
