import { ToolDefinitionError } from "../tool-errors.js";
import { hidesCharacters, warnProcess } from "../../redaction/internal.js";

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

/** The class names that were warned of: a class is resolved for its definition, and once more for its first call. */
const warnedNames = new Set<string>();

/** The name of a class that gives none: derived from the class's name, which a minifier may have taken away. */
export function deriveName(className: string): string {
  if (className === "") {
    throw new ToolDefinitionError(
      'A tool class has no name to derive the tool\'s name from (it is anonymous, or a minifier removed it). Give it one: @identifier("get_weather").',
    );
  }
  if (className.length <= 2 && !warnedNames.has(className)) {
    warnedNames.add(className);
    warnProcess(
      `The tool's name is derived from the class name "${className}", which looks minified. Fix it with @identifier("..."), or keep class names in the minifier's options.`,
    );
  }
  return checkName(snakeCase(className), className);
}
