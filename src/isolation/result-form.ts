import { messageText, toJson } from "../execution/internal.js";
import { type Attachment, failure, file, image, type ToolErrorType, text } from "../tool/index.js";
import { isMadePart, isToolResponse, jsonWith } from "../tool/internal.js";

/** What a tool returned, as it crosses: JSON, with images and files apart from it. */
export interface ResultForm {
  /** The function that made it, if one did. */
  readonly kind: "text" | "json" | "failure" | undefined;
  readonly errorType: ToolErrorType | undefined;
  readonly value: PieceForm | readonly PieceForm[];
  readonly attachments: readonly Attachment[] | undefined;
  readonly isList: boolean;
}

type PieceForm = { readonly data: unknown } | { readonly part: Attachment & { readonly filename?: string } };

/**
 * Makes JSON of what `call` returned, in the thread or process that knows its classes. Throws for a value without a form in JSON, as the
 * executor does for other tools.
 */
export function resultForm(returned: unknown, maxBytes: number, tool: string): ResultForm {
  const response = isToolResponse(returned) ? returned : undefined;
  const value = response === undefined ? returned : response.value;
  const piece = (item: unknown): PieceForm => {
    if (isPart(item)) return { part: { ...item } };
    // Texts of a list may stand in `text()`.
    const given = isToolResponse(item) ? item.value : item;
    return { data: toJson(given, maxBytes, tool).data };
  };
  const isList = Array.isArray(value) && value.some(isPart);
  return {
    kind: response?.kind,
    errorType: response?.errorType,
    value: response?.kind === "failure" ? { data: messageText(value) } : isList ? value.map(piece) : piece(value),
    attachments: response?.attachments?.map((attachment) => ({ ...attachment })),
    isList,
  };
}

const isPart = (value: unknown): value is Attachment => typeof value === "object" && value !== null && isMadePart(value);

/** The value again that the executor makes a result of. */
export function returnedOf({ kind, errorType, value, attachments, isList }: ResultForm): unknown {
  const returned = isList ? (value as readonly PieceForm[]).map(pieceOf) : pieceOf(value as PieceForm);
  if (kind === "failure") return failure(returned as string, errorType);
  if (kind === "text") return text(returned as string);
  return kind === "json" ? jsonWith(returned, attachments) : returned;
}

function pieceOf(piece: PieceForm): unknown {
  if ("data" in piece) return piece.data;
  const { type, data, mediaType, filename } = piece.part;
  return type === "image" ? image(data, mediaType) : file(data, mediaType, filename);
}
