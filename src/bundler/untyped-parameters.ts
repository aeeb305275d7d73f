import type { Argument, CallExpression, Class, Decorator, Expression, Node, ObjectExpression, ParamPattern, TSType } from "oxc-parser";
import { declarationAt } from "./declarations.js";
import type { SourceFile } from "./source-file.js";
import { childrenOf } from "./syntax.js";

/** A parameter of a tool whose decorator names no type. */
export interface UntypedParameter {
  readonly call: CallExpression;
  /** The type that the member is declared with. */
  readonly declared: TSType;
  /** The name that a parameter of `call` has first. */
  readonly name: Argument | undefined;
  readonly written: { readonly description?: Argument; readonly options?: ObjectExpression };
  /** The member's other decorators. */
  readonly beside: readonly Decorator[];
}

/** Finds the `@required` and `@optional` of a source that leave the type out. */
export function untypedParameters(file: SourceFile): readonly UntypedParameter[] {
  const found: UntypedParameter[] = [];
  const add = (decorators: readonly Decorator[], declared: TSType | undefined, isField: boolean): void => {
    if (declared === undefined) return;
    for (const decorator of decorators) {
      const { expression: call } = decorator;
      if (call.type !== "CallExpression" || call.typeArguments !== null || !isParameterWord(call.callee, file)) continue;
      const name = isField ? undefined : call.arguments[0];
      const written = isField || (name !== undefined && isText(name)) ? withoutType(call.arguments.slice(isField ? 0 : 1)) : undefined;
      if (written !== undefined) found.push({ call, declared, name, written, beside: decorators.filter((other) => other !== decorator) });
    }
  };
  const visit = (node: Node): void => {
    if (node.type === "ClassDeclaration" || node.type === "ClassExpression") {
      for (const { decorators, declared, isField } of declarationsOf(node)) add(decorators, declared, isField);
    }
    for (const child of childrenOf(node)) visit(child);
  };
  visit(file.program);
  return found;
}

interface Declared {
  readonly decorators: readonly Decorator[];
  readonly declared: TSType | undefined;
  readonly isField: boolean;
}

function declarationsOf({ body }: Class): readonly Declared[] {
  return body.body.flatMap((member): readonly Declared[] => {
    if (member.type === "PropertyDefinition" && !member.static && !member.computed && member.key.type !== "PrivateIdentifier") {
      return [{ decorators: member.decorators, declared: member.typeAnnotation?.typeAnnotation, isField: true }];
    }
    if (member.type !== "MethodDefinition" || member.static || member.computed || member.kind !== "method") return [];
    const isCall = member.key.type === "Identifier" && member.key.name === "call";
    return isCall ? member.value.params.map(declaredParameter) : [];
  });
}

function declaredParameter(parameter: ParamPattern): Declared {
  const target = parameter.type === "AssignmentPattern" ? parameter.left : parameter;
  const declared = target.type === "Identifier" ? target.typeAnnotation?.typeAnnotation : undefined;
  return { decorators: parameter.decorators ?? [], declared, isField: false };
}

/** The option that may be a type. `undefined` if it may be one, or if its form is wrong. */
function withoutType(written: readonly Argument[]): UntypedParameter["written"] | undefined {
  const [only, ...surplus] = written;
  if (only === undefined) return {};
  if (surplus.length > 0) return undefined;
  if (isText(only)) return { description: only };
  return only.type === "ObjectExpression" && only.properties.every(isOptionBesideType) ? { options: only } : undefined;
}

/** Options that name the type, and a Standard Schema, which is a type itself. */
const typed: readonly string[] = ["type", "enum", "schema", "~standard"];

function isOptionBesideType(property: ObjectExpression["properties"][number]): boolean {
  if (property.type !== "Property" || property.computed || property.kind !== "init") return false;
  const { key } = property;
  const name = key.type === "Identifier" ? key.name : key.type === "Literal" ? key.value : undefined;
  return typeof name === "string" && !typed.includes(name);
}

function isText(node: Node): boolean {
  if (node.type === "BinaryExpression") return node.operator === "+" && (isText(node.left) || isText(node.right));
  return node.type === "TemplateLiteral" || (node.type === "Literal" && typeof node.value === "string");
}

function isParameterWord(callee: Expression, file: SourceFile): boolean {
  const imported = importedName(callee, file);
  return imported?.from === "toolwright" && (imported.name === "required" || imported.name === "optional");
}

/** The export of a package that an expression names: `required`, or `toolwright.required` after `import * as toolwright`. */
export function importedName(expression: Expression, file: SourceFile): { readonly from: string; readonly name: string } | undefined {
  const isMember = expression.type === "MemberExpression" && !expression.computed;
  const root = isMember ? expression.object : expression;
  if (root.type !== "Identifier") return undefined;
  const { node, parent } = declarationAt(file.declarations, root.name, root.start) ?? {};
  if (parent?.type !== "ImportDeclaration" || parent.importKind === "type") return undefined;
  const from = parent.source.value;
  if (isMember) {
    const isName = node?.type === "ImportNamespaceSpecifier" && expression.property.type === "Identifier";
    return isName ? { from, name: expression.property.name } : undefined;
  }
  if (node?.type !== "ImportSpecifier" || node.importKind === "type") return undefined;
  return { from, name: node.imported.type === "Identifier" ? node.imported.name : node.imported.value };
}
