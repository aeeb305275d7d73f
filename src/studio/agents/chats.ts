import type { Agent, AgentClass, AgentEvent, AgentListener, AgentStream, GenerateOptions } from "../../agent/index.js";
import { modelInstead, modelInterceptor, type WithInterceptor } from "../../agent/internal.js";
import type { Decision } from "../../confirmation/index.js";
import { resolveModel } from "../../models/index.js";
import { randomUuid } from "../../platform/index.js";
import type { MemoryStorage } from "../../storage/index.js";
import { publicEvent, publicResponse, WebRequestError } from "../../web/internal.js";
import type { ChatEvent } from "../api.js";
import { type EventQueue, messageOf } from "../server/event-queue.js";
import { badRequest } from "../server/bad-request.js";
import { waitingCall } from "../server/waiting-call.js";
import type { StudioAgent } from "../subjects.js";
import { type KeptChat, keptConversation, withConversation } from "./kept-chat.js";
import { recordsOf, storageWith } from "./kept-records.js";

/** The most chats that are kept: the longest unused is forgotten. */
const mostChats = 50;

/** A conversation with an agent, and the record of its runs. */
export interface Chat {
  readonly id: string;
  readonly agentId: string;
  readonly agent: Agent;
  /** The model in place of the agent's own. */
  readonly model: string | undefined;
  /** Whether it begins with a replay, which ends with the process. */
  readonly isReplay: boolean;
  readonly storage: MemoryStorage;
  /** How many runs it has begun: they are numbered. */
  runs: number;
}

/** Conversations with agents. They live as long as the studio, and in the one that takes its place. */
export class Chats {
  readonly #agents: ReadonlyMap<string, StudioAgent>;
  readonly #chats = new Map<string, Chat>();
  /** Those of the studio before, until they are used. */
  readonly #kept: Map<string, KeptChat>;
  /** The records of all runs: a run that waits goes on from its record, and a replay reads it. */
  readonly records: Promise<MemoryStorage>;

  constructor(agents: ReadonlyMap<string, StudioAgent>, kept: readonly KeptChat[] = []) {
    this.#agents = agents;
    this.#kept = new Map(kept.map((chat) => [chat.id, chat]));
    this.records = storageWith(kept.flatMap(({ records }) => records));
  }

  /** `agentId` must be one of the agents. Throws `WebRequestError` for a model that can't be made. */
  async open(agentId: string, model?: string): Promise<string> {
    if (model !== undefined) await badRequest(async () => resolveModel(model));
    return this.#begin({ agentId, agent: await this.#make(agentId), model, isReplay: false });
  }

  /** Opens a chat with an agent that is prepared to replay a run. */
  openReplay(agentId: string, agent: Agent): Promise<string> {
    return this.#begin({ agentId, agent, model: undefined, isReplay: true });
  }

  async #begin(chat: Pick<Chat, "agentId" | "agent" | "model" | "isReplay">): Promise<string> {
    const id = randomUuid();
    await this.#add({ ...chat, id, storage: await this.records, runs: 0 });
    return id;
  }

  /** Throws `WebRequestError` for an unknown id. */
  async chat(id: string): Promise<Chat> {
    const chat = this.#chats.get(id) ?? (await this.#restored(id));
    await this.#add(chat);
    return chat;
  }

  /** All chats, for the studio that takes the place of this one. */
  async keep(): Promise<readonly KeptChat[]> {
    const chats: KeptChat[] = [...this.#kept.values()];
    for (const { id, agentId, agent, model, isReplay, runs, storage } of this.#chats.values()) {
      const conversation = isReplay ? undefined : await keptConversation(agent, id);
      if (conversation === undefined) continue;
      chats.push({ id, agentId, conversation, runs, records: await recordsOf(id, storage), ...(model !== undefined && { model }) });
    }
    return chats;
  }

  async #add(chat: Chat): Promise<void> {
    this.#chats.delete(chat.id);
    this.#chats.set(chat.id, chat);
    const [oldest] = this.#chats.keys();
    if (this.#chats.size > mostChats && oldest !== undefined) await this.#forget(oldest);
  }

  /** The records of its runs go with a chat. */
  async #forget(id: string): Promise<void> {
    this.#chats.delete(id);
    const storage = await this.records;
    for (const { runId } of await recordsOf(id, storage)) await storage.journals.delete(runId);
  }

  async #restored(id: string): Promise<Chat> {
    const kept = this.#kept.get(id);
    if (kept === undefined || !this.#agents.has(kept.agentId))
      throw new WebRequestError(404, "There is no such chat: the studio was started again, or has opened many since. Begin a new one.");
    const { agentId, conversation, model, runs } = kept;
    const agent = await withConversation(await this.#make(agentId), id, conversation);
    this.#kept.delete(id);
    return { id, agentId, agent, model, isReplay: false, storage: await this.records, runs };
  }

  #make(agentId: string): Promise<Agent> {
    const found = this.#agents.get(agentId);
    if (found === undefined) throw new WebRequestError(404, `There is no agent "${agentId}".`);
    return found.make();
  }
}

