import { ToolDefinitionError } from "../../../tool/index.js";

export type Sdk = typeof import("@modelcontextprotocol/client");
export type StdioSdk = typeof import("@modelcontextprotocol/client/stdio");

const name = "@modelcontextprotocol/client";

/** The package is an optional peer, loaded on use; rejects with the install line where it is missing. */
export const loadSdk = (): Promise<Sdk> => load(() => import("@modelcontextprotocol/client"));

/** Its part for servers that are processes. */
export const loadStdioSdk = (): Promise<StdioSdk> => load(() => import("@modelcontextprotocol/client/stdio"));

async function load<Module>(importModule: () => Promise<Module>): Promise<Module> {
  try {
    return await importModule();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // A package that is there but lacks one of its own dependencies fails with the same code.
    const isMissing = (code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND") && message.includes(`'${name}`);
    if (!isMissing) throw error;
    throw new ToolDefinitionError(`mcpToolbox needs the package ${name}, which isn't installed: npm install ${name}`, {
      cause: error,
    });
  }
}
