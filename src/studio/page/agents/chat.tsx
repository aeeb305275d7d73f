import { useEffect, useRef, useState } from "preact/hooks";
import type { AgentLine, ChatEvent } from "../../api.js";
import { ContextEditor } from "../shared/context-editor.js";
import type { ContextState } from "../shared/context-state.js";
import { visibleText } from "../shared/hidden-characters.js";
import { forgetDraft } from "../shared/decision-drafts.js";
import { ask, events, messageOf, RequestError } from "../shared/request.js";
import { Fault, Value } from "../shared/text.js";
import { Timeline } from "../shared/timeline.js";
import { useKeptText } from "../shared/use-kept-text.js";
import { Obstacle, type SentDecision } from "../shared/waiting-card.js";
import { forgetChat, type KeptChat, keepChat, keptChats, restored, titleOf } from "./kept-chats.js";
import { ModelField } from "./model-field.js";
import { takePrompt } from "./kept-prompt.js";
import { after, type CallEntry, emptyTranscript, lastContext, type RunEvent, type Transcript } from "./transcript.js";
import { barsOf } from "./transcript-bars.js";
import { Steps, TranscriptView } from "./transcript-view.js";

/** Milliseconds between two drawings: a tool may report thousands of times in a second. */
const betweenDrawings = 40;

interface ChatProps {
  readonly agent: AgentLine;
  readonly context: ContextState;
  readonly models: readonly string[];
  /** Names the server's process. */
  readonly process: string;
}

/** The chats with an agent, one of which is open. */
export function Chat(props: ChatProps) {
  const { id } = props.agent;
  const [chats, setChats] = useState(() => keptChats(id));
  const [openId, setOpenId] = useKeptText(`chat-${id}`);
  // A chat that begins gets its id later, and stays what it is.
  const [shown, setShown] = useState(() => ({ key: 0, kept: chats.find(({ chatId }) => chatId === openId) }));
  const [isRunning, setRunning] = useState(false);
  // What is half typed is there in each chat that is opened.
  const [prompt = "", setPrompt] = useKeptText(`prompt-${id}`);
  useEffect(() => {
    const given = takePrompt();
    if (given !== "") setPrompt(given);
  }, []);
  const open = (kept: KeptChat | undefined): void => {
    setShown(({ key }) => ({ key: key + 1, kept }));
    setOpenId(kept?.chatId);
  };
  const isListed = chats.some(({ chatId }) => chatId === openId);
  return (
    <section aria-label="Chat">
      <h3>Chat</h3>
      {chats.length + (isListed ? 0 : 1) > 1 && (
        <div class="field">
          <label for="chats">Chats of this tab</label>
          <select
            id="chats"
            value={isListed ? openId : ""}
            disabled={isRunning}
            onChange={({ currentTarget: { value } }) => open(chats.find(({ chatId }) => chatId === value))}
          >
            {!isListed && <option value="">New chat</option>}
            {chats.toReversed().map((chat) => (
              <option key={chat.chatId} value={chat.chatId}>
                {visibleText(titleOf(chat))}
              </option>
            ))}
          </select>
        </div>
      )}
      <Conversation
        key={shown.key}
        {...props}
        isFirst={shown.key === 0}
        kept={shown.kept}
        prompt={prompt}
        setPrompt={setPrompt}
        onRunning={setRunning}
        onKeep={(chat, isOpen) => {
          setChats(keepChat(id, chat));
          if (isOpen) setOpenId(chat.chatId);
        }}
        onGone={(chatId) => setChats(forgetChat(id, chatId))}
        onNew={() => open(undefined)}
      />
    </section>
  );
}

interface ConversationProps extends ChatProps, ChatKeeping {
  /** Whether the page has just been opened: the focus stays then. */
  readonly isFirst: boolean;
  readonly prompt: string;
  readonly setPrompt: (prompt: string | undefined) => void;
  readonly onRunning: (isRunning: boolean) => void;
  readonly onNew: () => void;
}

