import { join } from "node:path";
import { Integer } from "../../schema/index.js";
import { optional, required, returns, Tool, type ToolContext, type ToolResponse, tool } from "../../tool/index.js";
import { withoutHidden } from "../../redaction/internal.js";
import { fileCalls } from "./file-calls.js";
import { explained, fileError, systemCode } from "./file-error.js";
import type { FileRoot } from "./file-root.js";
import type { FileToolClass } from "./file-tool-class.js";
import { unlessAborted } from "./unless-aborted.js";

const entryTypes = ["file", "directory"] as const;

/** A longer list would be cut in its middle before the model reads it. */
const mostEntries = 500;

export class DirectoryEntry {
  @required(String, "Relative to the listed directory")
  name!: string;

  @required({ enum: entryTypes })
  type!: (typeof entryTypes)[number];

  @optional(Integer, "Bytes, of files")
  size?: number;
}

export class DirectoryListing {
  @required([DirectoryEntry])
  entries!: DirectoryEntry[];

  @optional(String, "What the list leaves out")
  note?: string;
}

/** A call of `list_directory`. */
export interface ListDirectoryCall extends Tool {
  path: string;
  recursive: boolean;
  call(context: ToolContext): Promise<DirectoryListing | (ToolResponse & { readonly kind: "failure" })>;
}

/** Makes the tool `list_directory` for one root. */
export function listDirectoryTool(root: FileRoot): FileToolClass<ListDirectoryCall> {
  @tool({
    identifier: "list_directory",
    description:
      "Lists the files and directories in a directory, with recursive those in its directories, too. " +
      'Use when you need to know which files there are. Paths are relative to the top directory, which is ".".',
    category: "read",
    consequenceLevel: "low",
    effect: "none",
  })
  @returns(DirectoryListing)
  class ListDirectoryTool extends Tool {
    @required(String, "Directory path to list")
    path!: string;

    @optional(Boolean, { description: "Whether to list what its directories hold, too", default: false })
    recursive!: boolean;

    async call({ abortSignal }: ToolContext): Promise<DirectoryListing> {
      try {
        return await list(root, this.path, this.recursive, abortSignal);
      } catch (error) {
        throw explained(error, this.path);
      }
    }
  }
  return ListDirectoryTool;
}

/** Level by level, so that what is left out lies deepest. */
async function list(root: FileRoot, path: string, recursive: boolean, signal: AbortSignal): Promise<DirectoryListing> {
  const { existing, missing } = await root.locate(path, signal);
  if (missing.length > 0) throw fileError("Directory not found", path, 'Look for what there is in ".".');
  const entries: DirectoryEntry[] = [];
  const folders = [""];
  for (const folder of folders) {
    for await (const entry of entriesOf(root, existing, folder, path, signal)) {
      if (entries.length === mostEntries) {
        return { entries, note: `There are more than these ${mostEntries}. List the directories below one by one.` };
      }
      const { followed, ...listed } = entry;
      entries.push({ ...listed, name: withoutHidden(listed.name) });
      if (recursive && entry.type === "directory" && !followed) folders.push(entry.name);
    }
  }
  return { entries };
}

interface FoundEntry extends DirectoryEntry {
  /** Whether it is a link. A linked folder is listed at its real place. */
  readonly followed: boolean;
}

/** The files and folders in one folder, by name; what is neither, and links that lead elsewhere, are passed over. */
async function* entriesOf(root: FileRoot, top: string, folder: string, path: string, signal: AbortSignal): AsyncGenerator<FoundEntry> {
  const open = await root.openFolder(join(top, folder), path, signal).catch((error: unknown) => {
    // A folder further down may be closed to us, or gone by now: the rest is worth telling.
    if (folder === "" || signal.aborted) throw error;
  });
  if (open === undefined) return;
  try {
    const names = await unlessAborted(signal, fileCalls).readdir(open.path);
    for (const name of names.sort()) {
      try {
        const own = await unlessAborted(signal, fileCalls).lstat(join(open.path, name));
        const followed = own.isSymbolicLink();
        const status = followed ? await root.statusBehind(join(open.path, name), signal) : own;
        if (status === undefined) continue;
        const found = { name: folder === "" ? name : `${folder}/${name}`, followed };
        if (status.isDirectory()) yield { ...found, type: "directory" };
        else if (status.isFile()) yield { ...found, type: "file", size: status.size };
      } catch (error) {
        if (systemCode(error) !== "ENOENT") throw error;
      }
    }
  } finally {
    await open.close();
  }
}
