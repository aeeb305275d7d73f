import { keepText, keptText } from "../shared/kept-texts.js";
import { after, type Transcript } from "./transcript.js";

/** A chat as this tab keeps it over a reload of the page. */
export interface KeptChat {
  readonly chatId: string;
  readonly transcript: Transcript;
  /** Milliseconds that the requests of the chat took. */
  readonly past: number;
  /** The process that answered last: another one runs what the modules have become. */
  readonly process: string;
}

/** The most chats with an agent that a tab keeps: the one that was continued longest ago is forgotten. */
const mostChats = 20;

const nameOf = (agentId: string): string => `chats-${agentId}`;

/** The chats that this tab had with an agent, the last continued last. */
export const keptChats = (agentId: string): readonly KeptChat[] =>
  // The page wrote them.
  JSON.parse(keptText(nameOf(agentId)) ?? "[]") as readonly KeptChat[];

/** Keeps a chat with an agent as it is now, and returns all that are kept: without the oldest, if they are too large for the browser. */
export function keepChat(agentId: string, chat: KeptChat): readonly KeptChat[] {
  const before = keptChats(agentId);
  const others = before.filter(({ chatId }) => chatId !== chat.chatId);
  const index = before.findIndex(({ chatId }) => chatId === chat.chatId);
  // A chat that was only looked at keeps its place.
  const isContinued = before[index]?.past !== chat.past;
  let chats = isContinued ? [...others, chat].slice(-mostChats) : before.with(index, chat);
  while (!store(agentId, chats)) {
    const oldest = chats.findIndex(({ chatId }) => chatId !== chat.chatId);
    // This one alone is too large.
    if (oldest < 0) return store(agentId, others) ? others : [];
    chats = chats.toSpliced(oldest, 1);
  }
  return chats;
}

/** Forgets a chat with an agent, and returns the others. */
export function forgetChat(agentId: string, id: string): readonly KeptChat[] {
  const others = keptChats(agentId).filter(({ chatId }) => chatId !== id);
  return store(agentId, others) ? others : [];
}

/** Returns whether the browser had room. */
const store = (agentId: string, chats: readonly KeptChat[]): boolean => keepText(nameOf(agentId), JSON.stringify(chats));

/** The transcript of a kept chat in a page of a process. What was going on when the page was left has been stopped. */
export function restored({ transcript, past, process: before }: KeptChat, process: string): Transcript {
  const isCut = transcript.entries.some((entry) => entry.kind === "call" && (entry.state === "running" || entry.state === "written"));
  const stopped = isCut ? after(transcript, { type: "aborted", detail: "the page was left" }, past) : transcript;
  return before === process ? stopped : after(stopped, { type: "loaded" }, past);
}

/** What tells a chat from the others: its first prompt, and the context that it was sent with. */
export function titleOf({ transcript: { entries } }: Pick<KeptChat, "transcript">): string {
  const first = entries.find((entry) => entry.kind === "user");
  return first === undefined ? "A chat without a prompt" : `${cut(first.text, 50)} ${cut(first.context ?? "", 70)}`;
}

const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}...` : text);
