import type { Node, Program } from "oxc-parser";
import { type Declaration, type Declarations, declarationAt, declarationsIn } from "./declarations.js";
import { parseTypeScript } from "./syntax.js";

/** A TypeScript source, and what it declares. */
export interface SourceFile {
  readonly path: string;
  readonly program: Program;
  readonly declarations: Declarations;
}

/** Finds the source that an import means; undefined if it isn't TypeScript, or can't be read. */
export type ImportedFile = (specifier: string, importer: SourceFile) => Promise<SourceFile | undefined>;

/** What a name means, in which file. */
export interface Meaning {
  readonly file: SourceFile;
  readonly node: Node;
  readonly parent: Node | undefined;
  /** Whether the way there holds at run time: no part of it is `import type` or `export type`. */
  readonly isValue: boolean;
}

/** Undefined if the source has syntax errors. */
export function readSourceFile(path: string, code: string): SourceFile | undefined {
  const program = parseTypeScript(path, code);
  return program && { path, program, declarations: declarationsIn(program) };
}

/** Follows names through imports and exports. One for each name that is looked up: it ends circles of exports. */
export class NameLookup {
  readonly #importedFile: ImportedFile;
  readonly #visited = new Set<string>();

  constructor(importedFile: ImportedFile) {
    this.#importedFile = importedFile;
  }

  /** What a name means at a place of a file; undefined if that isn't certain. */
  async meaningOf(name: string, file: SourceFile, place: number): Promise<Meaning | undefined> {
    const declaration = declarationAt(file.declarations, name, place);
    return declaration && this.#behind(declaration, file);
  }

  /** What `name` is in the module that `declaration`, an `import * as`, imports. */
  async memberOf(declaration: Declaration, name: string, file: SourceFile): Promise<Meaning | undefined> {
    const { node, parent } = declaration;
    if (node.type !== "ImportNamespaceSpecifier" || parent?.type !== "ImportDeclaration") return undefined;
    return asType(parent.importKind, await this.#exportOf(parent.source.value, name, file));
  }

  async #behind({ node, parent }: Declaration, file: SourceFile): Promise<Meaning | undefined> {
    if (parent?.type !== "ImportDeclaration") return { file, node, parent, isValue: true };
    if (node.type === "ImportDefaultSpecifier") {
      return asType(parent.importKind, await this.#exportOf(parent.source.value, "default", file));
    }
    if (node.type !== "ImportSpecifier") return undefined;
    const meaning = await this.#exportOf(parent.source.value, exportedName(node.imported), file);
    return asType(parent.importKind, asType(node.importKind, meaning));
  }

  async #exportOf(specifier: string, name: string, importer: SourceFile): Promise<Meaning | undefined> {
    const file = await this.#importedFile(specifier, importer);
    const step = `${file?.path} ${name}`;
    if (file === undefined || this.#visited.has(step)) return undefined;
    this.#visited.add(step);
    const throughStars: Meaning[] = [];
    for (const statement of file.program.body) {
      if (statement.type === "ExportDefaultDeclaration" && name === "default") {
        const { declaration } = statement;
        if (declaration.type === "Identifier") return this.meaningOf(declaration.name, file, file.program.end);
        return { file, node: declaration, parent: statement, isValue: true };
      }
      if (statement.type === "ExportNamedDeclaration") {
        const { declaration, source } = statement;
        if (declaration !== null && isDeclared(declaration, name)) return this.meaningOf(name, file, file.program.end);
        const specifier = statement.specifiers.find(({ exported }) => exportedName(exported) === name);
        if (specifier === undefined) continue;
        const local = exportedName(specifier.local);
        const meaning = source === null ? this.meaningOf(local, file, file.program.end) : this.#exportOf(source.value, local, file);
        return asType(statement.exportKind, asType(specifier.exportKind, await meaning));
      }
      if (statement.type === "ExportAllDeclaration" && statement.exported === null) {
        const meaning = asType(statement.exportKind, await this.#exportOf(statement.source.value, name, file));
        if (meaning !== undefined) throughStars.push(meaning);
      }
    }
    // An own export would win, but there is none.
    return throughStars.length === 1 ? throughStars[0] : undefined;
  }
}

const asType = (kind: "type" | "value" | undefined, meaning: Meaning | undefined): Meaning | undefined =>
  kind === "type" && meaning !== undefined ? { ...meaning, isValue: false } : meaning;

const exportedName = (
  node: { readonly type: "Identifier"; readonly name: string } | { readonly type: "Literal"; readonly value: string },
) => (node.type === "Identifier" ? node.name : node.value);

function isDeclared(declaration: Node, name: string): boolean {
  if (declaration.type === "VariableDeclaration") {
    return declaration.declarations.some(({ id }) => id.type === "Identifier" && id.name === name);
  }
  return "id" in declaration && declaration.id?.type === "Identifier" && declaration.id.name === name;
}
