/** A JSON object from a client, not validated. */
export type JsonObject = Readonly<Record<string, unknown>>;
