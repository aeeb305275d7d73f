import { sha256 } from "../platform/index.js";
import { ConversationStoreError, type StoredConversation, type StoredMessage } from "./conversation-store.js";
import { JournalError } from "./journal-store.js";

/** What is stored as text, and the bytes of its images and files apart: a store writes each of these once. */
export interface ApartFiles {
  readonly text: string;
  /** The base64 by its digest. */
  readonly files: ReadonlyMap<string, string>;
}

/** Shorter ones stay in the text. */
const leastApart = 1_000;

/** The member in place of `data`. */
const digestName = "dataDigest";

/** A part of a message: `type`, `mediaType` and `data` of an image or a file. */
type Members = Readonly<Record<string, unknown>>;

/** The digests of parts, which a history has again with each save. */
const digests = new WeakMap<object, string>();

/** The text that is stored of a conversation, and its files. */
export function takeFilesApart(conversation: StoredConversation): ApartFiles {
  const files = new Map<string, string>();
  if (conversation.state === undefined && !conversation.messages.some(mayHaveFiles)) return { text: JSON.stringify(conversation), files };
  return { text: textWithout(conversation, files), files };
}

/** The same of entries of a journal, or of a line with them. Most have none, and cost nothing more than their text. */
export function takeEntryFilesApart(entries: object): ApartFiles {
  const text = JSON.stringify(entries);
  const files = new Map<string, string>();
  return text.length < leastApart || !text.includes('"mediaType":"') ? { text, files } : { text: textWithout(entries, files), files };
}

const textWithout = (stored: object, files: Map<string, string>): string =>
  JSON.stringify(stored, (_name, value: unknown) => (isLargePart(value) ? withDigest(value, files) : value));

/** Gives a file by its digest; `undefined` if it isn't there. */
export type FileOf = (digest: string) => string | undefined;

/** The conversation of a stored text. Throws `ConversationStoreError` if one of its files isn't there. */
export const putFilesBack = (text: string, source: string, fileOf: FileOf): unknown =>
  withFiles(text, fileOf, (digest) => {
    throw new ConversationStoreError(
      "broken",
      `The ${source} lacks the file ${digest} of one of its messages. It was left as it is; restore the file, or save under another id.`,
    );
  });

/** The entries of a stored text. Throws `JournalError` if one of their files isn't there. */
export const putEntryFilesBack = (text: string, source: string, fileOf: FileOf): unknown =>
  withFiles(text, fileOf, (digest) => {
    throw new JournalError(
      "broken",
      `${source} lacks the file ${digest} of one of its messages. It was left as it is; restore the file, or delete the run to give it up.`,
    );
  });

function withFiles(text: string, fileOf: FileOf, refuse: (digest: string) => never): unknown {
  if (!hasFilesApart(text)) return JSON.parse(text);
  return JSON.parse(text, (_name, value: unknown) => {
    const digest = digestIn(value);
    if (digest === undefined) return value;
    return renamed(value as Members, digestName, "data", fileOf(digest) ?? refuse(digest));
  });
}

/** The digests of the files that a stored text refers to: most refer to none, and aren't parsed for it. */
export function digestsIn(text: string): readonly string[] {
  const found = new Set<string>();
  if (!hasFilesApart(text)) return [];
  JSON.parse(text, (_name, value: unknown) => {
    const digest = digestIn(value);
    if (digest !== undefined) found.add(digest);
    return value;
  });
  return [...found];
}

const hasFilesApart = (text: string): boolean => text.includes(`"${digestName}":"`);

const mayHaveFiles = (message: StoredMessage): boolean => "attachments" in message || Array.isArray(message.content);

function isLargePart(value: unknown): value is Members & { readonly data: string } {
  if (typeof value !== "object" || value === null) return false;
  const { type, mediaType, data } = value as Members;
  if ((type !== "image" && type !== "file") || typeof mediaType !== "string") return false;
  if (typeof data !== "string" || data.length < leastApart || digestName in value) return false;
  // Text that isn't base64 stays in the JSON, which escapes what files and databases can't hold.
  return data.isWellFormed() && !data.includes("\0");
}

function withDigest(part: Members & { readonly data: string }, files: Map<string, string>): Members {
  let digest = digests.get(part);
  if (digest === undefined) digests.set(part, (digest = sha256(part.data)));
  files.set(digest, part.data);
  return renamed(part, "data", digestName, digest);
}

/** The members in their order, with one of them renamed: a stored state has a checksum of its text. */
const renamed = (members: Members, from: string, to: string, value: string): Members =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => (name === from ? [to, value] : [name, member])));

function digestIn(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || "data" in value) return undefined;
  const { type, [digestName]: digest } = value as Members;
  return (type === "image" || type === "file") && typeof digest === "string" && /^[0-9a-f]{64}$/.test(digest) ? digest : undefined;
}
