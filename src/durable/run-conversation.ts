import { lastExpiry, leaveRecorded, type RunJournal, stateOf } from "../agent/internal.js";
import { leaseOfConversation, nextLook, standInLine } from "../conversation/internal.js";
import { isResumable, type RunState } from "../loop/index.js";
import { type ConversationPlace, type RecordedRun, readJournal } from "../loop/internal.js";
import { ConversationConflictError, LeaseHeldError, type Storage, type StoredConversation } from "../storage/index.js";
import { checkStored, type GivenUpRun } from "../storage/internal.js";
import { untilAborted } from "../tool/internal.js";
import type { OpenedRun } from "./run-records.js";

/** The turn of a run in its conversation: no other run of the conversation goes on meanwhile. */
export interface ConversationTurn {
  /** The conversation as a run that begins finds it; `undefined` for one that goes on. */
  readonly place: ConversationPlace | undefined;
  readonly end: () => Promise<void>;
}

/**
 * Waits until a run may begin, or go on, in its conversation. Those that begin wait in line; one that has begun goes first, and those in
 * line wait for it, also if its process has ended. `undefined` if the run belongs to no conversation.
 */
export async function takeConversation(storage: Storage, run: OpenedRun, signal: AbortSignal): Promise<ConversationTurn | undefined> {
  const { runId, conversation: id } = run.accepted;
  if (id === undefined) return undefined;
  const isFirst = run.recorded !== undefined || (run.isNew !== true && (await load(storage.conversations, id)).writer === writerOf(runId));
  const line = isFirst ? undefined : standInLine(storage.conversations, id);
  try {
    await untilAborted(line?.before, signal);
    for (;;) {
      const lease = await leaseOfConversation(storage, id, signal);
      const end = (): Promise<void> => lease.release().finally(() => line?.leave());
      if (run.recorded !== undefined) return { place: undefined, end };
      const revision = await markAsBegun(storage, id, runId).catch(async (error: unknown) => {
        await lease.release();
        throw error;
      });
      if (revision !== undefined) return { place: { id, revision }, end };
      await lease.release();
      await nextLook(signal);
    }
  } catch (error) {
    line?.leave();
    throw error;
  }
}

/**
 * Makes the run the one that has saved the conversation last: those that come later wait for its end by that, whatever becomes of this
 * process. Returns the revision; `undefined` if another run comes first.
 */
async function markAsBegun({ conversations, journals, ...storage }: Storage, id: string, runId: string): Promise<number | undefined> {
  const { revision, writer, ...content } = await load(conversations, id);
  const before = runIdOf(writer);
  if (before === runId) return revision;
  if (before !== undefined && (await journals.head(before))?.status === "running") return undefined;
  if (!(await leaveWaiting({ ...storage, journals }, content.state))) return undefined;
  try {
    await conversations.save(id, { ...content, revision: revision + 1, writer: writerOf(runId) });
    return revision + 1;
  } catch (error) {
    if (error instanceof ConversationConflictError) return undefined;
    throw error;
  }
}

/** Gives up the recorded run that the conversation waits with; false if that goes on. */
async function leaveWaiting(storage: Pick<Storage, "journals" | "leases" | "leaseDuration">, state: object | undefined): Promise<boolean> {
  const { journaled, runId, loop } = (state ?? {}) as Partial<RunState>;
  if (journaled !== true || runId === undefined || loop?.current == null) return true;
  try {
    await leaveRecorded(storage, runId, loop.current);
    return true;
  } catch (error) {
    if (error instanceof LeaseHeldError) return false;
    throw error;
  }
}

/** Stores what a run has added in its conversation, unless that has it. The journal is the run's. */
export async function saveConversation(storage: Storage, journal: RunJournal): Promise<void> {
  await journal.written();
  const { runId } = journal;
  const { recorded } = readJournal(await storage.journals.read(runId), runId);
  if (recorded?.isSaveDue !== true || recorded.conversation === undefined) return;
  journal.conversationSaved(await saveOnce(storage.conversations, recorded, recorded.conversation));
  await journal.written();
}

/** Returns the revision that has the run's messages. */
async function saveOnce(conversations: Storage["conversations"], run: RecordedRun, place: ConversationPlace): Promise<number> {
  for (;;) {
    const stored = await load(conversations, place.id);
    const revision = stored.revision + 1;
    const writer = writerOf(run.runId);
    // A process ended after this save, and before it could record it.
    if (stored.writer === writer && stored.revision > place.revision) return stored.revision;
    const isOwn = stored.revision === place.revision;
    const messages = isOwn ? run.messages : joined(stored, run);
    const offered = isOwn ? run.prefix : stored.prefix;
    const state = isLeftOpen(run) ? stateOf(run, {}) : undefined;
    const givenUp = [...(stored.givenUp ?? []).filter(isOpen), ...givenUpFor(run)];
    try {
      await conversations.save(place.id, {
        ...{ version: 1, revision, writer, messages },
        ...(state !== undefined && { state }),
        ...(givenUp.length > 0 && { givenUp }),
        ...(offered !== undefined && { prefix: offered }),
      });
      return revision;
    } catch (error) {
      if (!(error instanceof ConversationConflictError)) throw error;
    }
  }
}

/** Whether the run may go on. A runtime's run is aborted for good. */
const isLeftOpen = ({ loop: { outcome } }: RecordedRun): boolean =>
  outcome !== null && outcome.reason !== "aborted" && isResumable(outcome);

/**
 * The history if something else has saved the conversation since the run began: nothing of either is lost, and nothing is doubled. What was
 * before the run in a conversation that was removed doesn't come back.
 */
function joined({ messages: stored, revision }: StoredConversation, { messages, start }: RecordedRun): StoredConversation["messages"] {
  if (revision === 0) return messages.slice(start);
  const texts = messages.map((message) => JSON.stringify(message));
  const different = stored.findIndex((message, index) => JSON.stringify(message) !== texts[index]);
  if (different === -1) return messages;
  return different >= messages.length ? stored : [...stored, ...messages.slice(Math.max(start, different))];
}

/** The run that the conversation went on without when this one began. */
function givenUpFor({ givenUp }: RecordedRun): readonly GivenUpRun[] {
  const until = lastExpiry(givenUp);
  return until === undefined ? [] : [...new Set(givenUp.map(({ runId }) => runId))].map((runId) => ({ runId, until }));
}

const isOpen = ({ until }: GivenUpRun): boolean => Date.parse(until) >= Date.now();

async function load(conversations: Storage["conversations"], id: string): Promise<StoredConversation & { readonly revision: number }> {
  const loaded = await conversations.load(id);
  if (loaded === undefined) return { version: 1, revision: 0, messages: [] };
  const stored = checkStored(loaded, `conversation "${id}"`);
  return { ...stored, revision: stored.revision ?? 1 };
}

const prefix = "run ";
const writerOf = (runId: string): string => `${prefix}${runId}`;
const runIdOf = (writer: string | undefined): string | undefined =>
  writer?.startsWith(prefix) === true ? writer.slice(prefix.length) : undefined;
