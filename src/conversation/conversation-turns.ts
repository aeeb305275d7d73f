import { type ConversationStore, LeaseHeldError, type LeaseStore } from "../storage/index.js";
import { HeldLease } from "../storage/internal.js";
import { untilAborted } from "../tool/internal.js";

/** Those who wait for a conversation stand in a line: what ends with the last of them. */
const lines = new WeakMap<ConversationStore, Map<string, Promise<void>>>();

/** A place in the line for a conversation, in this process. */
export interface PlaceInLine {
  /** Ends when those before have left; `undefined` if there are none. */
  readonly before: Promise<void> | undefined;
  readonly leave: () => void;
}

/** Each place must be left. */
export function standInLine(store: ConversationStore, id: string): PlaceInLine {
  const line = lines.get(store) ?? new Map<string, Promise<void>>();
  lines.set(store, line);
  const before = line.get(id);
  let leave = (): void => undefined;
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const last = before === undefined ? left : before.then(() => left);
  line.set(id, last);
  last.then(() => line.get(id) === last && line.delete(id));
  return { before, leave };
}

/** The leases that keep other processes away from a conversation. */
export interface ConversationLeases {
  readonly leases: LeaseStore;
  readonly leaseDuration?: number | undefined;
}

/**
 * Waits for the lease of a conversation. `mayWait`: called before each further look; it throws to end the wait, as an aborted signal does
 * with its reason.
 */
export async function leaseOfConversation(
  source: ConversationLeases,
  id: string,
  signal: AbortSignal,
  mayWait: () => void = () => undefined,
): Promise<HeldLease> {
  for (;;) {
    // Not left alone if who asks leaves: the lease would have to expire.
    const lease = await HeldLease.acquire(source, `conversation ${id}`, `The conversation "${id}"`).catch(unlessHeld);
    if (!signal.aborted && lease !== undefined) return lease;
    await lease?.release();
    signal.throwIfAborted();
    mayWait();
    await nextLook(signal);
  }
}

/** Waits until it is worth to look again whether a conversation is free. */
export async function nextLook(signal: AbortSignal): Promise<void> {
  await untilAborted(new Promise((resolve) => setTimeout(resolve, interval)), signal);
}

/** Milliseconds between two looks at a lease that another process holds. */
const interval = 200;

function unlessHeld(error: unknown): undefined {
  if (!(error instanceof LeaseHeldError)) throw error;
}
