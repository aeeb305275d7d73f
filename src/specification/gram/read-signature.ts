import { acceptSchema, type JsonSchema, SchemaError } from "../../schema/index.js";
import { isRecord } from "../../schema/internal.js";
import { hasFittingDefault } from "./fits-type.js";
import { keywordProblem } from "./keyword-problem.js";
import { TypeSignatureError } from "./gram-error.js";
import { plainRecord, plainValue } from "./plain-value.js";
import { repeatedEntry } from "./repeated-entry.js";
import {
  forbidden,
  forbiddenName,
  type MeantType,
  nameGivenTwice,
  objectKeywords,
  typeFromExpression,
  typeFromText,
} from "./signature-types.js";
import type { GramAnnotated, GramDocument, GramNode, GramPatternElement, GramProperty, GramSpan, GramValue } from "./tree.js";
import { typeExpressionOf, type TypeExpression } from "./type-expression.js";
import { parametersSchemaOf, type SignatureParameter, type TypeSignature } from "./type-signature.js";
import { signatureKeys } from "./write-signature.js";

const example = '(::Text {paramName:"name"})==>(::String)';

interface Definition {
  readonly name: string;
  readonly schema: JsonSchema | boolean;
}

/** Something that has a place in the text, unless it was made by hand. */
interface Placed {
  readonly span?: GramSpan;
}

/**
 * Reads a path of a gram tree as a type signature. `text` is the text that the tree was parsed from, with
 * `{ typeSignatures: true }`.
 *
 * Throws `TypeSignatureError` with the place in `text`. See docs/10-specifications-and-gram.md.
 */
export function readTypeSignature(tree: GramDocument | GramAnnotated | GramPatternElement, text: string): TypeSignature {
  return new SignatureReader(text).signature(tree);
}

class SignatureReader {
  constructor(private readonly text: string) {}

  signature(tree: GramDocument | GramAnnotated | GramPatternElement): TypeSignature {
    if (tree.kind === "document") return this.signature(this.onlyPattern(tree));
    if (tree.kind === "node")
      return this.wrongAt(tree.span?.end ?? 0, "there is no return type. Add ==>(::String), or what the tool returns.");
    if (tree.kind !== "path") return this.wrong(tree, `a type signature is a path such as ${example}.`);

    const turned = tree.steps.find(({ arrow }) => arrow.direction !== "right");
    if (turned !== undefined) return this.wrong(turned.arrow, "the arrows of a type signature lead to the return type: write ==>.");
    const nodes = [tree.start, ...tree.steps.map(({ node }) => node)];
    const last = nodes.pop() ?? tree.start;
    const takesNothing = nodes.length === 1 && isEmpty(tree.start);
    const repeated = repeatedEntry([...nodes, last].flatMap(({ record = [] }) => record.map(({ value }) => value)));
    if (repeated !== undefined) return this.wrong(repeated, `"${repeated.key}" says what is said already.`);
    const read = takesNothing ? [] : nodes.map((node, index) => this.parameter(node, index));
    const parameters = read.map(({ parameter }) => parameter);

    const twice = nameGivenTwice(parameters);
    if (twice !== undefined) {
      const second = nodes[parameters.findLastIndex(({ name }) => name === twice)];
      return this.wrong(second, `the parameter "${twice}" is given twice. Each needs a name of its own.`);
    }
    const definitions = read.flatMap((each) => each.definitions);
    const definedTwice = nameGivenTwice(definitions);
    if (definedTwice !== undefined) return this.wrong(tree, `the definition "${definedTwice}" in $defs is given twice.`);
    const defined = Object.fromEntries(definitions.map(({ name, schema }) => [name, schema]));
    const signature = { parameters, returns: this.returns(last), ...(definitions.length === 0 ? {} : { definitions: defined }) };
    this.checkKeywords(signature, nodes, last);
    return signature;
  }

