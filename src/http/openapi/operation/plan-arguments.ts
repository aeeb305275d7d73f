import type { JsonSchema } from "../../../schema/index.js";
import { isRecord } from "../../../schema/internal.js";
import { argumentName, ArgumentNames } from "./operation-names.js";
import type { Parameter, RequestBody, RequestShape } from "./request-shape.js";
import type { SchemaConverter } from "../document/schema-converter.js";
import { isMethodOverride } from "./forbidden-names.js";

/** The place of each argument in the request. */
export interface ArgumentPlan {
  readonly parametersSchema: JsonSchema;
  readonly parameters: readonly { readonly argument: string; readonly parameter: Parameter }[];
  readonly body: BodyPlan | undefined;
}

/** The body is one argument, or its properties are arguments of their own. */
export type BodyPlan = RequestBody & {
  readonly argument?: string;
  readonly properties?: readonly { readonly argument: string; readonly property: string }[];
};

/**
 * Lays all that an operation takes side by side, as models fill it in best. Parameters are named as in the document; one whose
 * name another place has already taken gets the place before it: `query_id`. The properties of a body that is a plain object
 * join them, unless one of them would need another name: then the whole body is the argument `body`.
 */
export function planArguments({ parameters, body }: RequestShape, converter: SchemaConverter): ArgumentPlan {
  const properties = new Map<string, JsonSchema | boolean>();
  const required: string[] = [];
  const uses = new Set<string>(body?.schema.uses);
  const add = (argument: string, schema: JsonSchema | boolean, isRequired: boolean): void => {
    properties.set(argument, schema);
    if (isRequired) required.push(argument);
  };
  const names = new ArgumentNames();

  const placed = parameters.map((parameter) => {
    const own = argumentName(parameter.name);
    const argument = names.take(names.has(own) ? argumentName(`${parameter.place}_${own}`) : own);
    add(argument, parameter.schema.schema, parameter.required);
    for (const name of parameter.schema.uses) uses.add(name);
    return { argument, parameter };
  });
  const plan = body === undefined ? undefined : planBody(body, names);
  if (body !== undefined && plan?.argument !== undefined) add(plan.argument, body.schema.schema, body.required);
  const requiredOfBody = new Set(body?.schema.schema.required);
  for (const { argument, property } of plan?.properties ?? []) {
    add(argument, body?.schema.schema.properties?.[property] ?? {}, requiredOfBody.has(property));
  }

  const definitions = converter.definitions(uses);
  return {
    parametersSchema: {
      type: "object",
      properties: Object.fromEntries(properties),
      ...(required.length === 0 ? {} : { required }),
      additionalProperties: false,
      ...(definitions === undefined ? {} : { $defs: definitions }),
    },
    parameters: placed,
    body: plan,
  };
}

function planBody(body: RequestBody, taken: ArgumentNames): BodyPlan {
  const { schema } = body.schema;
  const properties = Object.keys(schema.properties ?? {})
    .filter((property) => !isMethodOverride(property))
    .map((property) => ({ argument: argumentName(property), property }));
  const names = new Set(properties.map(({ argument }) => argument));
  const collides = names.size < properties.length || [...names].some((name) => taken.has(name));
  return isPlainObject(body) && !collides ? { ...body, properties } : { ...body, argument: taken.take("body") };
}

/** What else an object's schema may say without meaning more than its properties. */
const plainKeywords: ReadonlySet<string> = new Set([
  ...["type", "properties", "required", "additionalProperties", "title", "description", "examples", "deprecated"],
]);

/** An optional body with required properties isn't plain: either all of it is there or nothing. */
function isPlainObject({ kind, required: isRequired, schema: { schema } }: RequestBody): boolean {
  const { properties, required = [], additionalProperties = false } = schema;
  return (
    isRecord(properties) &&
    kind !== "text" &&
    kind !== "file" &&
    (schema.type ?? "object") === "object" &&
    Object.keys(properties).length > 0 &&
    Object.keys(schema).every((keyword) => plainKeywords.has(keyword)) &&
    required.every((name) => Object.hasOwn(properties, name)) &&
    additionalProperties === false &&
    (isRequired || required.length === 0)
  );
}