function Conversation({
  agent,
  context,
  models,
  process,
  isFirst,
  prompt,
  setPrompt,
  kept,
  onRunning,
  onKeep,
  onGone,
  onNew,
}: ConversationProps) {
  // The chat of this tab has it after a reload, too.
  const [model = "", setModel] = useKeptText(`model-${agent.id}`);
  const chat = useChat(
    async (signal) => {
      const asked = model.trim() === "" ? {} : { model: model.trim() };
      return (await ask<{ readonly chat: string }>(`/api/agents/${encodeURIComponent(agent.id)}/chats`, asked, signal)).chat;
    },
    { process, kept, onKeep, onGone },
  );
  const end = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (!isFirst && kept === undefined) field.current?.focus();
  }, []);
  useEffect(() => onRunning(chat.isRunning), [chat.isRunning]);
  useEffect(() => {
    if (chat.isRunning) end.current?.scrollIntoView({ block: "nearest" });
  }, [chat.transcript.entries, chat.isRunning]);
  const { value } = context.read;
  const isWaiting = chat.transcript.entries.some((entry) => entry.kind === "call" && entry.waiting !== undefined);
  const send = (): void => {
    if (prompt.trim() === "" || chat.isRunning || value === undefined) return;
    chat.send(prompt, value);
    setPrompt(undefined);
    // The button is disabled now, and would lose the focus.
    field.current?.focus();
  };
  const decide = (call: CallEntry, decision: SentDecision): void => {
    if (value === undefined) return;
    chat.decide(call, decision, value);
    // The buttons go, and the focus with them.
    field.current?.focus({ preventScroll: true });
  };
  return (
    <>
      {chat.transcript.entries.length === 0 && <p class="note">Nothing said yet. Write a prompt below.</p>}
      <div aria-live="polite">
        <Obstacle.Provider value={value === undefined ? "To decide, correct the context: it isn't a JSON object." : undefined}>
          <TranscriptView transcript={chat.transcript} isBusy={chat.isRunning} onDecide={decide} />
        </Obstacle.Provider>
        {chat.isRunning && (
          <p class="running">
            <span class="spinner" aria-hidden="true" /> The agent works...
          </p>
        )}
      </div>
      <Fault message={chat.fault} />
      <div ref={end} />
      <form
        class="prompt"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <div class="field">
          <label for="prompt">Prompt</label>
          <textarea
            id="prompt"
            ref={field}
            rows={2}
            value={prompt}
            placeholder="Enter sends, Shift and Enter begins a line"
            onInput={(event) => setPrompt(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
              event.preventDefault();
              send();
            }}
          />
          {isWaiting && <p class="note">Calls wait for a decision above. A prompt gives them up.</p>}
        </div>
        <ModelField
          id="chat-model"
          value={model}
          own={agent.model}
          models={models}
          disabled={chat.chatId !== undefined}
          onChange={setModel}
        />
        <ContextEditor id="chat-context" label="Context" text={context.text} read={context.read} onChange={context.setText} />
        <div class="buttons">
          <button type="submit" class="primary" disabled={chat.isRunning || value === undefined || prompt.trim() === ""}>
            Send
          </button>
          {chat.isRunning && (
            <button type="button" onClick={chat.cancel}>
              Stop
            </button>
          )}
          <button type="button" class="plain" disabled={chat.isRunning || chat.transcript.entries.length === 0} onClick={onNew}>
            New chat
          </button>
        </div>
      </form>
      <div class="panel">
        <Timeline bars={barsOf(chat.transcript)} isTimed={true} />
      </div>
      <div class="panel">
        <Steps steps={chat.transcript.steps} />
        {chat.chatId !== undefined && !chat.isRunning && <Prefix chatId={chat.chatId} />}
      </div>
    </>
  );
}

/** What the first request offered, and what was appended since. */
function Prefix({ chatId }: { readonly chatId: string }) {
  const [prefix, setPrefix] = useState<unknown>();
  const load = (isOpen: boolean): void => {
    if (isOpen)
      ask<{ readonly prefix: unknown }>(`/api/chats/${chatId}/prefix`).then(
        (answer) => setPrefix(answer.prefix),
        () => undefined,
      );
  };
  return (
    <details onToggle={(event) => load(event.currentTarget.open)}>
      <summary>The prefix: what the first request offered, and what was appended since</summary>
      {prefix !== undefined && <Value value={prefix} label="Prefix" />}
    </details>
  );
}

/** How a tab keeps a chat. */
interface ChatKeeping {
  /** The chat as it was kept. */
  readonly kept: KeptChat | undefined;
  /** `isOpen`: whether it is still shown. */
  readonly onKeep: (chat: KeptChat, isOpen: boolean) => void;
  /** The studio doesn't have the chat any more. */
  readonly onGone: (chatId: string) => void;
}