  /** Refuses keywords that are no JSON Schema, and references that lead nowhere. */
  private checkKeywords(signature: TypeSignature, nodes: readonly GramNode[], last: GramNode): void {
    const problem = schemaProblem(parametersSchemaOf(signature));
    if (problem !== undefined) {
      const [, , name, keyword] = problem.pointer.split("/");
      const node = nodes[signature.parameters.findIndex((parameter) => pointerSegment(parameter.name) === name)];
      this.wrong(node?.record?.find(({ key }) => key === keyword) ?? node ?? nodes[0], problem.message);
    }
    const wrongResult = schemaProblem(signature.returns);
    if (wrongResult !== undefined) this.wrong(last, wrongResult.message);
  }

  private onlyPattern({ header, patterns }: GramDocument): GramAnnotated | GramPatternElement {
    const [pattern, second] = patterns;
    if (pattern === undefined || header !== undefined) return this.wrongAt(0, `a type signature is a path such as ${example}.`);
    return second === undefined ? pattern : this.wrong(second, "a type signature is one path, and here begins a second one.");
  }

  private parameter(node: GramNode, index: number): { parameter: SignatureParameter; definitions: readonly Definition[] } {
    if (isEmpty(node)) return this.wrong(node, "() stands for no parameters, so it stands alone. Write ()==>(::String).");
    const { type, keywords } = this.typeOf(node);
    const { name: written, schema, required } = this.typed(type, keywords, "paramName");
    if (written !== undefined && node.identifier !== undefined && written !== node.identifier) {
      return this.wrong(node, `the parameter has two names, ${node.identifier} and ${written}. Keep one.`);
    }
    const name = written ?? node.identifier ?? `arg${index + 1}`;
    if (name === "") return this.wrong(node, "the name of the parameter is empty.");
    if (name === forbiddenName) return this.wrong(node, forbidden);
    const { $defs, ...own } = schema;
    if ($defs !== undefined && !isRecord($defs)) return this.wrong(node, "$defs is a map of schemas.");
    const definitions = Object.entries($defs ?? {}).map(([name, schema]) => ({ name, schema }));
    return { parameter: { name, schema: own, required }, definitions };
  }

  private returns(node: GramNode): JsonSchema {
    if (node.labels === undefined && node.record === undefined) return this.wrong(node, "there is no return type. Write (::String).");
    const { type, keywords } = this.typeOf(node);
    const { schema } = this.typed(type, keywords, "paramName");
    return type.optional ? { anyOf: [schema, { type: "null" }] } : schema;
  }

  /**
   * The type that a node's labels say, or the types in its record, `({name: Text, tags: [Text]})` and `(::Maybe {name: Text})`; and what
   * else the record says.
   */
  private typeOf(node: GramNode): { readonly type: MeantType; readonly keywords: readonly GramProperty[] } {
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

  /** A type and its record, which may hold the name, whether it is optional, and keywords of JSON Schema. */
  private typed(
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
      // A list of types is JSON Schema's own, which no label can say.
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

  private wrong(place: Placed | undefined, reason: string): never {
    return this.wrongAt(place?.span?.start ?? 0, reason);
  }

  private wrongAt(offset: number, reason: string): never {
    throw new TypeSignatureError(this.text, offset, reason);
  }
}

const isEmpty = ({ identifier, labels, record }: GramNode): boolean =>
  identifier === undefined && labels === undefined && record === undefined;

// Of the maps that stand here, only `acceptSchema` knows whether they hold schemas.
function schemaProblem(schema: JsonSchema): SchemaError | undefined {
  try {
    acceptSchema(schema);
    return undefined;
  } catch (error) {
    if (error instanceof SchemaError) return error;
    throw error;
  }
}

/** The entry of a record, or of a map within it, to which keys and indices lead. */
function propertyAt(record: readonly GramProperty[], [key, ...path]: readonly (string | number)[]): GramProperty | undefined {
  const property = record.find((each) => each.key === key);
  let value = property?.value;
  while (value?.kind === "array" && path.length > 0) value = value.items[Number(path.shift())];
  return value?.kind === "map" && path.length > 0 ? propertyAt(value.entries, path) : property;
}

const pointerSegment = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");

/** The type that a value in the record of a node without labels says: `Text`, `Maybe Int`, `[Text]`, `{name: Text}`; others are keywords. */
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
