import type { Node, Program } from "oxc-parser";
import { childrenOf } from "./syntax.js";

/** A name that a source binds. */
export interface Declaration {
  readonly node: Node;
  /** The statement around the node: of an import what it is imported from, of a variable its `const`. */
  readonly parent: Node | undefined;
  /** The part of the source that may mean the node by this name. */
  readonly scope: Range;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** All that a source binds, types and values, by name. */
export type Declarations = ReadonlyMap<string, readonly Declaration[]>;

/**
 * What a name means at a place of the source. Undefined if several declarations reach there: one hides the other, or both are one
 * thing, such as an interface that extends a class.
 */
export function declarationAt(declarations: Declarations, name: string, place: number): Declaration | undefined {
  const reaching = (declarations.get(name) ?? []).filter(({ scope }) => scope.start <= place && place < scope.end);
  return reaching.length === 1 ? reaching[0] : undefined;
}

/** Whether nothing in the source gives the name, such as `Date`, another meaning. */
export const isGlobal = (declarations: Declarations, name: string): boolean => !declarations.has(name);

const functions: ReadonlySet<Node["type"]> = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"] as const);

/** A scope that is missing here makes names reach too far. They count as ambiguous then, which is the safe side. */
const scopes: ReadonlySet<Node["type"]> = new Set([
  ...functions,
  ...(["BlockStatement", "StaticBlock", "ClassDeclaration", "ClassExpression", "TSTypeAliasDeclaration"] as const),
  ...(["TSInterfaceDeclaration", "ForStatement", "ForInStatement", "ForOfStatement", "SwitchStatement", "CatchClause"] as const),
]);

/**
 * Reads all declarations of a source. Those in a namespace or `declare module` may add to others anywhere, so each name in it means the
 * namespace, everywhere.
 */
export function declarationsIn(program: Program): Declarations {
  const whole = { start: 0, end: Number.POSITIVE_INFINITY };
  const found = new Map<string, Declaration[]>();
  const visit = (node: Node, parent: Node | undefined, outer: Range, outerFunction: Range, namespace?: Node): void => {
    const inner = scopes.has(node.type) ? node : outer;
    const bind = (scope: Range, ...targets: readonly (Node | null)[]): void => {
      const declaration = namespace === undefined ? { node, parent, scope } : { node: namespace, parent: undefined, scope: whole };
      for (const name of targets.flatMap(namesIn)) found.set(name, [...(found.get(name) ?? []), declaration]);
    };
    switch (node.type) {
      case "ImportSpecifier":
      case "ImportDefaultSpecifier":
      case "ImportNamespaceSpecifier":
        bind(outer, node.local);
        break;
      case "ClassDeclaration":
      case "TSEnumDeclaration":
      case "TSInterfaceDeclaration":
      case "TSTypeAliasDeclaration":
      case "TSModuleDeclaration":
      case "TSImportEqualsDeclaration":
        bind(outer, node.id);
        break;
      case "ClassExpression":
        bind(node, node.id);
        break;
      case "FunctionDeclaration":
      case "TSDeclareFunction":
        bind(outerFunction, node.id);
        bind(node, ...node.params);
        break;
      case "FunctionExpression":
        bind(node, node.id, ...node.params);
        break;
      case "ArrowFunctionExpression":
        bind(node, ...node.params);
        break;
      case "VariableDeclarator":
        bind(parent?.type === "VariableDeclaration" && parent.kind !== "var" ? outer : outerFunction, node.id);
        break;
      case "CatchClause":
        bind(node, node.param);
        break;
      case "TSTypeParameter":
        bind(outer, node.name);
        break;
    }
    const innerFunction = functions.has(node.type) ? node : outerFunction;
    const within = namespace ?? (node.type === "TSModuleDeclaration" ? node : undefined);
    for (const child of childrenOf(node)) visit(child, node, inner, innerFunction, within);
  };
  visit(program, undefined, whole, whole);
  return found;
}

/** The names in a name or a pattern. */
function namesIn(target: Node | null): readonly string[] {
  switch (target?.type) {
    case "Identifier":
      return [target.name];
    case "ObjectPattern":
      return target.properties.flatMap((property) => namesIn(property.type === "Property" ? property.value : property));
    case "ArrayPattern":
      return target.elements.flatMap(namesIn);
    case "RestElement":
      return namesIn(target.argument);
    case "AssignmentPattern":
      return namesIn(target.left);
    case "TSParameterProperty":
      return namesIn(target.parameter);
    default:
      return [];
  }
}
