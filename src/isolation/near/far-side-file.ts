import { dirname, join } from "node:path";
import { builtin, nodeRequire } from "../../platform/index.js";
import { ToolDefinitionError } from "../../tool/index.js";

/** The program of threads and processes: beside this one, or in the installed package if a bundler took this one into its bundle. */
export function farSideFile(module: string): string {
  try {
    return nodeRequire().resolve("../isolation/far-side.js");
  } catch {
    try {
      const manifest = builtin("node:module").createRequire(module).resolve("toolwright/package.json");
      return join(dirname(manifest), "dist/isolation/far-side.js");
    } catch (error) {
      throw new ToolDefinitionError(
        `Isolated tools need the installed package toolwright beside ${module}, which isn't there. Install it, and leave the tool's file out of the bundle.`,
        { cause: error },
      );
    }
  }
}
