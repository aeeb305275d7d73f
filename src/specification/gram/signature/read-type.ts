import type { JsonSchema } from "../../../schema/index.js";
import { hasFittingDefault } from "./fitting-default.js";
import { keywordProblem } from "./keyword-problem.js";
import { plainRecord, plainValue } from "../plain-value.js";
import {
  forbidden,
  forbiddenName,
  type MeantType,
  nameGivenTwice,
  objectKeywords,
  typeFromExpression,
  typeFromText,
} from "./signature-types.js";
import type { GramNode, GramProperty, GramSpan, GramValue } from "../tree.js";
import { typeExpressionOf, type TypeExpression } from "./type-expression.js";
import type { SignatureParameter } from "./type-signature.js";
import { signatureKeys } from "./write-signature.js";

/** A part of the tree. It has a place in the text, unless an application made it. */
export interface Placed {
  readonly span?: GramSpan;
}

/** Reads the types of a signature's nodes. `wrong` throws the error for a place in the text. */
export class TypeReader {
  constructor(private readonly wrong: (place: Placed | undefined, reason: string) => never) {}

  /**
   * The type of a node, from its labels or from the types in its record, as in `({name: Text, tags: [Text]})` and
   * `(::Maybe {name: Text})`; and the other entries of the record.
   */
  typeOf(node: GramNode): { readonly type: MeantType; readonly keywords: readonly GramProperty[] } {
    const { labels: [label, second, third] = [], record = [] } = node;
    const isMaybe = label?.name === "Maybe" && second === undefined;
    const fields =
      label === undefined || isMaybe
        ? record.flatMap(({ key: name, value }) => {
            const type = expressionOf(value);
            return type === undefined ? [] : [{ name, type }];
          })
        : [];
    if (fields.length > 0) {
      const { schema } = typeFromExpression({ kind: "record", fields }, (reason) => this.wrong(node, reason));
      return { type: { schema, optional: isMaybe }, keywords: record.filter(({ value }) => expressionOf(value) === undefined) };
    }
    if (label === undefined) return this.wrong(node, "there is no type. Write one as a label: (name::Text).");
    if (second === undefined) return { type: typeFromText(label.name, (reason) => this.wrong(label, reason)), keywords: record };
    if (label.name !== "Maybe" || third !== undefined) return this.wrong(second, "a parameter has one type, or Maybe and one type.");
    const { schema } = typeFromText(second.name, (reason) => this.wrong(second, reason));
    return { type: { schema, optional: true }, keywords: record };
  }

  /** Joins a type with its record, which may hold the name, whether it is optional, and keywords of JSON Schema. */
  typed(
    { schema, optional }: MeantType,
    record: readonly GramProperty[],
    nameKey: "paramName" | "name",
  ): { readonly name: string | undefined; readonly schema: JsonSchema; readonly required: boolean } {
    const said = new Map<string, unknown>(Object.entries(schema));
    const keywords: GramProperty[] = [];
    const say = (keyword: string, value: unknown, property: GramProperty) => {
      if (said.has(keyword))
        this.wrong(property, `"${property.key}" says what is said already${keyword === property.key ? "" : `, as ${keyword}`}.`);
      said.set(keyword, value);
    };
    for (const property of record) {
      switch (property.key) {
        case nameKey:
          say(nameKey, this.word(property), property);
          break;
        case "name":
          return this.wrong(property, "the name of a parameter is written as paramName, or in front of its type: (name::Text).");
        case "optional":
          if (property.value.kind !== "boolean") return this.wrong(property, "optional is true or false.");
          say("optional", property.value.value, property);
          break;
        case "elementType":
          if (said.get("type") !== "array") return this.wrong(property, "elementType is for arrays alone.");
          say("items", typeFromText(this.word(property), (reason) => this.wrong(property, reason)).schema, property);
          break;
        case "fields": {
          if (said.get("type") !== "object") return this.wrong(property, "fields are for objects alone.");
          const { properties, required } = objectKeywords(this.fields(property));
          say("properties", properties, property);
          if (required !== undefined) say("required", required, property);
          break;
        }
        default:
          say(property.key, plainValue(property.value), property);
          keywords.push(property);
      }
    }
    const problem = keywordProblem(plainRecord(keywords), signatureKeys);
    if (problem !== undefined) return this.wrong(propertyAt(keywords, problem.path), problem.reason);
    const name = said.get(nameKey) as string | undefined;
    const left = said.get("optional") as boolean | undefined;
    said.delete(nameKey);
    said.delete("optional");
    const complete: JsonSchema = Object.fromEntries(said);
    this.checkDefault(record, complete);
    return { name, schema: complete, required: left === undefined ? !optional && !said.has("default") : !left };
  }

