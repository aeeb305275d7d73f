import type { Toolbox } from "../../tool/index.js";
import { checkMaxBytes } from "../check-max-bytes.js";
import { FileRoot } from "./file-root.js";
import type { FileToolClass } from "./file-tool-class.js";
import { type ListDirectoryCall, listDirectoryTool } from "./list-directory-tool.js";
import { type ReadFileCall, readFileTool } from "./read-file-tool.js";
import { type WriteFileCall, writeFileTool } from "./write-file-tool.js";
import { checkOptionNames, type OptionNames } from "../../tool/internal.js";

export interface FileOptions {
  /** The largest file that is read or written, in bytes: 1 MiB. */
  readonly maxBytes?: number;
  /** Without a tool that writes. */
  readonly readOnly?: boolean;
}

/** The classes that `rootedAt` makes; with `readOnly` there is no `WriteFileTool`. */
export interface FileTools {
  readonly ReadFileTool: FileToolClass<ReadFileCall>;
  readonly WriteFileTool: FileToolClass<WriteFileCall>;
  readonly ListDirectoryTool: FileToolClass<ListDirectoryCall>;
}

const defaultMaxBytes = 1_048_576;

const optionNames: OptionNames<FileOptions> = { maxBytes: true, readOnly: true };

/**
 * Makes the file tools `read_file`, `write_file` and `list_directory` for one directory, which no
 * path leaves: not by `..`, not by a link, not by one that is put there during the call.
 *
 * ```ts
 * const { ReadFileTool, ListDirectoryTool } = rootedAt("workspace", { readOnly: true });
 *
 * @usesTools([ReadFileTool, ListDirectoryTool])
 * class LibrarianAgent extends Agent {}
 * ```
 *
 * Failures say what to do and name the path as the model gave it: `File not found: notes.txt`. Throws `ToolDefinitionError`
 * where the directory doesn't exist.
 */
export function rootedAt(path: string, options?: FileOptions & { readonly readOnly?: false }): FileTools;
export function rootedAt(path: string, options: FileOptions): Omit<FileTools, "WriteFileTool"> & Partial<FileTools>;
export function rootedAt(path: string, options: FileOptions = {}): Partial<FileTools> {
  checkOptionNames(options, optionNames, "rootedAt");
  const { maxBytes = defaultMaxBytes, readOnly = false } = options;
  checkMaxBytes(maxBytes, "rootedAt");
  const root = new FileRoot(path);
  return {
    ReadFileTool: readFileTool(root, maxBytes),
    ...(readOnly ? {} : { WriteFileTool: writeFileTool(root, maxBytes) }),
    ListDirectoryTool: listDirectoryTool(root),
  };
}

/** The tools of `rootedAt` as a toolbox named `files`. */
export function fileToolbox(path: string, options: FileOptions = {}): Toolbox {
  checkOptionNames(options, optionNames, "fileToolbox");
  return { name: "files", tools: Object.values(rootedAt(path, options)) };
}
