import { isMissingPackage } from "../../platform/index.js";
import { ToolDefinitionError } from "../../tool/index.js";

// Only types are imported, which leave nothing behind in the code.
type Piscina = typeof import("piscina");

/** The name isn't written in the `import()`: bundlers would ask for it also if an application isolates nothing. */
const packageName = "piscina";

export async function loadPiscina(): Promise<Piscina["Piscina"]> {
  try {
    const module = (await import(packageName)) as Piscina;
    return module.Piscina ?? module.default;
  } catch (error) {
    if (!isMissingPackage(error, packageName)) throw error;
    throw new ToolDefinitionError(`@isolated("worker") needs the package piscina, which isn't installed: npm install piscina`, {
      cause: error,
    });
  }
}
