/** The official SDK is an optional peer: only its types are imported, which leave nothing behind in the code. */
export type Sdk = typeof import("@modelcontextprotocol/server");
export type Stdio = typeof import("@modelcontextprotocol/server/stdio");

const name = "@modelcontextprotocol/server";

/** Rejects where the package isn't installed, with the line that installs it. `owner` is the function that needs it. */
export const loadServer = (owner: string): Promise<Sdk> => load(() => import("@modelcontextprotocol/server"), owner);

/** Its part for one connection. */
export const loadStdio = (owner: string): Promise<Stdio> => load(() => import("@modelcontextprotocol/server/stdio"), owner);

async function load<Module>(importModule: () => Promise<Module>, owner: string): Promise<Module> {
  try {
    return await importModule();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // A package that is there but lacks one of its own dependencies fails with the same code.
    const isMissing = (code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND") && message.includes(`'${name}`);
    if (!isMissing) throw error;
    throw new Error(`${owner} needs the package ${name}, which isn't installed: npm install ${name}`, { cause: error });
  }
}