/** A chat with an agent. `open` begins it, and returns its id. Without `keeping`, a reload of the page loses it. */
export function useChat(open: (signal: AbortSignal) => Promise<string>, keeping?: ChatKeeping & { readonly process: string }) {
  const { kept, process = "" } = keeping ?? {};
  const [transcript, setTranscript] = useState<Transcript>(() => (kept === undefined ? emptyTranscript : restored(kept, process)));
  const [chatId, setChatId] = useState(kept?.chatId);
  const [isRunning, setRunning] = useState(false);
  const [fault, setFault] = useState<string>();
  const leaving = useRef<AbortController | undefined>(undefined);
  /** Milliseconds that earlier requests of the chat took: the timeline goes on where they ended. */
  const past = useRef(kept?.past ?? 0);
  /** When the last request ended, by the page's clock: the wait for a decision is part of the timeline. */
  const endedAt = useRef(0);
  useEffect(() => () => leaving.current?.abort(), []);
  const latest = useRef<KeptChat>(undefined);
  latest.current = chatId === undefined ? undefined : { chatId, transcript, past: past.current, process };
  const keep = (isOpen: boolean): void => {
    if (latest.current !== undefined) keeping?.onKeep(latest.current, isOpen);
  };
  useEffect(() => {
    const leave = (): void => keep(true);
    addEventListener("pagehide", leave);
    return () => {
      removeEventListener("pagehide", leave);
      keep(false);
    };
  }, []);
  // The list names it once a request has ended.
  useEffect(() => {
    if (!isRunning) keep(true);
  }, [isRunning, chatId]);
  const reset = (): void => {
    setTranscript(emptyTranscript);
    setChatId(undefined);
    setFault(undefined);
    past.current = 0;
  };
  useEffect(() => {
    // Another studio has this address now.
    if (kept !== undefined)
      ask(`/api/chats/${kept.chatId}`).catch((error) => {
        if (!(error instanceof RequestError) || error.status !== 404) return;
        reset();
        setFault("The studio no longer has this chat: it was started anew. Send a prompt to begin another chat.");
        keeping?.onGone(kept.chatId);
      });
  }, [kept]);

  /** `first`: what has happened once the server has taken the request, and what it is about. */
  const run = async (path: string, body: object, first?: RunEvent & { readonly confirmation: string }, isNew = false): Promise<void> => {
    const abort = new AbortController();
    leaving.current = abort;
    setRunning(true);
    setFault(undefined);
    const start = past.current + (first === undefined ? 0 : performance.now() - endedAt.current);
    let isTaken = first === undefined;
    let unread: ChatEvent[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const take = (): void => {
      const taken = unread;
      clearTimeout(timer);
      [unread, timer] = [[], undefined];
      setTranscript((before) => taken.reduce((read, { event, at }) => after(read, event, start + at), before));
    };
    try {
      const id = (isNew ? undefined : chatId) ?? (await open(abort.signal));
      setChatId(id);
      for await (const sent of events<ChatEvent | { readonly type: "failed"; readonly message: string }>(
        `/api/chats/${id}/${path}`,
        body,
        abort.signal,
      )) {
        if ("message" in sent) {
          setFault(sent.message);
          continue;
        }
        if (!isTaken && first !== undefined) {
          unread.push({ at: 0, event: first });
          forgetDraft(first.confirmation);
        }
        isTaken = true;
        past.current = start + sent.at;
        unread.push(sent);
        timer ??= setTimeout(take, betweenDrawings);
      }
    } catch (error) {
      take();
      if (abort.signal.aborted) setTranscript((before) => after(before, { type: "aborted", detail: "by you" }, past.current));
      else setFault(messageOf(error));
    } finally {
      take();
      endedAt.current = performance.now();
      setRunning(false);
    }
  };
  return {
    transcript,
    chatId,
    isRunning,
    fault,
    send: (prompt: string, context: object) => {
      setTranscript((before) => after(before, { type: "user", text: prompt, context }, past.current));
      void run("messages", { prompt, context });
    },
    /** Opens another chat, and has its agent go on from what it was given. */
    begin: (context: object) => {
      reset();
      void run("messages", { context }, undefined, true);
    },
    decide: ({ callId, tool, step, waiting }: CallEntry, decision: SentDecision, context: object) => {
      if (waiting === undefined) return;
      const sent = lastContext(transcript);
      if (sent !== undefined && sent !== JSON.stringify(context))
        setTranscript((before) => after(before, { type: "context_changed", context }, past.current));
      const decided = { type: "decided", callId, tool, step, ...decision, decidedBy: "you", confirmation: waiting.id };
      void run("decisions", { decisions: [{ ...decision, callId, confirmationId: waiting.id }], context }, decided);
    },
    cancel: () => leaving.current?.abort(),
    reset,
  };
}
