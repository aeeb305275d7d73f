/** Text by the specification; community providers are known to send the object. */
export const argumentsText = (input: unknown): string => (typeof input === "string" ? input : JSON.stringify(input ?? {}));
