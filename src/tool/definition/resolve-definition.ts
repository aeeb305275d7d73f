import type { ClassToken, JsonSchema } from "../../schema/index.js";
import { freezeDeep } from "../../schema/internal.js";
import { rulesOf } from "../bridges/class-validator.js";
import { answeredIn } from "./answered.js";
import { type CallSignature, callSignatureOf, noSignature } from "./call-signature.js";
import { decoratedFields, fieldsOfClass, inputFields, nameOf } from "./class-fields.js";
import { ToolDefinitionError } from "../tool-errors.js";
import { readExamples } from "./examples.js";
import { type FieldShape, shapeOfField } from "./field-shape.js";
import { refuseIsolatedFunction } from "./isolation.js";
import { holderOf, ownMetadata, settingsOf } from "../metadata.js";
import { resolvePolicy } from "./policy.js";
import { refuseHeldProviderTool } from "./provided.js";
import { objectSchema, ShapeBuilder } from "./shape-builder.js";
import type { ToolClass } from "../tool-class.js";
import type { ToolDefinition } from "../tool-definition.js";
import { checkName, deriveName, refuseHiddenParameters } from "./tool-name.js";
import { shapeOfResult, type ValueShape } from "./value-shape.js";

/** A group of parameters that become one property: the fields of an `@input` DTO. */
export interface InputGroup {
  readonly property: string;
  readonly names: readonly string[];
  readonly fields: readonly FieldShape[];
  readonly shape: ValueShape;
}

/** What a definition was resolved from, kept for the plan of its calls. */
export interface ResolvedTool {
  readonly definition: ToolDefinition;
  /** Fields that become properties of the instance. */
  readonly fields: readonly FieldShape[];
  readonly inputs: readonly InputGroup[];
  readonly signature: CallSignature;
  readonly builder: ShapeBuilder;
  readonly output?: { readonly shape: ValueShape; readonly builder: ShapeBuilder };
  /** Present for tools made by `createTool`: they have no instance to call. */
  readonly created?: CreatedTool;
}

/** The parts of a tool made from a schema instead of a class. */
export interface CreatedTool {
  readonly input: ValueShape;
  readonly execute: (input: Record<string, unknown>, context: never) => unknown;
}

