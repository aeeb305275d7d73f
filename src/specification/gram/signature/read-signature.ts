import { acceptSchema, type JsonSchema, SchemaError } from "../../../schema/index.js";
import { isRecord } from "../../../schema/internal.js";
import { TypeSignatureError } from "../gram-error.js";
import { type Placed, TypeReader } from "./read-type.js";
import { repeatedEntry } from "../repeated-entry.js";
import { forbidden, forbiddenName, nameGivenTwice } from "./signature-types.js";
import type { GramAnnotated, GramDocument, GramNode, GramPatternElement } from "../tree.js";
import { parametersSchemaOf, type SignatureParameter, type TypeSignature } from "./type-signature.js";

const example = '(::Text {paramName:"name"})==>(::String)';

interface Definition {
  readonly name: string;
  readonly schema: JsonSchema | boolean;
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
  private readonly types = new TypeReader((place, reason) => this.wrong(place, reason));

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

  /** Rejects keywords that JSON Schema doesn't have, and references without a target. */
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
    const { type, keywords } = this.types.typeOf(node);
    const { name: written, schema, required } = this.types.typed(type, keywords, "paramName");
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
    const { type, keywords } = this.types.typeOf(node);
    const { schema } = this.types.typed(type, keywords, "paramName");
    return type.optional ? { anyOf: [schema, { type: "null" }] } : schema;
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

// Only `acceptSchema` knows which maps of a keyword hold schemas.
function schemaProblem(schema: JsonSchema): SchemaError | undefined {
  try {
    acceptSchema(schema);
    return undefined;
  } catch (error) {
    if (error instanceof SchemaError) return error;
    throw error;
  }
}

const pointerSegment = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");
