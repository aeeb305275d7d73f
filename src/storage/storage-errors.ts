/**
 * A storage can't be used. `unsupported`: this Node, or an optional package, lacks what it needs. `unavailable`: the database can't be
 * reached now; the next call tries again. `version`: a newer version of the package made it. `broken`: a file is damaged; it was left
 * unchanged. See docs/errors.md.
 */
export class StorageError extends Error {
  override readonly name = "StorageError";
  readonly reason: "unsupported" | "unavailable" | "version" | "broken";

  constructor(reason: StorageError["reason"], message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.reason = reason;
  }
}

/** The process that uses the directory of a `FileStorage`. */
export interface StorageHolder {
  /** The name of its machine. */
  readonly host: string;
  /** The id of the process. */
  readonly pid: number;
}

/** Another process uses the directory of a `FileStorage`, which serves one process. See docs/errors.md. */
export class StorageInUseError extends Error {
  override readonly name = "StorageInUseError";
  readonly directory: string;
  readonly host: string;
  readonly pid: number;

  constructor(directory: string, { host, pid }: StorageHolder, isHere: boolean) {
    const holder = isHere ? `another thread or copy of this process (${pid})` : `process ${pid} on ${host}`;
    super(
      `FileStorage: ${directory} is in use by ${holder}, and serves one process at a time. End that process, choose another directory, or use SqliteStorage or PostgresStorage, which several processes share.`,
    );
    this.directory = directory;
    this.host = host;
    this.pid = pid;
  }
}
