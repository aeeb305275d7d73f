import { ToolDefinitionError } from "../tool/index.js";

/**
 * Loads a package of the official SDK, which is an optional peer. Rejects with `ToolDefinitionError` if it isn't installed, with
 * the line that installs it. `owner` is the function that needs it.
 */
export async function loadPackage<Module>(name: string, owner: string, importModule: () => Promise<Module>): Promise<Module> {
  try {
    return await importModule();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // A package that is there but lacks one of its own dependencies fails with the same code.
    const isMissing = (code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND") && message.includes(`'${name}`);
    if (!isMissing) throw error;
    throw new ToolDefinitionError(`${owner} needs the package ${name}, which isn't installed: npm install ${name}`, { cause: error });
  }
}
