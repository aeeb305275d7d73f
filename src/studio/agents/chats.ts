import type { Agent, AgentClass, AgentEvent, AgentListener, AgentStream } from "../../agent/index.js";
import type { Decision } from "../../confirmation/index.js";
import { randomUuid } from "../../platform/index.js";
import { publicEvent, publicResponse, WebRequestError } from "../../web/internal.js";
import type { ChatEvent } from "../api.js";
import { type EventQueue, messageOf } from "../server/event-queue.js";
import { waitingCall } from "../server/waiting-call.js";
import type { StudioAgent } from "../subjects.js";
import { type KeptChat, keptConversation, withConversation } from "./kept-chat.js";

/** The most chats that are kept: the longest unused is forgotten. */
const mostChats = 50;

interface OpenChat {
  readonly agentId: string;
  readonly agent: Agent;
}

/** Conversations with agents. They live as long as the studio, and in the one that takes its place. */
export class Chats {
  readonly #agents: ReadonlyMap<string, StudioAgent>;
  readonly #chats = new Map<string, OpenChat>();
  /** Those of the studio before, until they are used. */
  readonly #kept: Map<string, KeptChat>;

  constructor(agents: ReadonlyMap<string, StudioAgent>, kept: readonly KeptChat[] = []) {
    this.#agents = agents;
    this.#kept = new Map(kept.map((chat) => [chat.id, chat]));
  }

  /** `agentId` must be one of the agents. */
  async open(agentId: string): Promise<string> {
    const id = randomUuid();
    this.#add(id, { agentId, agent: await this.#make(agentId) });
    return id;
  }

  /** Throws `WebRequestError` for an unknown id. */
  async agent(id: string): Promise<Agent> {
    const chat = this.#chats.get(id) ?? (await this.#restored(id));
    this.#add(id, chat);
    return chat.agent;
  }

  /** All chats, for the studio that takes the place of this one. */
  async keep(): Promise<readonly KeptChat[]> {
    const chats: KeptChat[] = [...this.#kept.values()];
    for (const [id, { agentId, agent }] of this.#chats) {
      const conversation = await keptConversation(agent, id);
      if (conversation !== undefined) chats.push({ id, agentId, conversation });
    }
    return chats;
  }

  #add(id: string, chat: OpenChat): void {
    this.#chats.delete(id);
    this.#chats.set(id, chat);
    const [oldest] = this.#chats.keys();
    if (this.#chats.size > mostChats && oldest !== undefined) this.#chats.delete(oldest);
  }

  async #restored(id: string): Promise<OpenChat> {
    const kept = this.#kept.get(id);
    if (kept === undefined || !this.#agents.has(kept.agentId))
      throw new WebRequestError(404, "There is no such chat: the studio was started again, or has opened many since. Begin a new one.");
    const { agentId, conversation } = kept;
    const agent = await withConversation(await this.#make(agentId), id, conversation);
    this.#kept.delete(id);
    return { agentId, agent };
  }

  #make(agentId: string): Promise<Agent> {
    const found = this.#agents.get(agentId);
    if (found === undefined) throw new WebRequestError(404, `There is no agent "${agentId}".`);
    return found.make();
  }
}

/** Answers a prompt, or goes on with the decisions about calls that wait, and sends what happens. */
export async function runChat(
  agent: Agent,
  work: { readonly prompt: string } | { readonly decisions: readonly Decision[] },
  toolContext: Record<string, unknown>,
  queue: EventQueue,
  abortSignal: AbortSignal,
): Promise<void> {
  const start = performance.now();
  const send = (event: ChatEvent["event"]): void => queue.push({ at: Math.round(performance.now() - start), event } satisfies ChatEvent);
  const options = { toolContext, abortSignal, listeners: [timesFor(agent, send)] };
  const stream = streamOf(agent, work, options);
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

function streamOf(agent: Agent, work: Parameters<typeof runChat>[1], options: Parameters<Agent["stream"]>[1]): AgentStream {
  if ("prompt" in work) return agent.stream(work.prompt, options);
  const { state } = agent;
  if (state === undefined) throw new WebRequestError(409, "No call of this chat waits for a decision.");
  return agent.resumeStream(state, { ...options, decisions: work.decisions });
}

/** What the events of a stream don't have: how long models and tools took, and what a tool's code threw. Sub-agents have the listener, too. */
function timesFor({ constructor }: Agent, send: (event: ChatEvent["event"]) => void): AgentListener {
  // TypeScript types `constructor` as any function; it is the class that made the agent.
  const { name } = (constructor as AgentClass).definition;
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
