import type { Toolbox } from "../../tool/index.js";
import { checkMaxBytes } from "../check-max-bytes.js";
import { FileRoot } from "./file-root.js";
import type { FileToolClass } from "./file-tool-class.js";
import { type ListDirectoryCall, listDirectoryTool } from "./list-directory-tool.js";
import { type ReadFileCall, readFileTool } from "./read-file-tool.js";
import { type WriteFileCall, writeFileTool } from "./write-file-tool.js";
import { checkOptionNames, type OptionNames } from "../../tool/internal.js";

/** Options of `rootedAt` and `fileToolbox`. See docs/07-built-in-tools.md. */
export interface FileOptions {
  /** The largest file to read or write, in bytes. Default: 1 MiB. */
  readonly maxBytes?: number;
  /** True leaves out the tool that writes. Default: false. */
  readonly readOnly?: boolean;
}

/** The tool classes that `rootedAt` makes. With `readOnly`, `WriteFileTool` is absent. */
export interface FileTools {
  readonly ReadFileTool: FileToolClass<ReadFileCall>;
  readonly WriteFileTool: FileToolClass<WriteFileCall>;
  readonly ListDirectoryTool: FileToolClass<ListDirectoryCall>;
}

const defaultMaxBytes = 1_048_576;

const optionNames: OptionNames<FileOptions> = { maxBytes: true, readOnly: true };

/**
 * Makes the tools `read_file`, `write_file` and `list_directory` for one directory. No path leaves it: not with `..`, not through
 * links.
 *
 * ```ts
 * const { ReadFileTool, ListDirectoryTool } = rootedAt("workspace", { readOnly: true });
 * ```
 *
 * Error messages contain the path as the model wrote it: `File not found: notes.txt`. Throws `ToolDefinitionError` if the directory
 * doesn't exist. See docs/07-built-in-tools.md.
 */
export function rootedAt(path: string, options?: FileOptions & { readonly readOnly?: false }): FileTools;
/** Makes the file tools for one directory; with `readOnly`, without `WriteFileTool`. See docs/07-built-in-tools.md. */
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

/**
 * Makes a toolbox named `files` with the tools of `rootedAt`: `@usesTools(fileToolbox("workspace", { readOnly: true }))`. See
 * docs/07-built-in-tools.md.
 */
export function fileToolbox(path: string, options: FileOptions = {}): Toolbox {
  checkOptionNames(options, optionNames, "fileToolbox");
  return { name: "files", tools: Object.values(rootedAt(path, options)) };
}
