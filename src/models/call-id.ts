import { randomUUID } from "node:crypto";

/** An id for a tool call to which the provider gave none. */
export const newCallId = (): string => `call_${randomUUID().replaceAll("-", "")}`;