/** What a base class adds to the definitions of its subclasses: the setting `completion`, which it writes on itself. */
export interface DefinitionCompletion {
  /** Settings that apply if the author wrote none. */
  defaults(toolClass: ToolClass, written: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  /**
   * Throws `ToolDefinitionError` for other mistakes of the author. `places`: by parameter, the properties that lead to its
   * value in an instance; parameters of `call` have none.
   */
  check(toolClass: ToolClass, definition: ToolDefinition, places: ReadonlyMap<string, readonly string[]>): void;
}

// Registered, so that another copy of the package knows the tool.
const createdKey = Symbol.for("toolwright.created");

interface ResolvedClass {
  [createdKey]?: ResolvedTool;
}

/**
 * The resolved definition of a tool class; the same frozen object at every reading. A class that fails to resolve
 * fails with the same error at every reading. Other findings aren't kept: a process never calls most of its tools, and the first call of a
 * tool resolves it once more.
 */
export function definitionOf(toolClass: ToolClass): ToolDefinition {
  const metadata = ownMetadata(holderOf(toolClass));
  metadata.definition ??= resolve(toolClass).definition;
  return metadata.definition as ToolDefinition;
}

/** Makes a class known whose definition comes from a schema (`createTool`). */
export function registerCreated(toolClass: object, resolved: ResolvedTool): void {
  Object.defineProperty(toolClass, createdKey, { value: resolved });
}

/** Whether the class, or one that it extends, was made by `createTool`. */
export const isCreatedTool = (toolClass: ToolClass): boolean => createdKey in toolClass;

/** Reads everything that was written of a class. `definitionOf` keeps the definition, `planOf` what a call needs. */
export function resolve(toolClass: ToolClass): ResolvedTool {
  const owner = nameOf(toolClass);
  refuseHidden(toolClass, owner);
  const created = (toolClass as ResolvedClass)[createdKey];
  if (created !== undefined && Object.hasOwn(toolClass, createdKey)) return created;
  // A class that extends one made by `createTool` keeps its schema and body.
  const inherited = created;
  const builder = inherited?.builder ?? new ShapeBuilder();
  const said = settingsOf(toolClass);
  const completion = said.completion as DefinitionCompletion | undefined;
  const written = completion === undefined ? said : { ...completion.defaults(toolClass, said), ...said };
  const own = {
    name: written.identifier === undefined ? (inherited?.definition.name ?? deriveName(toolClass)) : checkName(written.identifier, owner),
    description: readDescription(written.description ?? inherited?.definition.description, owner),
  };
  const policy = resolvePolicy(written, owner, inherited?.definition);
  if (inherited !== undefined) {
    refuseOwnBody(toolClass, owner);
    if (policy.isolated !== undefined) refuseIsolatedFunction(owner);
    refuseHeldProviderTool({ ...inherited.definition, ...policy }, owner);
    if (written.answeredBy !== inherited.definition.answeredBy)
      answeredIn(written, owner, { body: "an execute function", hasBody: true, hasOutput: true });
    const examples = examplesIn(written.examples, inherited.definition.parametersSchema, owner);
    return { ...inherited, definition: freezeDefinition({ ...inherited.definition, ...own, ...policy, ...examples }) };
  }

  const answered =
    written.answeredBy === undefined
      ? undefined
      : answeredIn(written, owner, {
          body: "a call method",
          hasBody: "call" in toolClass.prototype,
          hasOutput: written.returns !== undefined,
        });
  if (answered !== undefined && policy.isolated !== undefined) {
    throw new ToolDefinitionError(`${owner}: it has answeredBy and isolated, but the client answers its calls. Remove isolated.`);
  }
  const signature = answered === undefined ? callSignatureOf(toolClass, builder) : noSignature;
  const decorated = decoratedFields(toolClass);
  const sources = decorated.length === 0 ? [] : fieldsOfClass(toolClass);
  const fields = sources.map((source) => shapeOfField(source, `${owner}.${source.parameter.name}`, builder));
  const inputs = inputFields(toolClass).map((input) => inputGroup(input.property, input.type, owner, builder));
  const rules = rulesOf(toolClass);
  if (rules !== undefined) {
    checkRuledProperties(rules, [...decorated.map(({ name }) => name), ...inputs.map(({ property }) => property)], owner);
    builder.hasRules = true;
  }
  const declared = [...fields, ...signature.parameters];
  const parameters = inputs.length === 0 ? declared : [...declared, ...inputs.flatMap((group) => group.fields)];
  checkParameterNames(parameters, owner);
  for (const { property } of inputs) {
    if (!declared.some(({ name }) => name === property)) continue;
    throw new ToolDefinitionError(`${owner}.${property}: it is a parameter and the place of an @input class at once. Rename one.`);
  }
  for (const { property } of fields) if (property in toolClass.prototype) refuseUnassignable(toolClass, property, owner);
  builder.complete();

  const output = written.returns === undefined ? undefined : outputShape(written.returns, owner);
  const schemas = {
    parametersSchema: builder.withDefinitions(objectSchema(parameters)),
    ...(output === undefined ? undefined : { outputSchema: output.builder.withDefinitions(output.shape.schema) }),
  };
  const examples = examplesIn(written.examples, schemas.parametersSchema, owner);
  const definition = freezeDefinition(Object.assign(own, schemas, policy, examples, answered));
  builder.vouchFor(definition.parametersSchema);
  completion?.check(toolClass, definition, placesOf(fields, inputs));
  return {
    definition,
    fields,
    inputs,
    signature,
    builder,
    ...(output === undefined ? {} : { output }),
  };
}

const placesOf = (fields: readonly FieldShape[], inputs: readonly InputGroup[]): ReadonlyMap<string, readonly string[]> =>
  new Map([
    ...fields.map(({ name }): [string, string[]] => [name, [name]]),
    ...inputs.flatMap((group) => group.fields.map(({ name, property }): [string, string[]] => [name, [group.property, property]])),
  ]);

/** A class made by `createTool` has its function run, whatever a subclass adds. */
function refuseOwnBody(toolClass: ToolClass, owner: string): void {
  let hasCall = false;
  for (let own: object = toolClass; !Object.hasOwn(own, createdKey); own = Object.getPrototypeOf(own) as object) {
    hasCall ||= Object.hasOwn((own as ToolClass).prototype as object, "call");
  }
  if (!hasCall && decoratedFields(toolClass).length === 0 && inputFields(toolClass).length === 0) return;
  throw new ToolDefinitionError(
    `${owner}: it extends a tool made by createTool, whose schema and function stand: its own call and parameters would be ignored. ` +
      "Extend Tool instead.",
  );
}

/** Which member that `Tool` gives every class it hides by a static one of its own, which would say something else than the definition. */
function hiddenMember(own: object): string | undefined {
  if (Object.hasOwn(own, "identifier")) return "identifier";
  if (Object.hasOwn(own, "definition")) return "definition";
  return Object.hasOwn(own, "parametersSchema") ? "parametersSchema" : undefined;
}

function refuseHidden(toolClass: ToolClass, owner: string): void {
  // The root of a tool class is `Tool`, which has the members themselves.
  for (let own: object = toolClass; Object.getPrototypeOf(own) !== Function.prototype; own = Object.getPrototypeOf(own) as object) {
    const name = hiddenMember(own);
    if (name === undefined) continue;
    const value = Object.getOwnPropertyDescriptor(own, name)?.value as unknown;
    const fix =
      name === "identifier"
        ? `Write @identifier(${typeof value === "string" ? JSON.stringify(value) : '"..."'}) above the class`
        : "Rename it";
    throw new ToolDefinitionError(`${owner}: static ${name} hides the one that Tool derives from the decorators. ${fix}.`);
  }
}

/** The member of the definition, if examples were written. */
export const examplesIn = (written: unknown, parametersSchema: JsonSchema, owner: string): Pick<ToolDefinition, "examples"> | undefined =>
  written === undefined ? undefined : { examples: readExamples(written, parametersSchema, owner) };

function readDescription(description: unknown, owner: string): string {
  if (typeof description === "string" && description.trim() !== "") return description;
  throw new ToolDefinitionError(
    `${owner}: the tool has no description, so no model can know when to use it. ` +
      'Add @description("What it does. Use when ...") above the class.',
  );
}

/** An argument is assigned to its instance: a getter of a subclass that has the field's name would make every call fail. */
function refuseUnassignable(toolClass: ToolClass, property: string, owner: string): void {
  for (let own = toolClass.prototype as object | null; own !== null; own = Object.getPrototypeOf(own) as object | null) {
    const descriptor = Object.getOwnPropertyDescriptor(own, property);
    if (descriptor === undefined) continue;
    if (descriptor.writable === true || descriptor.set !== undefined) return;
    throw new ToolDefinitionError(
      `${owner}.${property}: it is a parameter, and ${nameOf(own.constructor)} has a getter of this name without a setter, so that no ` +
        "argument can be assigned. Rename the getter, or declare the field again.",
    );
  }
}

/** A rule on a property that no model can fill would make every call fail. */
function checkRuledProperties(rules: ReadonlyMap<string, unknown>, parameters: readonly string[], owner: string): void {
  for (const property of rules.keys()) {
    if (parameters.includes(property)) continue;
    throw new ToolDefinitionError(
      `${owner}.${property}: it has class-validator rules but isn't a parameter. Add @required(...) or @optional(...), or take the rules away.`,
    );
  }
}

function inputGroup(property: string, type: unknown, owner: string, builder: ShapeBuilder): InputGroup {
  const place = `${owner}.${property}`;
  if (typeof type !== "function" || type.prototype === undefined) {
    throw new ToolDefinitionError(`${place}: @input takes the class whose fields become the tool's parameters, got ${String(type)}.`);
  }
  const dto = type as ClassToken;
  const sources = fieldsOfClass(dto);
  if (sources.length === 0) {
    throw new ToolDefinitionError(
      `${place}: @input(${nameOf(type)}): the class describes no fields. Give them class-validator's rules, or @required and @optional.`,
    );
  }
  const fields = sources.map((source) => shapeOfField(source, `${nameOf(type)}.${source.parameter.name}`, builder));
  return { property, fields, names: fields.map((field) => field.name), shape: builder.shapeOfClass(dto, place) };
}

function checkParameterNames(parameters: readonly FieldShape[], owner: string): void {
  const seen = new Set<string>();
  for (const { name } of parameters) {
    if (name === "call") {
      throw new ToolDefinitionError(`${owner}: a parameter can't be named "call", the one reserved member. Rename it, e.g. "phoneCall".`);
    }
    if (seen.has(name)) {
      throw new ToolDefinitionError(
        `${owner}: two parameters are named "${name}" (a field, a parameter of call or a field of an @input class). Rename one.`,
      );
    }
    seen.add(name);
  }
}

function outputShape(token: unknown, owner: string): { shape: ValueShape; builder: ShapeBuilder } {
  const builder = new ShapeBuilder("output");
  const place = `${owner} @returns`;
  const shape = isRawSchema(token) ? { schema: builder.adopt(token.schema, place) } : shapeOfResult(token, place, builder);
  builder.complete();
  return { shape, builder };
}

export const isRawSchema = (token: unknown): token is { readonly schema: JsonSchema } =>
  typeof token === "object" && token !== null && !Array.isArray(token) && Object.keys(token).length === 1 && "schema" in token;

/** Frozen all the way down: a definition is shared by every run. */
export function freezeDefinition(definition: ToolDefinition): ToolDefinition {
  const { properties } = definition.parametersSchema;
  if (properties !== undefined) refuseHiddenParameters(Object.keys(properties), definition.name);
  freezeDeep(definition.parametersSchema);
  if (definition.outputSchema !== undefined) freezeDeep(definition.outputSchema);
  if (definition.examples !== undefined) Object.freeze(definition.examples);
  return Object.freeze(definition);
}
