/** A JSON object that somebody sent: nothing is known of its members. */
export type JsonObject = Readonly<Record<string, unknown>>;
