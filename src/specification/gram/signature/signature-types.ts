import type { JsonSchema, JsonType } from "../../../schema/index.js";
import type { SignatureParameter } from "./type-signature.js";
import { typeExpressionOf, type TypeExpression } from "./type-expression.js";

/** The type names of the notation's first version, and those of later ones: texts with both exist. */
const types: ReadonlyMap<string, JsonType | undefined> = new Map<string, JsonType | undefined>([
  ["Text", "string"],
  ["Int", "integer"],
  ["Double", "number"],
  ["Bool", "boolean"],
  ["Object", "object"],
  ["Array", "array"],
  ["Any", undefined],
  ["String", "string"],
  ["Integer", "integer"],
  ["Number", "number"],
  ["Boolean", "boolean"],
]);

/** The name that signatures have for a type of JSON Schema; `Any` if there is none. */
export function typeNameOf(type: unknown): string {
  return [...types].find(([, known]) => known === type)?.[0] ?? "Any";
}

/** What a type means: its schema, and whether it is a `Maybe`. */
export interface MeantType {
  readonly schema: JsonSchema;
  readonly optional: boolean;
}

/** What a type says that is written as text, such as `Maybe Int` or `[Text]`; `wrong` receives the reason if it isn't a type. */
export function typeFromText(text: string, wrong: (reason: string) => never): MeantType {
  const expression = typeExpressionOf(text);
  return expression === undefined ? wrong(unknownType(text)) : typeFromExpression(expression, wrong);
}

export function typeFromExpression(type: TypeExpression, wrong: (reason: string) => never): MeantType {
  switch (type.kind) {
    case "name": {
      if (!types.has(type.name)) return wrong(unknownType(type.name));
      const jsonType = types.get(type.name);
      return { schema: jsonType === undefined ? {} : { type: jsonType }, optional: false };
    }
    case "maybe":
      return { schema: typeFromExpression(type.of, wrong).schema, optional: true };
    case "list": {
      const items = typeFromExpression(type.of, wrong);
      if (items.optional) return wrong("Maybe stands for a parameter or field that may be left out, which the items of a list can't be.");
      return { schema: { type: "array", items: items.schema }, optional: false };
    }
    case "record": {
      const fields = type.fields.map(({ name, type: field }) => {
        const { schema, optional } = typeFromExpression(field, wrong);
        return { name, schema, required: !optional };
      });
      const twice = nameGivenTwice(fields);
      if (twice !== undefined) return wrong(`The field "${twice}" is given twice.`);
      if (fields.some(({ name }) => name === forbiddenName)) return wrong(forbidden);
      return { schema: { type: "object", ...objectKeywords(fields) }, optional: false };
    }
  }
}

/** The keywords of an object with fields. */
export function objectKeywords(fields: readonly SignatureParameter[]): Pick<JsonSchema, "properties" | "required"> {
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  return {
    properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
    ...(required.length === 0 ? {} : { required }),
  };
}

/** No arguments may hold it, so that a tool with such a parameter could never be called. */
export const forbiddenName = "__proto__";
export const forbidden = `"${forbiddenName}" is refused in all arguments. Give it another name.`;

/** The first name that repeats an earlier one. */
export function nameGivenTwice(named: readonly { readonly name: string }[]): string | undefined {
  const seen = new Set<string>();
  for (const { name } of named) {
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return undefined;
}

function unknownType(name: string): string {
  const meant = [...types.keys()].find((known) => known.toLowerCase() === name.toLowerCase());
  const fix = meant === undefined ? `The types are ${[...types.keys()].join(", ")}, Maybe T, [T] and {field: T}.` : `Write ${meant}.`;
  return `${JSON.stringify(name)} isn't a type. ${fix}`;
}
