import { hidesCharacters } from "../../redaction/internal.js";
import type { ClassToken } from "../../schema/index.js";
import { ToolDefinitionError } from "../tool-errors.js";

/** The longest legal name: MCP's bound (specification 2026-07-28, "Tools"). Providers get a mapped, shorter one. */
const longestName = 128;

/** `WeatherTool` becomes `weather_tool`, `HTTPServerTool` becomes `http_server_tool`. */
export function snakeCase(className: string): string {
  return className
    .replace(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase();
}

/** Checks an explicit name; `owner` is what the error calls the tool. */
export function checkName(name: unknown, owner: string): string {
  if (typeof name !== "string" || name.trim() === "") {
    throw new ToolDefinitionError(`${owner}: the tool's name is empty. Give it one: @identifier("get_weather").`);
  }
  if (name.length > longestName) {
    throw new ToolDefinitionError(
      `${owner}: the name "${name.slice(0, 40)}..." has ${name.length} characters; ${longestName} is the most that MCP allows. Shorten it with @identifier("...").`,
    );
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
  if (/[\s\u0000-\u001f\u007f]/.test(name)) {
    throw new ToolDefinitionError(
      `${owner}: the name ${JSON.stringify(name)} holds blanks or control characters, which no provider accepts.`,
    );
  }
  refuseHidden("name", name, owner);
  if (name.includes("*")) {
    throw new ToolDefinitionError(
      `${owner}: the name ${JSON.stringify(name)} holds "*", which stands for several tools in allow-lists. Leave it out.`,
    );
  }
  return name;
}

/** What people don't see, or what turns the direction of text, makes a name look like another one. */
function refuseHidden(kind: "name" | "parameter", name: string, owner: string): void {
  if (!hidesCharacters(name)) return;
  const shown = Array.from(name, (character) => (hidesCharacters(character) ? codeOf(character) : character)).join("");
  throw new ToolDefinitionError(`${owner}: the ${kind} ${JSON.stringify(shown)} holds characters that people don't see. Leave them out.`);
}

const codeOf = (character: string): string => `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}>`;

/** Parameters are shown to the person who approves a call, so their names hide nothing either. */
export function refuseHiddenParameters(names: readonly string[], owner: string): void {
  for (const name of names) refuseHidden("parameter", name, owner);
}

/**
 * Whether a minifier took the name of a class away. Minifiers give names of up to four letters in the largest bundles, and people give
 * such names too (`Add`), so the code decides. Minifiers print no blank before the body of a class, or have renamed `Tool` or `Agent`.
 */
export function looksMinified(constructor: ClassToken): boolean {
  const { length } = constructor.name;
  if (length > 4) return false;
  const header = headerOf(constructor);
  // The code of some builds can't be read.
  if (header === undefined) return length <= 2;
  return !header.hasBlank || (length <= 2 && (headerOf(underTool(constructor))?.base.length ?? 0) <= 2);
}

/** The last part of a base class's name, and whether a blank follows: `class A extends b.Tool {`. */
function headerOf(constructor: ClassToken): { readonly base: string; readonly hasBlank: boolean } | undefined {
  const code = Function.prototype.toString.call(constructor);
  const [beginning, base] = code.slice(0, code.indexOf("{")).split(/\sextends\s/);
  if (beginning?.startsWith("class") !== true || base === undefined) return undefined;
  const lastPart = base.slice(base.lastIndexOf(".") + 1);
  return { base: lastPart.trim(), hasBlank: lastPart !== lastPart.trimEnd() };
}

/** The class of the chain that extends `Tool` or `Agent` itself. */
function underTool(constructor: ClassToken): ClassToken {
  const base = Object.getPrototypeOf(constructor) as ClassToken;
  return Object.getPrototypeOf(base) === Function.prototype ? constructor : underTool(base);
}

/** The name of a class that gives none. Throws if a minifier has changed the class's name: the tool's would change with each build. */
export function deriveName(constructor: ClassToken): string {
  const { name } = constructor;
  const fix = 'Give it one: @identifier("get_weather")';
  if (name === "") {
    throw new ToolDefinitionError(
      `A tool class has no name to derive the tool's name from (it is anonymous, or a minifier removed it). ${fix}.`,
    );
  }
  if (looksMinified(constructor)) {
    throw new ToolDefinitionError(
      `${name}: a minifier has changed the class's name, from which the tool's name is derived. ${fix}, or keep class names in the bundler's options.`,
    );
  }
  return checkName(snakeCase(name), name);
}
