import { importError } from "../load-package.js";

// Only types are imported, which leave nothing behind in the code.
export type Sdk = typeof import("@modelcontextprotocol/server");
export type Stdio = typeof import("@modelcontextprotocol/server/stdio");

const name = "@modelcontextprotocol/server";

export async function loadServer(owner: string): Promise<Sdk> {
  try {
    return await import("@modelcontextprotocol/server");
  } catch (error) {
    throw importError(error, name, owner);
  }
}

/** Its part for one connection. */
export async function loadStdio(owner: string): Promise<Stdio> {
  try {
    return await import("@modelcontextprotocol/server/stdio");
  } catch (error) {
    throw importError(error, name, owner);
  }
}
