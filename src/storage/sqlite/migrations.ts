/** What brings a file from each version to the next. Only ever add to the end: files of every version are in use. */
export const migrations: readonly string[] = [
  `
  CREATE TABLE runs (
    key TEXT PRIMARY KEY,
    run_id TEXT NOT NULL,
    agent TEXT NOT NULL,
    status TEXT NOT NULL,
    length INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    touched INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE UNIQUE INDEX runs_by_touch ON runs (touched);
  CREATE INDEX runs_by_status ON runs (status, touched);

  CREATE TABLE appends (
    key TEXT NOT NULL,
    position INTEGER NOT NULL,
    entries TEXT NOT NULL,
    PRIMARY KEY (key, position)
  );

  CREATE TABLE leases (
    key TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    fence INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE fences (last INTEGER NOT NULL);
  INSERT INTO fences VALUES (0);

  CREATE TABLE claims (id TEXT PRIMARY KEY, expires_at INTEGER) WITHOUT ROWID;
  CREATE INDEX claims_by_expiry ON claims (expires_at);

  CREATE TABLE conversations (
    key TEXT PRIMARY KEY,
    id TEXT NOT NULL,
    conversation TEXT NOT NULL,
    revision INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  );
  `,
  // The base64 of images and files, apart from the text that each save writes.
  `
  CREATE TABLE conversation_files (
    key TEXT NOT NULL,
    digest TEXT NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (key, digest)
  );
  `,
  // The same of entries of journals: each once for all runs that have it.
  `
  CREATE TABLE journal_files (digest TEXT PRIMARY KEY, data TEXT NOT NULL);
  CREATE TABLE journal_file_uses (
    digest TEXT NOT NULL,
    key TEXT NOT NULL,
    PRIMARY KEY (digest, key)
  ) WITHOUT ROWID;
  CREATE INDEX journal_file_uses_by_run ON journal_file_uses (key);
  `,
];
