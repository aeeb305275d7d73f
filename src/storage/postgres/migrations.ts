/**
 * What brings a schema from each version to the next. Only ever add to the end: schemas of every version are in use. The statements run
 * with the schema as the only one in the search path.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE runs (
    key text PRIMARY KEY,
    run_id text NOT NULL,
    agent text NOT NULL,
    status text NOT NULL,
    length integer NOT NULL,
    updated_at timestamptz NOT NULL,
    touched bigint NOT NULL
  );
  CREATE INDEX runs_by_touch ON runs (touched);
  CREATE INDEX runs_by_status ON runs (status, touched);
  CREATE SEQUENCE touches;

  CREATE TABLE appends (
    key text NOT NULL,
    position integer NOT NULL,
    entries text NOT NULL,
    PRIMARY KEY (key, position)
  );

  CREATE TABLE leases (
    key text PRIMARY KEY,
    owner text NOT NULL,
    fence bigint NOT NULL,
    expires_at timestamptz NOT NULL
  );
  CREATE SEQUENCE fences;

  CREATE TABLE claims (id text PRIMARY KEY, expires_at timestamptz);
  CREATE INDEX claims_by_expiry ON claims (expires_at);

  CREATE TABLE conversations (
    key text PRIMARY KEY,
    id text NOT NULL,
    conversation text NOT NULL,
    revision integer NOT NULL,
    updated_at timestamptz NOT NULL
  );
  `,
  // The base64 of images and files, apart from the text that each save writes.
  `
  CREATE TABLE conversation_files (
    key text NOT NULL,
    digest text NOT NULL,
    data text NOT NULL,
    PRIMARY KEY (key, digest)
  );
  `,
  // The same of entries of journals: each once for all runs that have it.
  `
  CREATE TABLE journal_files (digest text PRIMARY KEY, data text NOT NULL);
  CREATE TABLE journal_file_uses (
    digest text NOT NULL,
    key text NOT NULL,
    PRIMARY KEY (digest, key)
  );
  CREATE INDEX journal_file_uses_by_run ON journal_file_uses (key);
  `,
];
