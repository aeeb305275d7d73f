import { after, type Transcript } from "./transcript.js";

/** A chat as this tab keeps it over a reload of the page. */
export interface KeptChat {
  readonly chatId: string;
  readonly transcript: Transcript;
  /** Milliseconds that the requests of the chat took. */
  readonly past: number;
}

const keyOf = (agentId: string): string => `toolwright-studio-chat-${agentId}`;

/** Keeps the chat with an agent; `undefined` forgets it. */
export function keepChat(agentId: string, chat: KeptChat | undefined): void {
  try {
    if (chat === undefined) sessionStorage.removeItem(keyOf(agentId));
    else sessionStorage.setItem(keyOf(agentId), JSON.stringify(chat));
  } catch {
    // It is too large for the browser: a reload loses it.
    sessionStorage.removeItem(keyOf(agentId));
  }
}

/** The chat that this tab had with an agent. What was going on when the page was left has been stopped. */
export function keptChat(agentId: string): KeptChat | undefined {
  const text = sessionStorage.getItem(keyOf(agentId));
  if (text === null) return undefined;
  // The page wrote it.
  const { chatId, transcript, past } = JSON.parse(text) as KeptChat;
  const isCut = transcript.entries.some((entry) => entry.kind === "call" && (entry.state === "running" || entry.state === "written"));
  return { chatId, past, transcript: isCut ? after(transcript, { type: "aborted", detail: "the page was left" }, past) : transcript };
}
