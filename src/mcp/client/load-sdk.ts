import { loadPackage } from "../load-package.js";

// Only types are imported, which leave nothing behind in the code.
export type Sdk = typeof import("@modelcontextprotocol/client");
export type StdioSdk = typeof import("@modelcontextprotocol/client/stdio");

const name = "@modelcontextprotocol/client";
const owner = "mcpToolbox";

export const loadSdk = (): Promise<Sdk> => loadPackage(name, owner, () => import("@modelcontextprotocol/client"));

/** Its part for servers that are processes. */
export const loadStdioSdk = (): Promise<StdioSdk> => loadPackage(name, owner, () => import("@modelcontextprotocol/client/stdio"));
