import * as platform from "../../../platform/index.js";
import { ToolDefinitionError } from "../../../tool/index.js";

type Yaml = typeof import("yaml");
type Token = import("yaml").CST.Token;

let yaml: Yaml | undefined;

/** The package yaml, an optional peer; throws with the install line if it is missing. */
export function loadYaml(path: string): Yaml {
  yaml ??= platform.loadYaml(platform.beside) as Yaml | undefined;
  // Some bundlers put an empty module in the place of a missing package.
  if (yaml?.parse !== undefined) return yaml;
  throw new ToolDefinitionError(
    `openApiToolbox: ${path} is YAML, which is read with the package yaml, and that isn't installed. Install it: npm install yaml`,
  );
}

/** The deepest that a document with schemas of 200 levels needs, which is the most that an import reads. */
const deepest = 420;

/**
 * Throws for YAML that the package can't be given. It reads by recursion: V8 ends the process, past any `catch`, if an expression is
 * compiled where the stack ends. A collection as a key of a collection as a key takes it minutes. Its parser only marks the parts, in a loop.
 */
export function checkYamlShape(yaml: Yaml, text: string, path: string): void {
  let level: readonly Token[] = [...new yaml.Parser().parse(text)];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > deepest) throw unreadable(path, `is nested more than ${deepest} levels deep. Give its parts names, and refer to them.`);
    level = level.flatMap((token) => partsOf(token, path));
  }
}

function partsOf(token: Token, path: string): readonly Token[] {
  if (token.type === "document") return token.value === undefined ? [] : [token.value];
  if (!("items" in token)) return [];
  return token.items.flatMap(({ key, value }) => {
    if (key && "items" in key) throw unreadable(path, "has a list or an object as a key. Use a text.");
    return value === undefined ? [] : [value];
  });
}

const unreadable = (path: string, problem: string): ToolDefinitionError =>
  new ToolDefinitionError(`openApiToolbox: the YAML of ${path} ${problem}`);
