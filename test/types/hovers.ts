import { dirname, join, relative } from "node:path";
import ts from "typescript";
import { repositoryRoot } from "../support/code-blocks.js";

/** What an editor shows at a declaration: of an exported name, or of a member of one (`Agent.generate`). */
export interface Hover {
  readonly name: string;
  /** `src/agent/agent.ts:286` */
  readonly place: string;
  readonly isMember: boolean;
  /** A class, a function or a constant, not a type alone. */
  readonly isValue: boolean;
  readonly text: string;
  readonly tags: readonly { readonly name: string; readonly text: string }[];
}

const shownTypes = ts.SymbolFlags.Class | ts.SymbolFlags.Function | ts.SymbolFlags.Variable;

/**
 * The quick info of TypeScript's language service at every name that the modules export, and at their public members. One service
 * reads all of them, without the standard library and without packages: their types say nothing about our comments, and reading
 * them takes most of the time. `unsaved` has the text of files that aren't on disk.
 */
export function hoversOf(modules: readonly string[], unsaved: Readonly<Record<string, string>> = {}): readonly Hover[] {
  const service = ts.createLanguageService(hostOf(modules, unsaved));
  const program = service.getProgram();
  if (program === undefined) throw new Error("The language service has no program.");
  const exported = new Set(modules.flatMap((module) => exportsOf(program, module)));
  return [...exported].flatMap((symbol) =>
    (symbol.declarations ?? [])
      .filter(isShown)
      .flatMap((declaration) => [
        hoverAt(service, declaration, symbol.name, symbol),
        ...membersOf(declaration).map((member) => hoverAt(service, member, `${symbol.name}.${member.name.getText()}`)),
      ]),
  );
}

function hostOf(modules: readonly string[], unsaved: Readonly<Record<string, string>>): ts.LanguageServiceHost {
  const exists = (file: string): boolean => Object.hasOwn(unsaved, file) || ts.sys.fileExists(file);
  const read = (file: string): string | undefined => (Object.hasOwn(unsaved, file) ? unsaved[file] : ts.sys.readFile(file));
  return {
    getCompilationSettings: () => ({
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      experimentalDecorators: true,
      noLib: true,
      types: [],
    }),
    getScriptFileNames: () => [...modules],
    // Nothing changes between two questions: with a version, the service doesn't look at each file again.
    getProjectVersion: () => "1",
    getScriptVersion: () => "1",
    getScriptSnapshot: (file) => {
      const text = read(file);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => repositoryRoot,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: exists,
    readFile: read,
    resolveModuleNameLiterals: (literals, from) =>
      literals.map(({ text }) => {
        const file = join(dirname(from), text.replace(/\.js$/, ".ts"));
        return {
          resolvedModule: text.startsWith(".") && exists(file) ? { resolvedFileName: file, extension: ts.Extension.Ts } : undefined,
        };
      }),
  };
}

function exportsOf(program: ts.Program, module: string): readonly ts.Symbol[] {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(module);
  // Undefined for a module that exports nothing, such as `toolwright/testing/jest`.
  const symbol = source && checker.getSymbolAtLocation(source);
  return symbol === undefined
    ? []
    : checker
        .getExportsOfModule(symbol)
        .map((name) => ((name.flags & ts.SymbolFlags.Alias) === 0 ? name : checker.getAliasedSymbol(name)))
        .filter(({ declarations }) => declarations !== undefined);
}

/** Not the body of an overloaded function: editors show its overloads. */
function isShown(declaration: ts.Declaration): boolean {
  if (!ts.isFunctionDeclaration(declaration) || declaration.body === undefined) return true;
  const { name, parent } = declaration;
  return !ts.isSourceFile(parent) || !parent.statements.some((other) => isOverload(other) && other.name?.text === name?.text);
}

const isOverload = (node: ts.Node): node is ts.FunctionDeclaration => ts.isFunctionDeclaration(node) && node.body === undefined;

type Named<Node> = Node & { readonly name: ts.PropertyName };

/** The public members of a class, an interface, or the object types that make up a type. */
function membersOf(declaration: ts.Node): readonly Named<ts.ClassElement | ts.TypeElement>[] {
  if (ts.isClassDeclaration(declaration) || ts.isInterfaceDeclaration(declaration) || ts.isTypeLiteralNode(declaration)) {
    return [...(declaration.members as readonly (ts.ClassElement | ts.TypeElement)[])].filter(isPublic);
  }
  if (ts.isTypeAliasDeclaration(declaration) || ts.isParenthesizedTypeNode(declaration)) return membersOf(declaration.type);
  if (ts.isUnionTypeNode(declaration) || ts.isIntersectionTypeNode(declaration)) return declaration.types.flatMap(membersOf);
  return [];
}

const isPublic = (member: ts.ClassElement | ts.TypeElement): member is Named<ts.ClassElement | ts.TypeElement> =>
  member.name !== undefined &&
  !ts.isPrivateIdentifier(member.name) &&
  (ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Private) === 0;

function hoverAt(service: ts.LanguageService, declaration: ts.Declaration, name: string, symbol?: ts.Symbol): Hover {
  const source = declaration.getSourceFile();
  const start = (ts.getNameOfDeclaration(declaration) ?? declaration).getStart();
  const { documentation = [], tags = [] } = service.getQuickInfoAtPosition(source.fileName, start) ?? {};
  return {
    name,
    place: `${relative(repositoryRoot, source.fileName)}:${source.getLineAndCharacterOfPosition(start).line + 1}`,
    isMember: symbol === undefined,
    isValue: symbol !== undefined && (symbol.flags & shownTypes) !== 0,
    text: ts.displayPartsToString(documentation),
    tags: tags.map((tag) => ({ name: tag.name, text: ts.displayPartsToString(tag.text) })),
  };
}
