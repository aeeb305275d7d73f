import type { Agent } from "../../agent/index.js";
import { type ConversationSource, leaseOfConversation, sourceOf, standInLine } from "../../conversation/internal.js";
import type { ConversationStore } from "../../storage/index.js";
import { untilAborted } from "../../tool/internal.js";
import { type Cancel, startDeadline } from "../../timing/index.js";
import { WebRequestError } from "../web-request-error.js";

/** The most milliseconds that a request waits for its turn: proxies end a request without an answer after 30 to 60 seconds. */
const patience = 30_000;

/** The right to carry on a conversation. */
export interface Turn {
  readonly agent: Agent;
  /** To be called when the conversation is stored again. */
  readonly end: () => void;
}

/**
 * Loads the agent of a request. If another request is answered from the same stored conversation, here or in another process, it waits
 * and loads again: one of the two could not be stored. `signal`: aborted if the sender leaves. Throws `WebRequestError` (409) if that takes
 * too long.
 */
export async function takeTurn(load: () => Agent | PromiseLike<Agent>, signal: AbortSignal): Promise<Turn> {
  const agent = await load();
  const source = sourceOf(agent);
  if (source === undefined) return { agent, end: () => undefined };
  const { hasWaited, end } = await turnOf(source, signal);
  try {
    return { agent: hasWaited || (await isOutdated(source)) ? await load() : agent, end };
  } catch (error) {
    end();
    throw error;
  }
}

async function turnOf({ store, id }: ConversationSource, signal: AbortSignal) {
  const deadline = performance.now() + patience;
  const { before, leave } = standInLine(store, id);
  try {
    if (before !== undefined) await inTime(before, deadline, signal);
    const lease = await leaseOf(store, id, deadline, signal);
    const end = async (): Promise<void> => {
      await lease?.release();
      leave();
    };
    return { hasWaited: before !== undefined, end: () => void end() };
  } catch (error) {
    leave();
    throw error;
  }
}

async function inTime(before: Promise<void>, deadline: number, signal: AbortSignal): Promise<void> {
  let cancel: Cancel | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    cancel = startDeadline(deadline - performance.now(), () => reject(busy()));
  });
  try {
    await untilAborted(Promise.race([before, late]), signal);
  } finally {
    cancel?.();
  }
}

/** `undefined` if the store has no leases. */
async function leaseOf(store: ConversationStore, id: string, deadline: number, signal: AbortSignal) {
  const { leases, leaseDuration } = store;
  if (leases === undefined) return undefined;
  return leaseOfConversation({ leases, leaseDuration }, id, signal, () => {
    if (performance.now() >= deadline) throw busy();
  });
}

/** Whether another process has saved the conversation between the load and the lease. */
async function isOutdated({ store, id, revision }: ConversationSource): Promise<boolean> {
  if (store.leases === undefined) return false;
  const stored = await store.load(id);
  return revision !== (stored === undefined ? 0 : (stored.revision ?? 1));
}

const busy = (): WebRequestError =>
  new WebRequestError(409, "Another message of this conversation is still being answered. Wait for its answer, then send this one again.", {
    "retry-after": "5",
  });