/** Answers a prompt, or what the conversation has without one, or goes on with the decisions about calls that wait, and sends what happens. */
export async function runChat(
  chat: Chat,
  work: { readonly prompt: string | undefined } | { readonly decisions: readonly Decision[] },
  toolContext: Record<string, unknown>,
  queue: EventQueue,
  abortSignal: AbortSignal,
): Promise<void> {
  const start = performance.now();
  const send = (event: ChatEvent["event"]): void =>
    queue.push({ at: Math.round((performance.now() - start) * 10) / 10, event } satisfies ChatEvent);
  const { agent, model, storage } = chat;
  // TypeScript types `constructor` as any function; it is the class that made the agent.
  const { definition } = agent.constructor as AgentClass;
  const options: ChatOptions = {
    ...{ toolContext, abortSignal, journal: storage, listeners: [timesFor(definition.name, send)] },
    ...(model !== undefined && { [modelInterceptor]: modelInstead(definition, model) }),
  };
  const stream = streamOf(chat, work, options, send);
  let hasSentError = false;
  try {
    for await (const event of stream) {
      hasSentError = event.type === "error";
      send(shownEvent(event));
    }
  } catch (error) {
    // The last event had it.
    if (!hasSentError) throw error;
  }
}

type ChatOptions = GenerateOptions & WithInterceptor;

function streamOf(
  chat: Chat,
  work: Parameters<typeof runChat>[1],
  options: ChatOptions,
  send: (event: ChatEvent["event"]) => void,
): AgentStream {
  const { agent } = chat;
  if ("prompt" in work) {
    chat.runs += 1;
    const runId = `${chat.id}/${chat.runs}`;
    send({ type: "run_began", runId });
    return agent.stream(work.prompt, { ...options, runId });
  }
  const { state } = agent;
  if (state === undefined) throw new WebRequestError(409, "No call of this chat waits for a decision.");
  send({ type: "run_began", runId: state.runId });
  return agent.resumeStream(state, { ...options, decisions: work.decisions });
}

/** What the events of a stream don't have: how long models and tools took, and what a tool's code threw. Sub-agents have the listener, too. */
function timesFor(name: string, send: (event: ChatEvent["event"]) => void): AgentListener {
  const isOwn = ({ agent, parentCallId }: { readonly agent?: string; readonly parentCallId?: string }): boolean =>
    agent === name && parentCallId === undefined;
  const own =
    <Event extends { readonly agent?: string }>(show: (event: Event) => ChatEvent["event"]) =>
    (event: Event): void => {
      if (isOwn(event)) send(show(event));
    };
  return {
    modelStarted: own(({ step, model, request }) => ({
      ...{ type: "model_started", step, model },
      tools: request.tools?.map((tool) => tool.name) ?? [],
    })),
    modelFinished: own(({ step, model, duration, error }) => ({
      ...{ type: "model_finished", step, model, duration },
      ...(error !== undefined && { error: messageOf(error) }),
    })),
    modelRetried: own(({ step, model, delay, error }) => ({
      ...{ type: "model_retried", step, model, delay },
      error: messageOf(error),
    })),
    prefixChanged: own(({ step, part }) => ({ type: "prefix_changed", step, part })),
    toolFinished: own(({ callId, attempt, duration, stack, repairs = [], changes = [] }) => ({
      ...{ type: "call_finished", callId, attempt, duration, repairs, changes },
      ...(stack !== undefined && { stack }),
    })),
  };
}

/** As a browser gets it, with pictures, with errors as the developer must see them, and with what a person must see of calls that wait. */
function shownEvent(event: AgentEvent): ChatEvent["event"] {
  switch (event.type) {
    case "done": {
      const { reason } = event.response;
      return { type: "done", reason, response: publicResponse(event.response, false) };
    }
    case "error":
      return { type: "error", message: messageOf(event.error) };
    case "confirmation_required":
      return { ...event, waiting: waitingCall(event.confirmation) };
    case "answer_required":
      return { ...event, waiting: waitingCall(event.question) };
    case "tool_result":
      return { ...publicEvent(event), ...(event.attachments !== undefined && { attachments: event.attachments }) };
    default:
      return { ...publicEvent(event) };
  }
}
