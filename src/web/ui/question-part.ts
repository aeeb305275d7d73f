import { isRecord } from "../../schema/internal.js";
import type { JsonObject } from "../json-object.js";

/** The type of the part of a UI message that says which run waits for the output of a tool part. */
export const questionPart = "data-question";

/** What such a part is about. */
export interface AskedOf {
  readonly runId: string;
  readonly callId: string;
  /** The id of the question. */
  readonly id: string;
}

/** The questions of a message, by the id of the call. Parts that aren't complete are passed over. */
export const questionsIn = (parts: readonly JsonObject[]): ReadonlyMap<string, AskedOf> =>
  new Map(
    parts.flatMap(({ type, data }): [string, AskedOf][] => {
      const { runId, callId, id } = type === questionPart && isRecord(data) ? data : {};
      return typeof runId === "string" && typeof callId === "string" && typeof id === "string" ? [[callId, { runId, callId, id }]] : [];
    }),
  );
