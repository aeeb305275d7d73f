import { type ContentPart, messageText } from "../models/index.js";

/** What is wrong with what a user says, as the end of a sentence; `undefined` if nothing is. */
export function contentFault(content: unknown): string | undefined {
  if (typeof content === "string") return undefined;
  const parts: readonly unknown[] | undefined = Array.isArray(content) ? content : undefined;
  const wrong = parts?.findIndex((part) => !isContentPart(part));
  if (wrong === -1) return undefined;
  const what = wrong === undefined ? `got ${content === null ? "null" : typeof content}` : `part ${wrong} isn't one of these`;
  return `must be a string, or a list of text, image and file parts: ${what}.`;
}

/** The same of a prompt, which must say something: providers reject a blank message, and the history would keep it. */
export function promptFault(prompt: unknown): string | undefined {
  const fault = contentFault(prompt);
  return fault ?? (saysNothing(prompt as string | readonly ContentPart[]) ? "is blank: give a text, an image or a file." : undefined);
}

/** Whether a content has neither a text nor a file. */
export const saysNothing = (content: string | readonly ContentPart[]): boolean =>
  messageText(content).trim() === "" && (typeof content === "string" || content.every(({ type }) => type === "text"));

function isContentPart(part: unknown): part is ContentPart {
  const { type, text, mediaType, data, url } = (part ?? {}) as Readonly<Record<string, unknown>>;
  if (type === "text") return typeof text === "string";
  return (type === "image" || type === "file") && typeof mediaType === "string" && typeof (data ?? url) === "string";
}
