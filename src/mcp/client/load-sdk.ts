import { importError } from "../load-package.js";

// Only types are imported, which leave nothing behind in the code.
export type Sdk = typeof import("@modelcontextprotocol/client");
export type StdioSdk = typeof import("@modelcontextprotocol/client/stdio");

const name = "@modelcontextprotocol/client";
const owner = "mcpToolbox";

export async function loadSdk(): Promise<Sdk> {
  try {
    return await import("@modelcontextprotocol/client");
  } catch (error) {
    throw importError(error, name, owner);
  }
}

/** Its part for servers that are processes. */
export async function loadStdioSdk(): Promise<StdioSdk> {
  try {
    return await import("@modelcontextprotocol/client/stdio");
  } catch (error) {
    throw importError(error, name, owner);
  }
}
