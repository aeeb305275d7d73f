import MagicString, { type SourceMap } from "magic-string";
import type { Decorator } from "oxc-parser";
import { type DeclaredType, declaredType } from "./declared-type.js";
import { isGlobal } from "./declarations.js";
import { type ImportedFile, readSourceFile, type SourceFile } from "./source-file.js";
import { importedName, type UntypedParameter, untypedParameters } from "./untyped-parameters.js";

/** A source with its types written out, and the way back to what its author wrote. */
export interface WrittenSource {
  readonly code: string;
  readonly map: SourceMap;
}

/** What most sources aren't: it spares them the parser. */
const mayLeaveTypesOut = (code: string): boolean => code.includes("toolwright") && /\b(?:required|optional)\b/.test(code);

/**
 * Writes the types that `@required` and `@optional` leave out. Undefined if there is nothing to write. A type that isn't certain, or that
 * no decorator can express, stays left out: the definition of the tool says so.
 */
export async function writeTypes(code: string, path: string, importedFile: ImportedFile): Promise<WrittenSource | undefined> {
  if (!mayLeaveTypesOut(code)) return undefined;
  const file = readSourceFile(path, code);
  if (file === undefined) return undefined;
  const text = new MagicString(code);
  for (const parameter of untypedParameters(file)) {
    const type = await declaredType(parameter.declared, file, parameter.call.start, importedFile);
    if (type === undefined || !parameter.beside.every((decorator) => agrees(decorator, type, file))) continue;
    const written = writtenForm(type);
    if (written?.needs.every((name) => isGlobal(file.declarations, name))) write(parameter, written, text);
  }
  return text.hasChanged()
    ? { code: text.toString(), map: text.generateMap({ source: path, includeContent: true, hires: "boundary" }) }
    : undefined;
}

/** A type as an author writes it: as the type, or as one of the options. */
interface WrittenForm {
  readonly type?: string;
  readonly option?: string;
  /** The built-ins that it names. */
  readonly needs: readonly string[];
}

function writtenForm(type: DeclaredType): WrittenForm | undefined {
  switch (type.kind) {
    case "builtIn":
      return { type: type.name, needs: [type.name] };
    // The class may be declared further down, or in a file that imports this one.
    case "class":
      return { type: `() => ${type.name}`, needs: [] };
    case "enum":
      return { option: `enum: ${type.name}`, needs: [] };
    case "values":
      return { option: `enum: [${type.values.map((value) => JSON.stringify(value)).join(", ")}]`, needs: [] };
    case "nullable":
      return { option: `schema: { type: ["${type.type}", "null"] }`, needs: [] };
    case "list":
      return listForm(type.item);
  }
}

function listForm(item: DeclaredType): WrittenForm | undefined {
  if (item.kind === "nullable") return undefined;
  const { type, option, needs } = writtenForm(item) ?? { needs: [] };
  // An option limits the items of a list, but not those of a list of lists.
  if (option !== undefined) return type === undefined ? { type: "Array", option, needs: ["Array"] } : undefined;
  if (type === undefined) return undefined;
  return { type: type.startsWith("() => ") ? `() => [${type.slice("() => ".length)}]` : `[${type}]`, needs };
}

function write(
  { call, name, written: { description, options } }: UntypedParameter,
  { type, option }: WrittenForm,
  text: MagicString,
): void {
  const first = description ?? options;
  if (type !== undefined && name === undefined && first !== undefined) text.appendLeft(first.start, `${type}, `);
  if (type !== undefined && name !== undefined) text.appendLeft(name.end, `, ${type}`);
  if (option !== undefined && description !== undefined) {
    text.appendLeft(description.start, `{ ${option}, description: `).appendRight(description.end, " }");
  }
  if (option !== undefined && options !== undefined) text.appendLeft(options.start + 1, ` ${option},`);
  if (first !== undefined) return;
  const added = option === undefined ? [] : [`{ ${option} }`];
  if (name !== undefined) text.appendLeft(name.end, added.map((options) => `, ${options}`).join(""));
  else text.appendLeft(call.end - 1, [...(type === undefined ? [] : [type]), ...added].join(", "));
}

/**
 * Whether the declared type is still the type that a model must send, given the other decorators of the member. A `@Transform` may take
 * another type, and any unknown decorator may contain one. `@Type` changes it only if it names another type.
 */
function agrees({ expression }: Decorator, type: DeclaredType, file: SourceFile): boolean {
  const [imported, given] = expression.type === "CallExpression" ? [importedName(expression.callee, file), expression.arguments] : [];
  if (imported?.from === "toolwright" || imported?.from === "class-validator") return true;
  if (imported?.from !== "class-transformer" || imported.name !== "Type" || given?.length !== 1) return false;
  const [named] = given;
  if (named?.type !== "ArrowFunctionExpression" || named.params.length > 0 || named.body.type !== "Identifier") return false;
  const item = innermost(type);
  return (item.kind === "class" || item.kind === "builtIn") && item.name === named.body.name;
}

const innermost = (type: DeclaredType): DeclaredType => (type.kind === "list" ? innermost(type.item) : type);
