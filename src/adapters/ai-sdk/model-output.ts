import type { ToolSet } from "ai";
import { modelText } from "../../execution/index.js";
import { isRecord } from "../../schema/internal.js";
import type { Attachment, ToolSuccess } from "../../tool/index.js";
import { splitAtNotes } from "../../tool/internal.js";

type ModelOutput = Awaited<ReturnType<NonNullable<ToolSet[string]["toModelOutput"]>>>;

/** A result with images or files, as an application's messages keep it. */
interface OutputWithFiles {
  readonly data: unknown;
  readonly attachments: readonly Attachment[];
}

/** What a tool of the AI SDK returns: a text as the model reads it, or data, which becomes a text in `modelOutputOf`. */
export function outputOf(result: ToolSuccess): unknown {
  const { data, attachments } = result;
  if (attachments !== undefined) return { data, attachments } satisfies OutputWithFiles;
  return typeof data === "string" ? modelText(result) : data;
}

/** What the model reads of it. A provider whose results are texts gets the files as JSON from the AI SDK. */
export function modelOutputOf(tool: string, output: unknown): ModelOutput {
  if (!hasFiles(output)) return { type: "text", value: modelText({ tool, fetchedAt: "", data: output }) };
  const { data, attachments } = output;
  const text = modelText({ tool, fetchedAt: "", data, attachments });
  return { type: "content", value: splitAtNotes(text, attachments).map(contentOf) };
}

type Content = Extract<ModelOutput, { readonly type: "content" }>["value"][number];

function contentOf(piece: string | Attachment): Content {
  if (typeof piece === "string") return { type: "text", text: piece };
  const { type, mediaType, data } = piece;
  return type === "image"
    ? { type: "image-data", mediaType, data }
    : { type: "file-data", mediaType, data, filename: piece.filename ?? "file.pdf" };
}

/** It may come back from a page or a database, as JSON. */
const hasFiles = (output: unknown): output is OutputWithFiles =>
  isRecord(output) &&
  "data" in output &&
  Array.isArray(output.attachments) &&
  output.attachments.length > 0 &&
  output.attachments.every(isFile);

const isFile = (part: unknown): boolean =>
  isRecord(part) && (part.type === "image" || part.type === "file") && typeof part.mediaType === "string" && typeof part.data === "string";
