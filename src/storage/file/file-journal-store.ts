import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { digestsIn, takeEntryFilesApart } from "../apart-files.js";
import {
  isPast,
  type JournalAppend,
  type JournalEntry,
  JournalError,
  type JournalHead,
  type JournalQuery,
  type JournalStore,
  leaseKeyOf,
  missingEntries,
} from "../journal-store.js";
import { type Lease, LeaseLostError } from "../lease-store.js";
import type { MemoryLeaseStore } from "../memory-lease-store.js";
import type { DirectoryLock } from "./directory-lock.js";
import { fileNameOf, orUndefined, syncDirectory } from "./durable-files.js";
import { type JournalLine, parseJournalLine } from "./journal-line.js";
import { LineFile } from "./line-file.js";
import { SharedFiles } from "./shared-files.js";
import { Turns } from "./turns.js";

/** A run whose head is known. */
interface Run {
  head: JournalHead;
  readonly file: LineFile;
}

interface Surroundings {
  readonly lock: DirectoryLock;
  readonly leases: MemoryLeaseStore;
}

const extension = ".jsonl";

/**
 * One file for each run, one line for each append. Runs that have ended are in a folder of their own, so that the others are found
 * without reading those. The heads of the others are kept in memory.
 */
export class FileJournalStore implements JournalStore {
  readonly #directory: string;
  readonly #lock: DirectoryLock;
  readonly #leases: MemoryLeaseStore;
  readonly #turns = new Turns();
  /** The images and files of entries. */
  readonly #files: SharedFiles;
  /** Runs that haven't ended, the longest untouched first. */
  readonly #open = new Map<string, Run>();
  #lastTouch = 0;

  private constructor(directory: string, { lock, leases }: Surroundings) {
    this.#directory = directory;
    this.#files = new SharedFiles(join(directory, "files"));
    this.#lock = lock;
    this.#leases = leases;
  }

