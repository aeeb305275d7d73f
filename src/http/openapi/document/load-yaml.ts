import { ToolDefinitionError } from "../../../tool/index.js";

type Yaml = typeof import("yaml");

let yaml: Yaml | undefined;

/** The package yaml, an optional peer; throws with the install line where it is missing. */
export function loadYaml(path: string): Yaml {
  try {
    // Written out so that bundlers see what is required. What stands for it in ES modules, scripts/build.mjs says.
    return (yaml ??= require("yaml") as Yaml);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "MODULE_NOT_FOUND") throw error;
    throw new ToolDefinitionError(
      `openApiToolbox: ${path} is YAML, which is read with the package yaml, and that isn't installed. Install it: npm install yaml`,
    );
  }
}
