import { isMissingPackage } from "../../platform/index.js";
import { ToolDefinitionError } from "../../tool/index.js";

// Only types are imported, which leave nothing behind in the code.
type Piscina = typeof import("piscina");

/** Bundlers leave it to the runtime: its threads start from its own files. */
const packageName = "piscina";

export async function loadPiscina(): Promise<Piscina["Piscina"]> {
  try {
    const module = (await import(/* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ packageName)) as Piscina;
    return module.Piscina ?? module.default;
  } catch (error) {
    if (!isMissingPackage(error, packageName)) throw error;
    throw new ToolDefinitionError(`@isolated("worker") needs the package piscina, which isn't installed: npm install piscina`, {
      cause: error,
    });
  }
}
