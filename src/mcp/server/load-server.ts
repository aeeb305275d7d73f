import { loadPackage } from "../load-package.js";

// Only types are imported, which leave nothing behind in the code.
export type Sdk = typeof import("@modelcontextprotocol/server");
export type Stdio = typeof import("@modelcontextprotocol/server/stdio");

const name = "@modelcontextprotocol/server";

export const loadServer = (owner: string): Promise<Sdk> => loadPackage(name, owner, () => import("@modelcontextprotocol/server"));

/** Its part for one connection. */
export const loadStdio = (owner: string): Promise<Stdio> => loadPackage(name, owner, () => import("@modelcontextprotocol/server/stdio"));
