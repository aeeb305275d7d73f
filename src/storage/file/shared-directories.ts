import { mkdir, realpath } from "node:fs/promises";
import { dirname } from "node:path";
import { sharedByCopies } from "../../platform/index.js";
import { MemoryLeaseStore } from "../memory-lease-store.js";
import { DirectoryLock } from "./directory-lock.js";
import { removeLeftovers, syncDirectory } from "./durable-files.js";
import { FileClaimLog } from "./file-claim-log.js";
import { FileJournalStore } from "./file-journal-store.js";
import { conversationsIn, journalsIn } from "./layout.js";

/** A directory that this process has locked, with what is read of it once. */
export interface OpenDirectory {
  readonly path: string;
  readonly lock: DirectoryLock;
  readonly leases: MemoryLeaseStore;
  readonly journals: FileJournalStore;
  readonly claims: FileClaimLog;
}

interface SharedDirectory {
  readonly opened: Promise<OpenDirectory>;
  users: number;
  /** Ends once the directory is free, after the last user has left. */
  left?: Promise<void>;
}

/** By real path. Another copy of the package shares the directory. */
const shared = (): Map<string, SharedDirectory> => sharedByCopies("openDirectories.1", () => new Map<string, SharedDirectory>());

/** Locks and reads a directory, or joins those in this process that use it. Each call needs a `leaveDirectory`. */
export async function joinDirectory(directory: string): Promise<OpenDirectory> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const path = await realpath(directory);
  while (shared().get(path)?.left !== undefined) await shared().get(path)?.left;
  const known = shared().get(path) ?? { opened: openDirectory(path), users: 0 };
  shared().set(path, known);
  known.users++;
  try {
    return await known.opened;
  } catch (error) {
    // The next call tries again: the other process may have ended.
    if (shared().get(path) === known) shared().delete(path);
    throw error;
  }
}

/** Gives the directory to other processes, once all have left. */
export async function leaveDirectory({ path, lock, journals, claims }: OpenDirectory): Promise<void> {
  const known = shared().get(path);
  if (known === undefined || --known.users > 0) return;
  known.left = Promise.all([journals.idle(), claims.idle()])
    .then(() => lock.release())
    .finally(() => shared().delete(path));
  await known.left;
}

async function openDirectory(path: string): Promise<OpenDirectory> {
  const lock = await DirectoryLock.take(path);
  try {
    for (const folder of [conversationsIn(path), journalsIn(path)]) await mkdir(folder, { recursive: true, mode: 0o700 });
    for (const folder of [dirname(path), path]) await syncDirectory(folder);
    for (const folder of [path, conversationsIn(path)]) await removeLeftovers(folder);
    const leases = new MemoryLeaseStore();
    const journals = await FileJournalStore.open(journalsIn(path), { lock, leases });
    return { path, lock, leases, journals, claims: await FileClaimLog.open(path, lock) };
  } catch (error) {
    await lock.release();
    throw error;
  }
}
