import type { IdentifierName, Node, TSType, TSTypeReference, VariableDeclarator } from "oxc-parser";
import { declarationAt, isGlobal } from "./declarations.js";
import { type ImportedFile, type Meaning, NameLookup, type SourceFile } from "./source-file.js";

/** A declared type that the decorators can express. */
export type DeclaredType =
  /** A built-in: `String`, `Number`, `Boolean` or `Date`. */
  | { readonly kind: "builtIn"; readonly name: string }
  | { readonly kind: "class"; readonly name: string }
  | { readonly kind: "enum"; readonly name: string }
  | { readonly kind: "values"; readonly values: readonly Value[] }
  /** `string | null`, by the name of JSON Schema. */
  | { readonly kind: "nullable"; readonly type: string }
  | { readonly kind: "list"; readonly item: DeclaredType };

type Value = string | number | boolean | null;

/** The place of a type: names mean there what they mean in this file. */
interface Place {
  readonly file: SourceFile;
  /** The place of its decorator. In a type alias there is none, so the type can't name a class. */
  readonly decorator: number | undefined;
}

/** The type of a decorated member; undefined if no decorator can express it, or if it isn't certain. */
export function declaredType(type: TSType, file: SourceFile, decorator: number, importedFile: ImportedFile) {
  return new TypeReader(file, importedFile).read(type, { file, decorator });
}

class TypeReader {
  readonly #home: SourceFile;
  readonly #importedFile: ImportedFile;
  /** The aliases on the way: one that leads back to itself is an error of its author. */
  readonly #aliases = new Set<Node>();

  constructor(home: SourceFile, importedFile: ImportedFile) {
    this.#home = home;
    this.#importedFile = importedFile;
  }

  async read(type: TSType, place: Place): Promise<DeclaredType | undefined> {
    switch (type.type) {
      case "TSStringKeyword":
        return { kind: "builtIn", name: "String" };
      case "TSNumberKeyword":
        return { kind: "builtIn", name: "Number" };
      case "TSBooleanKeyword":
        return { kind: "builtIn", name: "Boolean" };
      case "TSNullKeyword":
        return { kind: "values", values: [null] };
      case "TSLiteralType": {
        const value = literalValue(type.literal);
        return value === undefined ? undefined : { kind: "values", values: [value] };
      }
      case "TSParenthesizedType":
        return this.read(type.typeAnnotation, place);
      case "TSArrayType":
        return this.#list(type.elementType, place);
      case "TSTypeOperator":
        return type.operator === "readonly" ? this.read(type.typeAnnotation, place) : undefined;
      case "TSUnionType":
        return this.#union(type.types, place);
      case "TSIndexedAccessType":
        return type.indexType.type === "TSNumberKeyword" ? this.#itemsOf(type.objectType, place) : undefined;
      case "TSTypeReference":
        return this.#reference(type, place);
      default:
        return undefined;
    }
  }

