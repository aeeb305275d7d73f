/** The official SDK is an optional peer: only its types are imported, which leave nothing behind in the code. */
export type Sdk = typeof import("@modelcontextprotocol/server");
type Stdio = typeof import("@modelcontextprotocol/server/stdio");

/** Throws where the package isn't installed, with the line that installs it. `owner` is the function that needs it. */
export function loadServer(owner: string): Sdk {
  try {
    // A plain `require`, so that bundlers see it. The ESM build declares it at the top of its files.
    return require("@modelcontextprotocol/server") as Sdk;
  } catch (error) {
    throw explained(error, owner);
  }
}

export function loadStdio(owner: string): Stdio {
  try {
    return require("@modelcontextprotocol/server/stdio") as Stdio;
  } catch (error) {
    throw explained(error, owner);
  }
}

function explained(error: unknown, owner: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  // A package that is there but lacks one of its own dependencies fails with the same code.
  if (code !== "MODULE_NOT_FOUND" || !message.includes("'@modelcontextprotocol/server")) return error;
  const line = "npm install @modelcontextprotocol/server";
  return new Error(`${owner} needs the package @modelcontextprotocol/server, which isn't installed: ${line}`, { cause: error });
}