  private fields(property: GramProperty): readonly SignatureParameter[] {
    const { value } = property;
    if (value.kind !== "array") return this.wrong(property, 'fields are a list: fields:[{name:"age", type:"Int"}].');
    const fields = value.items.map((item) => {
      if (item.kind !== "map") return this.wrong(item, 'a field is written as {name:"age", type:"Int"}.');
      const type = item.entries.find(({ key }) => key === "type");
      if (type === undefined) return this.wrong(item, 'the field has no type. Write {name:"age", type:"Int"}.');
      // A list of types is a keyword of JSON Schema, because no label can state it.
      const isList = type.value.kind === "array";
      const meant = isList ? { schema: {}, optional: false } : typeFromText(this.word(type), (reason) => this.wrong(type, reason));
      const others = isList ? item.entries : item.entries.filter(({ key }) => key !== "type");
      const { name, ...field } = this.typed(meant, others, "name");
      if (name === undefined) return this.wrong(item, 'the field has no name. Write {name:"age", type:"Int"}.');
      if (name === forbiddenName) return this.wrong(item, forbidden);
      return { name, ...field };
    });
    const twice = nameGivenTwice(fields);
    return twice === undefined ? fields : this.wrong(property, `the field "${twice}" is given twice.`);
  }

  private checkDefault(record: readonly GramProperty[], schema: JsonSchema): void {
    if (hasFittingDefault(schema)) return;
    const place = record.find(({ key }) => key === "default");
    const { default: value, ...rest } = schema;
    this.wrong(place, `the default ${JSON.stringify(value)} doesn't fit ${JSON.stringify(rest)}.`);
  }

  private word(property: GramProperty): string {
    const { key, value } = property;
    if (value.kind === "string" && value.value !== "") return value.value;
    return value.kind === "symbol" ? value.name : this.wrong(property, `${key} is a text that isn't empty.`);
  }
}

/** Follows keys and indices to an entry of a record, or of a map within it. */
function propertyAt(record: readonly GramProperty[], [key, ...path]: readonly (string | number)[]): GramProperty | undefined {
  const property = record.find((each) => each.key === key);
  let value = property?.value;
  while (value?.kind === "array" && path.length > 0) value = value.items[Number(path.shift())];
  return value?.kind === "map" && path.length > 0 ? propertyAt(value.entries, path) : property;
}

/** The type that a value in a record spells: `Text`, `Maybe Int`, `[Text]` or `{name: Text}`. Other values belong to keywords. */
function expressionOf(value: GramValue): TypeExpression | undefined {
  if (value.kind === "symbol") return { kind: "name", name: value.name };
  if (value.kind === "tagged" && value.tag === "Maybe") {
    const of = typeExpressionOf(value.value);
    return of && { kind: "maybe", of };
  }
  if (value.kind === "array") {
    const [item, second] = value.items;
    const of = item === undefined || second !== undefined ? undefined : expressionOf(item);
    return of && { kind: "list", of };
  }
  if (value.kind !== "map") return undefined;
  const fields = value.entries.flatMap(({ key: name, value: entry }) => {
    const type = expressionOf(entry);
    return type === undefined ? [] : [{ name, type }];
  });
  return fields.length === value.entries.length ? { kind: "record", fields } : undefined;
}
