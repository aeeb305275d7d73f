import { Integer } from "../../schema/index.js";
import { required, returns, Tool, type ToolContext, type ToolResponse, tool } from "../../tool/index.js";
import { explained, fileError } from "./file-error.js";
import type { FileRoot } from "./file-root.js";
import type { FileToolClass } from "./file-tool-class.js";
import { writeWhole } from "./write-whole.js";

export class Written {
  @required(Integer)
  bytesWritten!: number;
}

/** A call of `write_file`. */
export interface WriteFileCall extends Tool {
  path: string;
  content: string;
  call(context: ToolContext): Promise<Written | (ToolResponse & { readonly kind: "failure" })>;
}

/** Makes the tool `write_file` for one root. */
export function writeFileTool(root: FileRoot, maxBytes: number): FileToolClass<WriteFileCall> {
  @tool({
    identifier: "write_file",
    description:
      "Writes a text file: makes it, with the directories on its way, or replaces all that it held. " +
      "Use when the user wants something kept in a file. Paths are relative to the top directory.",
    category: "write",
    effect: "idempotent",
    // Repeating a write does no more, but what somebody else wrote after the first would be lost.
    retryable: false,
    exclusive: ({ path }) => root.keyOf(String(path)),
  })
  @returns(Written)
  class WriteFileTool extends Tool {
    @required(String, "File path to write")
    path!: string;

    @required(String, "The whole text of the file")
    content!: string;

    async call({ abortSignal }: ToolContext): Promise<Written> {
      const bytes = Buffer.from(this.content);
      if (bytes.length > maxBytes) {
        const advice = `It would have ${bytes.length} bytes, and at most ${maxBytes} can be written. Nothing was written. Split it into several files.`;
        throw fileError("File too large", this.path, advice);
      }
      try {
        await writeWhole(root, this.path, bytes, abortSignal);
      } catch (error) {
        throw explained(error, this.path);
      }
      return { bytesWritten: bytes.length };
    }
  }
  return WriteFileTool;
}
