import type { JournalAppend, Storage, StoredConversation } from "../../src/storage/index.js";

/** What a process was about to write when it died, or had written. */
export type Write = { readonly append: JournalAppend } | { readonly save: StoredConversation };

/** The storage of a process that dies at a moment: from then on nothing of it is answered, and its leases aren't renewed. */
export function mortalStorage(
  storage: Storage,
  momentOf: (write: Write) => "before" | "after" | undefined,
): { readonly mortal: Storage; readonly died: Promise<void> } {
  let isDead = false;
  let die!: () => void;
  const died = new Promise<void>((resolve) => {
    die = resolve;
  });
  const never = new Promise<never>(() => undefined);
  const alive = <Value>(work: () => Value | Promise<Value>): Promise<Value> => (isDead ? never : Promise.resolve().then(work));
  const write = async (what: Write, work: () => void | Promise<void>): Promise<void> => {
    if (isDead) return never;
    const moment = momentOf(what);
    if (moment !== "before") await work();
    if (moment === undefined) return;
    isDead = true;
    die();
    return never;
  };
  const { conversations, journals, leases, claims, leaseDuration } = storage;
  const mortalLeases: Storage["leases"] = {
    acquire: (...asked) => alive(() => leases.acquire(...asked)),
    renew: (...asked) => alive(() => leases.renew(...asked)),
    release: (...asked) => alive(() => leases.release(...asked)),
  };
  const mortal: Storage = {
    conversations: {
      load: (id) => alive(() => conversations.load(id)),
      save: (id, conversation) => write({ save: conversation }, () => conversations.save(id, conversation)),
      delete: (id) => alive(() => conversations.delete(id)),
      leases: mortalLeases,
      leaseDuration,
    },
    journals: {
      append: (append, lease) => write({ append }, () => journals.append(append, lease)),
      read: (...asked) => alive(() => journals.read(...asked)),
      list: (...asked) => alive(() => journals.list(...asked)),
      head: (...asked) => alive(() => journals.head(...asked)),
      delete: (...asked) => alive(() => journals.delete(...asked)),
    },
    leases: mortalLeases,
    claims,
    leaseDuration,
  };
  return { mortal, died };
}
