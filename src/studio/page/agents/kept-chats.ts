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

/** The most chats with an agent that a tab keeps: the oldest is forgotten. */
const mostChats = 20;

const keyOf = (agentId: string): string => `toolwright-studio-chats-${agentId}`;

/** The chats that this tab had with an agent, the oldest first. */
export const keptChats = (agentId: string): readonly KeptChat[] =>
  // The page wrote them.
  JSON.parse(sessionStorage.getItem(keyOf(agentId)) ?? "[]") as readonly KeptChat[];

/** Keeps a chat with an agent as it is now, and returns all of them. */
export function keepChat(agentId: string, chat: KeptChat): readonly KeptChat[] {
  const chats = keptChats(agentId);
  const index = chats.findIndex(({ chatId }) => chatId === chat.chatId);
  return store(agentId, index < 0 ? [...chats, chat].slice(-mostChats) : chats.with(index, chat));
}

/** Forgets a chat with an agent, and returns the others. */
export const forgetChat = (agentId: string, id: string): readonly KeptChat[] =>
  store(
    agentId,
    keptChats(agentId).filter(({ chatId }) => chatId !== id),
  );

/** Without the oldest, if they are too large for the browser. */
function store(agentId: string, chats: readonly KeptChat[]): readonly KeptChat[] {
  try {
    sessionStorage.setItem(keyOf(agentId), JSON.stringify(chats));
    return chats;
  } catch {
    return chats.length === 0 ? chats : store(agentId, chats.slice(1));
  }
}

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
