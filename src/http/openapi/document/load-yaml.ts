import * as platform from "../../../platform/index.js";
import { ToolDefinitionError } from "../../../tool/index.js";

type Yaml = typeof import("yaml");

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
