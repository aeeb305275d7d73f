import { randomUUID } from "node:crypto";
import { readFileSync, readlinkSync, unlinkSync } from "node:fs";
import { open, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { StorageInUseError } from "../storage-errors.js";
import { orUndefined } from "./durable-files.js";

/** Who holds a lock. */
interface Holder {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  /** The machine's boot and the space of process ids: only in the same one can a process be looked up by its id. */
  readonly processSpace: string;
  /** When the process started, so that a later process with the same id isn't taken for it. `undefined` if the system doesn't show it. */
  readonly startedAt?: string | undefined;
}

const refreshEvery = 10_000;
const staleAfter = 60_000;
const heldLocks = new Set<DirectoryLock>();

/**
 * The right to use a directory, for one process: a file in it. A lock whose process has ended is taken over. If its process can't be
 * looked up, because it ran on another machine or in another container, it is taken over a minute after its last sign of life.
 */
export class DirectoryLock {
  readonly #directory: string;
  readonly #path: string;
  readonly #holder: Holder;
  readonly #timer: NodeJS.Timeout;
  #refreshedAt = Date.now();
  #lostTo: Holder | undefined;

  private constructor(directory: string, holder: Holder) {
    this.#directory = directory;
    this.#path = lockPathOf(directory);
    this.#holder = holder;
    this.#timer = setInterval(() => void this.#refresh().catch(() => undefined), refreshEvery).unref();
    if (heldLocks.size === 0) process.on("exit", releaseAll);
    heldLocks.add(this);
  }

  /** Takes the lock. Throws `StorageInUseError` if another process holds it. */
  static async take(directory: string): Promise<DirectoryLock> {
    const holder: Holder = {
      id: randomUUID(),
      host: hostname(),
      pid: process.pid,
      processSpace: processSpace(),
      startedAt: startOf(process.pid),
    };
    const other = await take(lockPathOf(directory), holder, directory);
    if (other !== undefined) throw new StorageInUseError(directory, other, other.pid === process.pid && other.host === holder.host);
    return new DirectoryLock(directory, holder);
  }

  /** Throws `StorageInUseError` if another process took over, because this one was stopped for long. Call it before each write. */
  async check(): Promise<void> {
    if (Date.now() - this.#refreshedAt > 2 * refreshEvery) await this.#refresh();
    if (this.#lostTo !== undefined) throw new StorageInUseError(this.#directory, this.#lostTo, false);
  }

  async release(): Promise<void> {
    this.#forget();
    if ((await holderOf(this.#path))?.id === this.#holder.id) await rm(this.#path, { force: true });
  }

  /** At the end of the process, when nothing can be awaited. */
  releaseNow(): void {
    this.#forget();
    try {
      if (parse(readFileSync(this.#path, "utf8"))?.id === this.#holder.id) unlinkSync(this.#path);
    } catch {
      // The directory was removed.
    }
  }

  #forget(): void {
    clearInterval(this.#timer);
    heldLocks.delete(this);
    if (heldLocks.size === 0) process.off("exit", releaseAll);
  }

  async #refresh(): Promise<void> {
    const holder = await holderOf(this.#path);
    if (holder?.id !== this.#holder.id) {
      // If the file is gone, somebody removed it by hand, and another process may start at any time.
      this.#lostTo = holder ?? this.#holder;
      return;
    }
    const now = new Date();
    await utimes(this.#path, now, now);
    this.#refreshedAt = now.getTime();
  }
}

const lockPathOf = (directory: string): string => join(directory, "lock");

function releaseAll(): void {
  for (const lock of heldLocks) lock.releaseNow();
}

/**
 * Makes the lock file, and returns `undefined`; or the holder, if there is one that lives. Two processes may find the same dead holder
 * at once. Only the one that makes a file named after that holder may replace the lock, and only while the lock still is of that holder.
 * That file is a lock too, so that it is taken over if its maker dies.
 */
async function take(path: string, holder: Holder, directory: string): Promise<Holder | undefined> {
  for (let attempt = 0; ; attempt++) {
    if (await create(path, holder)) return undefined;
    const other = await holderOf(path);
    // Its maker is about to write it, or it was removed just now.
    if (other === undefined && attempt < 20) {
      await new Promise((resolve) => setTimeout(resolve, 25));
      continue;
    }
    const dead = other ?? unknownHolder;
    if (await isAlive(path, dead, directory)) return dead;
    const marker = `${path}.${dead.id}`;
    const rival = await take(marker, holder, directory);
    if (rival !== undefined) return rival;
    try {
      if ((await holderOf(path))?.id !== other?.id) continue;
      const temporary = `${path}.${randomUUID()}.tmp`;
      await writeFile(temporary, JSON.stringify(holder), { mode: 0o600 });
      await rename(temporary, path);
      return undefined;
    } finally {
      await rm(marker, { force: true });
    }
  }
}

/** The holder of a lock whose maker died before it wrote it. */
const unknownHolder: Holder = { id: "unknown", host: "an unknown machine", pid: 0, processSpace: "" };

async function create(path: string, holder: Holder): Promise<boolean> {
  try {
    await writeFile(path, JSON.stringify(holder), { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

async function holderOf(path: string): Promise<Holder | undefined> {
  return parse((await orUndefined(readFile(path, "utf8"))) ?? "");
}

function parse(text: string): Holder | undefined {
  try {
    return JSON.parse(text) as Holder;
  } catch {
    return undefined;
  }
}

async function isAlive(path: string, holder: Holder, directory: string): Promise<boolean> {
  if (holder.processSpace === processSpace()) return isRunning(holder);
  const lastSign = (await orUndefined(stat(path)))?.mtimeMs;
  return lastSign !== undefined && (await fileClock(directory)) - lastSign <= staleAfter;
}

function isRunning({ pid, startedAt }: Holder): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // It exists if this process isn't allowed to send it signals.
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  return startedAt === undefined || startOf(pid) === startedAt;
}

/** The time by the clock that dates the directory's files, which may be another machine's. */
async function fileClock(directory: string): Promise<number> {
  const path = join(directory, `clock.${randomUUID()}.tmp`);
  const probe = await open(path, "wx", 0o600);
  try {
    return (await probe.stat()).mtimeMs;
  } finally {
    await probe.close();
    await rm(path, { force: true });
  }
}

/** When a process started, in ticks since the machine's boot: field 22 of its status on Linux. */
function startOf(pid: number): string | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the program's name in brackets, which may hold blanks and brackets.
    return status.slice(status.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return undefined;
  }
}

function processSpace(): string {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return [hostname(), boot, readlinkSync("/proc/self/ns/pid")].join(" ");
  } catch {
    return hostname();
  }
}
