import type { Attachment, ToolSuccess } from "../../tool/index.js";
import { type GivenPart, isMadePart, isToolResponse, noteOn, readAttachment } from "../../tool/internal.js";
import { isContentPart } from "./no-json.js";

/** What a tool returned that holds images or files. */
export interface TakenAttachments {
  /** The images and PDFs. */
  readonly attachments: readonly Attachment[];
  /** All of it in order, with files of text as their texts. */
  readonly items: readonly unknown[];
  /** What is wrong with files: one sentence for each. */
  readonly faults: readonly string[];
  /** Whether it was no list. */
  readonly isSingle: boolean;
}

/** Costs of every request that follows, and the 32 MB that a request to the Claude API may have. */
const mostAttachments = 20;
const mostBase64 = 20_000_000;
/** A longer list is data: looking for images in `new Array(2 ** 32 - 1)` takes minutes. */
const mostItems = 100_000;

/** Takes the images and files out of a part, or out of a list of parts and other values; `undefined` if it is neither. */
export function takeAttachments(value: unknown): TakenAttachments | undefined {
  const isSingle = isPart(value);
  if (!isSingle && !(Array.isArray(value) && value.length <= mostItems && value.some(isPart))) return undefined;
  const given = isSingle ? [value] : value;
  const items: unknown[] = [];
  const attachments: Attachment[] = [];
  const faults: string[] = [];
  for (const item of given) {
    const read = isPart(item) ? readAttachment(item) : undefined;
    if (read === undefined) items.push(valueOf(item));
    else if (!read.ok) faults.push(read.error);
    else {
      items.push(read.value);
      if (typeof read.value !== "string") attachments.push(read.value);
    }
  }
  return { attachments, items, faults: [...faults, ...tooMany(attachments)], isSingle };
}

/** The attachments that a middleware or another library gave, checked as those of a tool. */
export function checkAttachments(given: unknown): TakenAttachments | undefined {
  if (given === undefined || (Array.isArray(given) && given.length === 0)) return undefined;
  const taken = takeAttachments(given);
  if (taken !== undefined && taken.attachments.length + taken.faults.length >= taken.items.length) return taken;
  return { attachments: [], items: [], faults: ["attachments must be a list of images and PDFs."], isSingle: false };
}

function tooMany(attachments: readonly Attachment[]): readonly string[] {
  const size = attachments.reduce((sum, { data }) => sum + data.length, 0);
  if (attachments.length <= mostAttachments && size <= mostBase64) return [];
  return [`It has ${attachments.length} files. At most ${mostAttachments}, with 15 MB in total, can be shown: return less.`];
}

/** An image or a file with base64: of `image`, `file`, `imagePart` or `filePart`. Other data may have these members too. */
function isPart(value: unknown): value is GivenPart {
  if (typeof value !== "object" || value === null) return false;
  const { type, mediaType, data } = value as Readonly<Record<string, unknown>>;
  if ((type !== "image" && type !== "file") || typeof mediaType !== "string" || typeof data !== "string") return false;
  return isMadePart(value) || isContentPart(value as Readonly<Record<string, unknown>>);
}

function valueOf(item: unknown): unknown {
  if (isToolResponse(item)) return item.value;
  const { type, text } = (item ?? {}) as { readonly type?: unknown; readonly text?: unknown };
  return type === "text" && typeof text === "string" ? text : item;
}

/** Items as one text, with a note in place of each attachment. `textOf`: gives the text of another value. */
export function textWithNotes({ items, attachments }: TakenAttachments, textOf: (value: unknown) => string): string {
  const notes = new Map<unknown, string>(attachments.map((attachment) => [attachment, noteOn(attachment)]));
  const lines: string[] = [];
  for (const item of items) {
    const note = notes.get(item);
    // A text from another server of this library ends with the note already.
    if (note !== undefined && `\n${lines.at(-1) ?? ""}`.endsWith(`\n${note}`)) continue;
    lines.push(note ?? (typeof item === "string" ? item : textOf(item)));
  }
  return lines.join("\n");
}

/** What stands beside the attachments: one value, or a list of several. */
export function valueBeside({ items, attachments }: TakenAttachments): unknown {
  const shown = new Set<unknown>(attachments);
  const beside = items.filter((item) => !shown.has(item));
  return beside.length > 1 ? beside : beside[0];
}

const returned = new WeakMap<readonly Attachment[], { readonly data: unknown; readonly value: unknown }>();

/** Remembers what a tool returned, for code that calls it. */
export function keepReturned({ attachments, items, isSingle }: TakenAttachments, data: unknown): void {
  returned.set(attachments, { data, value: isSingle ? items[0] : items });
}

/** Whether the attachments are those that a tool returned: they were checked. */
export const isChecked = (attachments: readonly Attachment[]): boolean => returned.has(attachments);

/** A result as code gets it: what the tool returned, with its images and files. */
export function valueForCode({ data, attachments }: ToolSuccess): unknown {
  if (attachments === undefined) return data;
  const kept = returned.get(attachments);
  // A middleware may have changed the data.
  return kept !== undefined && kept.data === data ? kept.value : [data, ...attachments];
}