  async #list(item: TSType, place: Place): Promise<DeclaredType | undefined> {
    const read = await this.read(item, place);
    return read && { kind: "list", item: read };
  }

  async #union(members: readonly TSType[], place: Place): Promise<DeclaredType | undefined> {
    const read: DeclaredType[] = [];
    for (const member of members) {
      if (member.type === "TSUndefinedKeyword") continue;
      const type = await this.read(member, place);
      if (type === undefined) return undefined;
      read.push(type);
    }
    const [first, second, ...others] = read;
    if (first === undefined || second === undefined) return first;
    if (read.every((type) => type.kind === "values")) return { kind: "values", values: [...new Set(read.flatMap(({ values }) => values))] };
    return others.length === 0 ? (withNull(first, second) ?? withNull(second, first)) : undefined;
  }

  async #reference({ typeName, typeArguments }: TSTypeReference, place: Place): Promise<DeclaredType | undefined> {
    if (typeName.type === "ThisExpression") return undefined;
    if (typeName.type === "TSQualifiedName") {
      const { left, right } = typeName;
      if (left.type !== "Identifier" || typeArguments !== null) return undefined;
      const namespace = declarationAt(place.file.declarations, left.name, left.start);
      const meaning = namespace && (await new NameLookup(this.#importedFile).memberOf(namespace, right.name, place.file));
      return meaning && this.#meant(meaning, `${left.name}.${right.name}`, left, place);
    }
    const { name, start } = typeName;
    if (isGlobal(place.file.declarations, name)) {
      const [item] = typeArguments?.params ?? [];
      if (name === "Date" && item === undefined) return { kind: "builtIn", name };
      return (name === "Array" || name === "ReadonlyArray") && item !== undefined ? this.#list(item, place) : undefined;
    }
    if (typeArguments !== null) return undefined;
    const meaning = await new NameLookup(this.#importedFile).meaningOf(name, place.file, start);
    return meaning && this.#meant(meaning, name, typeName, place);
  }

  /** `path` is how the type is written, and `root` the name that it begins with. */
  async #meant({ node, file, isValue }: Meaning, path: string, root: IdentifierName, place: Place): Promise<DeclaredType | undefined> {
    const { decorator } = place;
    // A class or an enum is written by its name, which must mean the same at the decorator, and at run time.
    const isInReach = isValue && decorator !== undefined && meansTheSame(root, decorator, place.file);
    switch (node.type) {
      case "TSTypeAliasDeclaration": {
        if (node.typeParameters !== null || this.#aliases.has(node)) return undefined;
        this.#aliases.add(node);
        const read = await this.read(node.typeAnnotation, { file, decorator: file === this.#home ? decorator : undefined });
        this.#aliases.delete(node);
        return read;
      }
      case "ClassDeclaration":
        return isInReach && !node.declare && !node.abstract && !node.typeParameters ? { kind: "class", name: path } : undefined;
      case "TSEnumDeclaration":
        // Decorators read an enum when their class is defined, a class later.
        if (!isInReach || (file === this.#home && node.end > decorator)) return undefined;
        // A constant enum may have no object at run time.
        return node.const || node.declare ? undefined : { kind: "enum", name: path };
      default:
        return undefined;
    }
  }

  /** `(typeof units)[number]`, if `units` are literals `as const`. */
  async #itemsOf(type: TSType, place: Place): Promise<DeclaredType | undefined> {
    if (type.type === "TSParenthesizedType") return this.#itemsOf(type.typeAnnotation, place);
    if (type.type !== "TSTypeQuery" || type.exprName.type !== "Identifier" || type.typeArguments !== null) return undefined;
    const { name, start } = type.exprName;
    const meaning = await new NameLookup(this.#importedFile).meaningOf(name, place.file, start);
    if (meaning?.node.type !== "VariableDeclarator" || meaning.parent?.type !== "VariableDeclaration") return undefined;
    const values = meaning.parent.kind === "const" ? constantItems(meaning.node) : undefined;
    return values && { kind: "values", values };
  }
}

const meansTheSame = ({ name, start }: IdentifierName, place: number, { declarations }: SourceFile): boolean =>
  declarationAt(declarations, name, start) === declarationAt(declarations, name, place);

function withNull(type: DeclaredType, other: DeclaredType): DeclaredType | undefined {
  if (other.kind !== "values" || other.values.some((value) => value !== null)) return undefined;
  return type.kind === "builtIn" && type.name !== "Date" ? { kind: "nullable", type: type.name.toLowerCase() } : undefined;
}

function constantItems({ id, init }: VariableDeclarator): readonly Value[] | undefined {
  const list = init?.type === "TSSatisfiesExpression" ? init.expression : init;
  if (("typeAnnotation" in id && id.typeAnnotation) || list?.type !== "TSAsExpression" || list.expression.type !== "ArrayExpression")
    return undefined;
  const { typeAnnotation: constant } = list;
  if (constant.type !== "TSTypeReference" || constant.typeName.type !== "Identifier" || constant.typeName.name !== "const")
    return undefined;
  const values = list.expression.elements.map((element) => (element === null ? undefined : literalValue(element)));
  return values.length > 0 && values.every((value) => value !== undefined) ? [...new Set(values)] : undefined;
}

function literalValue(node: Node): Value | undefined {
  if (node.type === "TemplateLiteral") return node.expressions.length === 0 ? (node.quasis[0]?.value.cooked ?? undefined) : undefined;
  if (node.type === "UnaryExpression") {
    const value = node.operator === "-" ? literalValue(node.argument) : undefined;
    return typeof value === "number" ? -value : undefined;
  }
  if (node.type !== "Literal") return undefined;
  const { value } = node;
  if (typeof value === "string" || typeof value === "boolean") return value;
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}
