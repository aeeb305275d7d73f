import { StorageError } from "../storage-errors.js";

/** Codes of Node and of Postgres, or their first two characters, that say that there is no connection, and what to do. */
const advice: readonly (readonly [pattern: RegExp, advice: string])[] = [
  [/^28/, "Check user and password of the connection."],
  [/^3D/, "Create the database, or correct its name."],
  [/^53/, "Let it accept more connections, or use fewer."],
  [/^57P|^08|^E(CONNREFUSED|CONNRESET|NOTFOUND|AI_AGAIN|TIMEDOUT|PIPE|HOSTUNREACH|NETUNREACH)$/, "Start it, or check its address."],
];
const withoutCode = /connection terminated|timeout exceeded when trying to connect|client has encountered a connection error/i;

/** An error of the connection as a `StorageError`; any other as it is. */
export function explained(error: unknown): unknown {
  const { code = "", message } = firstOf(error);
  const found =
    advice.find(([pattern]) => pattern.test(code))?.[1] ?? (withoutCode.test(message) ? "Start it, or check its address." : undefined);
  if (found === undefined) return error;
  return new StorageError("unavailable", `PostgresStorage: the database is unavailable: ${message}. ${found} The next call tries again.`, {
    cause: error,
  });
}

/** A host with several addresses fails with one error for each, in an error without a message. */
function firstOf(error: unknown): { readonly code?: string; readonly message: string } {
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors[0] as { code?: string; message: string };
  return error as { code?: string; message: string };
}