  static async open(directory: string, surroundings: Surroundings): Promise<FileJournalStore> {
    const store = new FileJournalStore(directory, surroundings);
    await mkdir(store.#endedDirectory, { recursive: true, mode: 0o700 });
    await syncDirectory(directory);
    for (const run of await store.#runsIn(directory)) {
      store.#open.set(run.head.runId, run);
      store.#lastTouch = Math.max(store.#lastTouch, Date.parse(run.head.updatedAt));
      // The process ended before it could move the file.
      if (run.head.status === "ended") await store.#moveToEnded(run);
    }
    return store;
  }

  append(append: JournalAppend, lease: Lease): Promise<void> {
    const { runId, agent, status, position } = append;
    return this.#turns.take(runId, async () => {
      if (!this.#leases.isNewest({ key: leaseKeyOf(runId), fence: lease.fence })) throw new LeaseLostError(lease.key);
      await this.#lock.check();
      const run = await this.#find(runId);
      const length = run?.head.length ?? 0;
      const kept = run !== undefined && position < length ? await this.#entriesOf(run, position) : [];
      const entries = missingEntries(append, length, kept);
      if (isPast(append, length)) return;

      const head: JournalHead = { runId, agent, status, length: length + entries.length, updatedAt: this.#touch() };
      const line: JournalLine = { ...head, position: Math.max(position, length), entries };
      const { text, files } = takeEntryFilesApart(line);
      if (files.size > 0) await this.#files.add(fileNameOf(runId, ""), files);
      if (run !== undefined && !this.#open.has(runId)) await this.#moveToOpen(run);
      const file = run?.file ?? LineFile.create(this.#pathOf(runId));
      await file.append(text);

      const next = { head, file };
      // Set anew, so that the map is in the order of the last change.
      this.#open.delete(runId);
      this.#open.set(runId, next);
      if (status === "ended") await this.#moveToEnded(next);
    });
  }

  read(runId: string, from = 0): Promise<readonly JournalEntry[]> {
    // In turn, so that it sees what the holder before wrote until the lease was taken over.
    return this.#turns.take(runId, async () => {
      const run = await this.#find(runId);
      return run === undefined ? [] : this.#entriesOf(run, from);
    });
  }

  async list({ status, unleased = false, limit = Number.POSITIVE_INFINITY }: JournalQuery = {}): Promise<readonly JournalHead[]> {
    const heads = [...this.#open.values()].map(({ head }) => head);
    if (status === undefined || status === "ended") heads.push(...(await this.#runsIn(this.#endedDirectory)).map(({ head }) => head));
    if (status === undefined) heads.sort(byTouch);
    const found: JournalHead[] = [];
    for (const head of heads) {
      if (found.length >= limit) break;
      if (status !== undefined && head.status !== status) continue;
      if (!unleased || this.#leases.holderOf(leaseKeyOf(head.runId)) === undefined) found.push(head);
    }
    return found;
  }

  head(runId: string): Promise<JournalHead | undefined> {
    return this.#turns.take(runId, async () => (await this.#find(runId))?.head);
  }

  delete(runId: string): Promise<void> {
    return this.#turns.take(runId, async () => {
      await this.#lock.check();
      const digests = await this.#digestsOf(runId);
      this.#open.delete(runId);
      for (const path of [this.#pathOf(runId), this.#endedPathOf(runId)]) {
        await rm(path, { force: true });
        await syncDirectory(dirname(path));
      }
      await this.#files.remove(fileNameOf(runId, ""), digests);
    });
  }

  idle(): Promise<void> {
    return this.#turns.idle();
  }

  /** The files that a run may have: any, if the process ended while the run was removed, or if it is damaged. */
  async #digestsOf(runId: string): Promise<readonly string[]> {
    const run = await this.#find(runId).catch(ignoreDamage);
    return run === undefined ? this.#files.digests() : (await run.file.lines()).flatMap(digestsInLine);
  }

  async #entriesOf({ head, file }: Run, from: number): Promise<readonly JournalEntry[]> {
    const entries: JournalEntry[] = [];
    for (const [index, text] of (await file.lines()).entries()) {
      const files = new Map<string, string | undefined>();
      for (const digest of digestsInLine(text)) files.set(digest, await this.#files.read(digest));
      const line = parseJournalLine(text, file.path, index + 1, (digest) => files.get(digest));
      if (line.position !== entries.length || line.runId !== head.runId) throw misplaced(file.path, index + 1);
      for (const entry of line.entries) entries.push(entry);
    }
    return entries.slice(from);
  }

  async #find(runId: string): Promise<Run | undefined> {
    const open = this.#open.get(runId);
    if (open !== undefined) return open;
    const ended = await orUndefined(readRun(this.#endedPathOf(runId)));
    // A file of an open run that isn't known is damaged, or holds no line: the process ended before its first.
    return ended ?? (await orUndefined(readRun(this.#pathOf(runId))));
  }

  /** The runs of a folder, without damaged ones: those are reported to who reads them. The longest untouched comes first. */
  async #runsIn(directory: string): Promise<readonly Run[]> {
    const names = (await orUndefined(readdir(directory))) ?? [];
    const runs: Run[] = [];
    for (const name of names.filter((each) => each.endsWith(extension))) {
      const run = await orUndefined(readRun(join(directory, name))).catch(ignoreDamage);
      if (run !== undefined) runs.push(run);
    }
    return runs.sort((one, other) => byTouch(one.head, other.head));
  }

  /** If it fails, the run is found among the others, and moved when the directory is opened the next time. */
  async #moveToEnded(run: Run): Promise<void> {
    const path = join(this.#endedDirectory, basename(run.file.path));
    const isMoved = await rename(run.file.path, path).then(
      () => true,
      () => false,
    );
    if (!isMoved) return;
    run.file.path = path;
    this.#open.delete(run.head.runId);
  }

  /** Before it gets a line that says it hasn't ended, and so that the move survives a crash if the line does. */
  async #moveToOpen(run: Run): Promise<void> {
    const path = join(this.#directory, basename(run.file.path));
    await rename(run.file.path, path);
    run.file.path = path;
    await syncDirectory(this.#directory);
    this.#open.set(run.head.runId, run);
  }

  /** Later than every touch before, so that the order of runs is clear. */
  #touch(): string {
    this.#lastTouch = Math.max(this.#lastTouch + 1, Date.now());
    return new Date(this.#lastTouch).toISOString();
  }

  get #endedDirectory(): string {
    return join(this.#directory, "ended");
  }

  #pathOf(runId: string): string {
    return join(this.#directory, fileNameOf(runId, extension));
  }

  #endedPathOf(runId: string): string {
    return join(this.#endedDirectory, fileNameOf(runId, extension));
  }
}

/** Reads the head of a run from its last line. `undefined` if it has none. */
async function readRun(path: string): Promise<Run | undefined> {
  const { file, lastLine } = await LineFile.open(path);
  if (lastLine === undefined) return undefined;
  const { runId, agent, status, length, updatedAt } = parseJournalLine(lastLine, path);
  return { head: { runId, agent, status, length, updatedAt }, file };
}

/** None of a damaged line: reading it is an error of its own. */
function digestsInLine(text: string): readonly string[] {
  try {
    return digestsIn(text);
  } catch {
    return [];
  }
}

const byTouch = (one: JournalHead, other: JournalHead): number =>
  one.updatedAt < other.updatedAt ? -1 : one.updatedAt > other.updatedAt ? 1 : 0;

function ignoreDamage(error: unknown): undefined {
  if (!(error instanceof JournalError)) throw error;
}

const misplaced = (path: string, line: number): JournalError =>
  new JournalError("broken", `${path}, line ${line}: not the entries that follow those before. It was left as it is; restore the file.`);
